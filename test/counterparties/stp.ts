// A connection to the sandbox's STP, with a real database for its records.
import assert from 'node:assert/strict'
import { mountStp, type SandboxStp } from '../../sandbox/stp/mount.ts'
import { type Clock, systemClock } from '../../src/platform/base/clock.ts'
import type { Channel } from '../../src/rails/contract/channel.ts'
import type { PayoutRail } from '../../src/rails/contract/payout-rail.ts'
import type { Connection } from '../../src/rails/contract/protocol.ts'
import type { ChannelStore } from '../../src/rails/contract/store.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import { makeReference } from '../contracts/channel-driver.ts'
import { cloneDatabase } from '../harness/harness.ts'
import { type CallbackReceiver, openCallbackReceiver } from './callback-receiver.ts'
import { connectEntry, toolsWith } from './connect-entry.ts'
import { openMounted } from './mounted.ts'

export type StpWorld = {
  /** The alarms for operators. */
  readonly told: string[]
  readonly stp: SandboxStp
  readonly url: string
  readonly receiver: CallbackReceiver
  readonly store: ChannelStore
  readonly channel: Channel
  /** Connects a channel. `through` wraps the store of the channel's records. */
  connect(changes?: object, timeoutMs?: number, through?: (store: ChannelStore) => ChannelStore): Connection
  rail(changes?: object, timeoutMs?: number): PayoutRail
  close(): Promise<void>
}

const PATIENT_MS = 60_000

/** Returns a new payout by SPEI. */
export const stpPayout = () =>
  ({
    reference: makeReference(),
    kind: 'spei',
    money: { amount: 5_000n, currency: 'MXN' },
    beneficiary: { account: '032180000118359719', details: {} },
  }) as const

/** Returns the number of STP's orders with this tracking key. */
export const countSent = ({ stp }: StpWorld, clave: string) =>
  [...stp.book.sent.values()].filter(({ claveRastreo }) => claveRastreo === clave).length

/** Opens the connection. `theirs` is STP's clock. */
export async function openStp(clock: Clock = systemClock, theirs: Clock = clock): Promise<StpWorld> {
  const { counterparty: stp, entry, url, close } = await openMounted(mountStp, { clock: theirs })
  const database = await cloneDatabase()
  const receiver = await openCallbackReceiver()
  stp.notifyAt(receiver.url)
  const storeOf = (channel: string) => openStore({ db: database.db, clock }, channel)
  const told: string[] = []
  const alarm = (reference: string, what: string) => void told.push(`${reference}: ${what}`)
  const connect: StpWorld['connect'] = (changes = {}, timeoutMs = PATIENT_MS, through = (store) => store) =>
    connectEntry(
      { ...entry, ...changes },
      toolsWith({ clock, alarm, storeOf: (channel) => through(storeOf(channel)), timeoutMs }),
    )
  const [channel] = connect().channels
  assert.ok(channel)
  receiver.answerWith(async (callback) => {
    const read = await channel.readCallback?.(callback)
    return read?.answer ?? assert.fail()
  })
  return {
    told,
    stp,
    url,
    receiver,
    store: storeOf('stp'),
    channel,
    connect,
    rail: (changes, timeoutMs) => connect(changes, timeoutMs).rail ?? assert.fail('the entry has payouts'),
    async close() {
      await receiver.close()
      await close()
      await database.drop()
    },
  }
}
