// A connection to the sandbox's STP, with a real database for its records.
import assert from 'node:assert/strict'
import { mountStp, type SandboxStp } from '../sandbox/stp/mount.ts'
import { type Clock, systemClock } from '../src/base/clock.ts'
import type { Channel } from '../src/channels/contract.ts'
import { openStore } from '../src/channels/open-store.ts'
import type { PayoutRail } from '../src/channels/payout/contract.ts'
import type { Connection } from '../src/channels/protocol.ts'
import type { ChannelStore } from '../src/channels/store.ts'
import { type CallbackReceiver, openCallbackReceiver } from './callback-receiver.ts'
import { makeReference } from './channel-driver.ts'
import { connectEntry, toolsWith } from './connect-entry.ts'
import { cloneDatabase } from './harness.ts'
import { openMounted } from './mounted.ts'

export type StpWorld = {
  /** What an operator was told. */
  readonly told: string[]
  readonly stp: SandboxStp
  readonly url: string
  readonly receiver: CallbackReceiver
  readonly store: ChannelStore
  readonly channel: Channel
  /** `through`: what the channel's records are written through. */
  connect(changes?: object, timeoutMs?: number, through?: (store: ChannelStore) => ChannelStore): Connection
  rail(changes?: object, timeoutMs?: number): PayoutRail
  close(): Promise<void>
}

const PATIENT_MS = 60_000

/** A new payout by SPEI. */
export const stpPayout = () =>
  ({
    reference: makeReference(),
    kind: 'spei',
    money: { amount: 5_000n, currency: 'MXN' },
    beneficiary: { account: '032180000118359719', details: {} },
  }) as const

/** How many orders with this tracking key STP has. */
export const countSent = ({ stp }: StpWorld, clave: string) =>
  [...stp.book.sent.values()].filter(({ claveRastreo }) => claveRastreo === clave).length

/** `theirs`: STP's clock. */
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
