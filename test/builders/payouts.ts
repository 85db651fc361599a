// Payouts with a real database and the sandbox's bank, and a clock that tests can move.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { createPayoutBank } from '../../sandbox/payout-bank.ts'
import { openPayoutBook } from '../../sandbox/payout-book.ts'
import { AVAILABLE, CORRECTION, channelAccount, PAYOUTS_IN_FLIGHT } from '../../src/money/ledger/account.ts'
import { postEntries } from '../../src/money/ledger/post-entries.ts'
import { verifyLedger } from '../../src/money/ledger/verify-ledger.ts'
import type { Merchant } from '../../src/money/merchants/merchant.ts'
import { approvePayout, rejectPayout } from '../../src/money/payouts/approve-payout.ts'
import { openPayoutBatches } from '../../src/money/payouts/batches.ts'
import { type MadePayout, makePayout } from '../../src/money/payouts/make-payout.ts'
import { type PayoutRequested, preparePayout } from '../../src/money/payouts/prepare-payout.ts'
import { payoutJob } from '../../src/money/payouts/worker.ts'
import { writeAudit } from '../../src/platform/audit-log/write-entry.ts'
import { makeId } from '../../src/platform/base/id.ts'
import { formatAmount, parseRate } from '../../src/platform/base/money.ts'
import { openVault } from '../../src/platform/base/secret.ts'
import { Gate } from '../../src/platform/concurrency/gate.ts'
import type { PayoutRail } from '../../src/rails/contract/payout-rail.ts'
import { createBankRail } from '../../src/rails/protocols/bridge/payout/bank-rail.ts'
import { createPayoutRouting, registerPayoutRails } from '../../src/rails/routing/payout-routing.ts'
import { cloneDatabase } from '../harness/harness.ts'
import { inProcessTransport } from '../harness/in-process-transport.ts'
import { aMerchant } from '../harness/merchant-frame.ts'
import { runOnce } from '../harness/run-job.ts'
import { anOperator } from './builders.ts'
import { aReference } from './reference.ts'

const TIMEOUT_MS = 1_000
let count = 0

export const CCI = '00219119184091600051'
export const CLABE = '032180000118359719'
export const IBAN = 'DE89370400440532013000'

/** Returns a payout to an IBAN, except for the changes. */
export function aPayout(changes: Partial<PayoutRequested> = {}): PayoutRequested {
  return {
    kind: 'bank_account',
    merOrderNo: `payout-${process.pid}-${++count}`,
    currencyCode: 'USD',
    sourceAmount: '10.00',
    returnUrl: '',
    notifyUrl: 'https://shop.example/notify',
    account: IBAN,
    bankCode: '',
    personal: {},
    details: { benFirstName: 'Test', benLastName: 'Payee' },
    ...changes,
  }
}

export type TestPayouts = Awaited<ReturnType<typeof openPayouts>>

export async function openPayouts() {
  const { db, url, drop } = await cloneDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-payouts-'))
  const bookFile = join(folder, 'bank.sqlite')
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }
  const bank = createPayoutBank({ bookFile, clock })
  const book = openPayoutBook(bookFile)
  const rail = createBankRail({ transport: inProcessTransport(bank), timeoutMs: TIMEOUT_MS })
  const known = new Map<string, string>()
  const find = (from: string, to: string) =>
    from === to ? { digits: 1n, scale: 0 } : parseRate(known.get(`${from}:${to}`) ?? '')
  const rates = { find, usdValue: ({ amount }: { amount: bigint }) => amount, close: () => {} }
  const alarms: string[] = []
  /** Registers the rails in this order, none paused. */
  const by = (...all: readonly PayoutRail[]) => {
    const rails = registerPayoutRails(all)
    return { rails, payoutRouting: createPayoutRouting({ rails, clock }) }
  }
  const deps = {
    db,
    clock,
    rates,
    vault: openVault(randomBytes(32)),
    ...by(rail),
    findMerchant: async (): Promise<Merchant | undefined> => undefined,
    payoutBatches: openPayoutBatches({ db, rates }),
    platformLimits: { of: async () => undefined },
    reference: aReference,
    gate: new Gate({ most: 1_000, mostWorking: 1 }),
    alarm: (_tradeNo: string, what: string) => void alarms.push(what),
    log: pino({ level: 'silent' }),
  }

  const balance = async (merNo: number, account: string, currency: string): Promise<bigint> => {
    const [row] = await db.query<{ net: bigint }>({
      text: 'select credits - debits as net from balances where mer_no = $1 and account = $2 and currency = $3',
      values: [merNo, account, currency],
    })
    return row?.net ?? 0n
  }

  async function pay(
    merchant: Merchant,
    request: PayoutRequested,
    ...rails: readonly PayoutRail[]
  ): Promise<Paid> {
    const routed = { ...deps, ...(rails.length > 0 && by(...rails)) }
    const prepared = await preparePayout(routed, merchant, request)
    const made = await deps.gate.countOf(merchant.merNo, () => makePayout(routed, prepared))
    return { ...made, tradeNo: prepared.payout.tradeNo, reference: prepared.payout.reference }
  }

  return {
    ...deps,
    url,
    deps,
    by,
    book,
    rail,
    alarms,
    setRate: (from: string, to: string, rate: string) => void known.set(`${from}:${to}`, rate),
    pass: (ms: number) => {
      nowMs += ms
    },
    runWorker: (...rails: readonly PayoutRail[]) =>
      runOnce(payoutJob({ ...deps, ...(rails.length > 0 && by(...rails)) }), clock.now()),
    pay,
    /** Approves a payout of this merchant as an operator. */
    approve(merchant: Merchant, tradeNo: string, ...rails: readonly PayoutRail[]) {
      const routing = by(...(rails.length > 0 ? rails : [rail]))
      const approving = { ...deps, routing, findMerchant: async () => merchant }
      return approvePayout(approving, tradeNo, { by: anOperator(), at: clock.now() })
    },
    reject: (tradeNo: string, why: string) =>
      rejectPayout(db, tradeNo, { why, by: anOperator(), at: clock.now() }),
    available: (merNo: number, currency = 'USD') => balance(merNo, AVAILABLE, currency),
    inFlight: (merNo: number, currency = 'USD') => balance(merNo, PAYOUTS_IN_FLIGHT, currency),
    balance,
    /** Adds money to the available balance, or takes it away. */
    async give(merNo: number, amount: bigint, currency = 'USD') {
      const other = channelAccount('test')
      const [from, to] = amount > 0n ? [other, AVAILABLE] : [AVAILABLE, other]
      const money = { amount: amount > 0n ? amount : -amount, currency }
      const [subject, at] = [makeId('K', merNo, new Date()), new Date()]
      const actor = { kind: 'system', name: 'test' } as const
      await db.transaction(async (tx) => {
        await postEntries(tx, [{ merNo, subject, step: CORRECTION, debit: from, credit: to, money, at }])
        await writeAudit(tx, {
          merNo,
          at,
          actor,
          action: 'ledger.correct',
          subject,
          after: { from, to, amount: `${formatAmount(money.amount, currency)} ${currency}` },
          reason: '-',
        })
      })
    },
    async stateOf(tradeNo: string): Promise<PayoutSnapshot | undefined> {
      const [row] = await db.query<PayoutSnapshot>({ text: snapshotText, values: [tradeNo] })
      return row
    },
    async close() {
      assert.deepEqual((await verifyLedger(db)).differences, [])
      book.close()
      bank.close()
      rmSync(folder, { recursive: true })
      await drop()
    },
  }
}

export type Paid = MadePayout & { readonly tradeNo: string; readonly reference: string }

/** The state of a payout, and the number of its rows in each table. */
export type PayoutSnapshot = {
  readonly order: number
  readonly payout: string
  readonly changes: number
  readonly notifications: number
}

const snapshotText = `
  select o.state as order, p.state as payout,
    (select count(*)::int from order_events e where e.trade_no = o.trade_no) as changes,
    (select count(*)::int from notifications n where n.trade_no = o.trade_no and n.event = 'payout') as notifications
  from orders o join payouts p using (mer_no, trade_no) where o.trade_no = $1`

export const SENDING: PayoutSnapshot = { order: 1, payout: 'sending', changes: 0, notifications: 0 }
export const SUCCEEDED: PayoutSnapshot = { order: 5, payout: 'succeeded', changes: 1, notifications: 1 }
export const FAILED: PayoutSnapshot = { order: 6, payout: 'failed', changes: 1, notifications: 1 }
export const EXPIRED: PayoutSnapshot = { ...FAILED, order: 7 }

let lastMerNo = 30_000_000

/** Returns a merchant that may do everything, with very high limits. */
export function aPayer(changes: Partial<Merchant> = {}): Merchant {
  const most = 10n ** 12n
  return aMerchant({
    merNo: ++lastMerNo,
    currencies: new Map([
      ['USD', 'USD'],
      ['EUR', 'USD'],
      ['BRL', 'BRL'],
      ['MXN', 'MXN'],
      ['PEN', 'PEN'],
    ]),
    limits: { single: most, daily: most, monthly: most },
    ...changes,
  })
}
