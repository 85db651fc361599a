// A connection over files to the sandbox's bank, with a real database for its records. Tests run its rounds by hand.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileBank, type FileBank } from '../../sandbox/sepa-files/bank.ts'
import { type Clock, systemClock } from '../../src/platform/base/clock.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import type { Channel, StartRequest } from '../../src/rails/contract/channel.ts'
import type { PayoutRail, PayoutRequest } from '../../src/rails/contract/payout-rail.ts'
import type { Connection } from '../../src/rails/contract/protocol.ts'
import type { ChannelSettings, ChannelTools } from '../../src/rails/contract/settings.ts'
import type { ChannelStore } from '../../src/rails/contract/store.ts'
import { sepaFiles } from '../../src/rails/protocols/sepa-files/sepa-files.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import { makeReference } from '../contracts/channel-driver.ts'
import { cloneDatabase } from '../harness/harness.ts'
import { toolsWith } from './connect-entry.ts'

export const ACCOUNT = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', name: 'Example Ltd' }
export const CHANNEL = 'house-bank'

export type SepaFiles = {
  readonly bank: FileBank
  readonly store: ChannelStore
  readonly connection: Connection
  readonly channel: Channel
  readonly rail: PayoutRail
  readonly folder: string
  /** The address of the database. */
  readonly url: string
  /** Runs two rounds: the first one sees a new file, the second one reads it. Returns the alarms for operators. */
  work(): Promise<string>
  /** Returns the number of times that the connection has read its records. */
  reads(): number
  /** Sends the waiting files, lets the bank answer, and reads the answers. */
  exchange(): Promise<string>
  /** Puts files that the connection has already read into the folder again, as an operator may. */
  again(): void
  close(): Promise<void>
}

export type SepaOptions = {
  readonly clock?: Clock
  /** The bank's clock; by default the connection's clock. */
  readonly theirs?: Clock
  readonly booksBatches?: boolean
  readonly instant?: boolean
}

export async function openSepaFiles(options: SepaOptions = {}): Promise<SepaFiles> {
  const { clock = systemClock, theirs = clock, booksBatches = false, instant = false } = options
  const database = await cloneDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-sepa-'))
  const bank = createFileBank({ folder, account: ACCOUNT, clock: theirs, booksBatches })
  const store = openStore({ db: database.db, clock }, CHANNEL)
  const told: string[] = []
  let reads = 0
  const tools = sepaTools(database.db, clock, (what) => told.push(what))
  const storeOf = (name: string) => countReads(tools.storeOf(name), () => (reads += 1))
  const connection = sepaFiles(sepaSettings(folder, { instant }), { ...tools, storeOf })
  const [channel] = connection.channels
  const { rail } = connection
  assert.ok(channel && rail)
  const round = async () => {
    await connection.watcher?.work(AbortSignal.timeout(60_000))
    return told.splice(0).join('\n')
  }
  const work = async () => `${await round()}${await round()}`
  return {
    bank,
    store,
    connection,
    channel,
    rail,
    folder,
    url: database.url,
    work,
    reads: () => reads,
    async exchange() {
      const sent = await round()
      bank.takeOrders()
      return sent + (await work())
    },
    again() {
      const [done, incoming] = [join(folder, 'in', 'done'), join(folder, 'in')]
      for (const name of readdirSync(done).filter((one) => one.endsWith('.xml')))
        renameSync(join(done, name), join(incoming, name))
    },
    async close() {
      bank.close()
      await database.drop()
      rmSync(folder, { recursive: true })
    },
  }
}

function countReads(store: ChannelStore, count: () => void): ChannelStore {
  const counted =
    <Args extends readonly unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args) => {
      count()
      return read(...args)
    }
  const { find, listOf, list, referenceOf } = store
  return {
    ...store,
    find: counted(find),
    listOf: counted(listOf),
    list: counted(list),
    referenceOf: counted(referenceOf),
  }
}

export function sepaSettings(
  folder: string,
  change: Readonly<Record<string, unknown>> = {},
): ChannelSettings {
  return {
    name: CHANNEL,
    protocol: 'sepa-files',
    methods: ['sepa'],
    payoutKinds: ['bank_account'],
    out: join(folder, 'out'),
    in: join(folder, 'in'),
    iban: ACCOUNT.iban,
    bic: ACCOUNT.bic,
    accountHolder: ACCOUNT.name,
    ...change,
  }
}

export function sepaTools(db: Db, clock: Clock, tell: (what: string) => void): ChannelTools {
  const alarm = (_channel: string, what: string) => tell(what)
  return toolsWith({ clock, alarm, storeOf: (channel) => openStore({ db, clock }, channel) })
}

export function sepaRequest(cents: bigint, reference = makeReference()): StartRequest {
  return {
    reference,
    money: { amount: cents, currency: 'EUR' },
    merNo: 10_001,
    personal: {},
    details: { email: 'payer@example.com' },
    terminal: 'WEB',
    merchantName: 'Test shop',
    expiresAt: new Date(Date.now() + 3 * 86_400_000),
    completeUrl: 'http://127.0.0.1:1/pay/token/complete',
    callbackUrl: 'http://127.0.0.1:1/callbacks/test',
  }
}

export function sepaPayout(cents: bigint, reference = makeReference()): PayoutRequest {
  return {
    reference,
    kind: 'bank_account',
    money: { amount: cents, currency: 'EUR' },
    beneficiary: {
      account: 'FR14 2004 1010 0505 0001 3M02 606',
      details: { benFirstName: 'Zoë', benLastName: 'Example' },
    },
  }
}

/** Starts a payment that waits for its payer. Returns the payment with the text that identifies it. */
export async function startSepa({ channel }: SepaFiles, cents: bigint) {
  const request = sepaRequest(cents)
  const outcome = await channel.start(request)
  assert.equal(outcome.kind, 'pending')
  return { request, text: outcome.channelRef, money: { cents, text: outcome.channelRef } }
}

/** Returns the number of transfers that were counted for the payment. */
export async function timesPaid(
  { channel }: SepaFiles,
  { request }: { readonly request: StartRequest },
): Promise<number> {
  const outcome = await channel.ask(request)
  return outcome.kind === 'received' ? outcome.deposits.length : 0
}
