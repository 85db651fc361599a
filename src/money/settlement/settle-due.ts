// Settles due orders and releases due margins, merchant by merchant, one batch per transaction. An order whose
// settlement fails is reported and stays due. The other orders of its batch are settled.
//
// Invariant: an order is settled once, on any node and after any crash. The locked order shows whether it was settled,
// and its due row is deleted in the same transaction. A node waits for the order locks of another node, and then finds
// the orders settled. The locks do not use `skip locked`, because a run could then end before another node has
// committed its batch.
//
// Lock order: orders by (mer_no, trade_no), then the merchant's balances.
import type { Clock } from '../../platform/base/clock.ts'
import { isolateFailures, isTransientFailure } from '../../platform/concurrency/isolate-failures.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { lockBalances } from '../ledger/lock-balances.ts'
import {
  type Due,
  type DueKind,
  type DuesPage,
  merchantsWithDues,
  removeDues,
  selectDues,
  splitMargins,
} from '../orders/dues.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import type { PaidOrder } from '../orders/order.ts'
import { changeOrders } from '../orders/write-changes.ts'
import { decideDue, isDone, type Settling, toChange } from './settlement.ts'

export type SettleDeps = {
  readonly db: Db
  readonly clock: Clock
  /**
   * Reports a failure of a merchant's settlement. `tradeNo` is set if a single order caused the failure. Other orders
   * and merchants are still settled.
   */
  readonly failed: (merNo: number, error: unknown, tradeNo?: string) => void
  readonly batchSize?: number
}

/** The number of orders and the amount that became available. There is one sum for each kind of due and currency. */
export type Sum = {
  readonly kind: DueKind
  readonly currency: string
  readonly orders: number
  readonly amount: bigint
}
export type Run = {
  readonly sums: readonly Sum[]
  /** The number of due orders whose negative remainder the available balance does not cover. */
  readonly waiting: number
}

// Larger batches would lock the merchant's balances for longer than a refund or payout should wait.
const BATCH_SIZE = 200
const MERCHANTS_PAGE = 100

export async function settleDue(deps: SettleDeps, asOf: Date): Promise<Run> {
  const sums = new Map<string, Sum>()
  let waiting = 0
  for (let after = -1, page: number[]; ; after = page.at(-1) ?? after) {
    page = await merchantsWithDues(deps.db, { asOf, after, limit: MERCHANTS_PAGE })
    for (const merNo of page) {
      try {
        waiting += await settleMerchant(deps, { merNo, asOf }, (kind, settled) => addTo(sums, kind, settled))
      } catch (error) {
        // An outage of the database affects every merchant, so it ends the whole run.
        if (isTransientFailure(error)) throw error
        deps.failed(merNo, error)
      }
    }
    if (page.length < MERCHANTS_PAGE) return { sums: [...sums.values()], waiting }
  }
}

type Report = (kind: DueKind, settled: readonly Settling[]) => void
type Scope = Pick<DuesPage, 'merNo' | 'asOf'>

/**
 * Settles a merchant's due orders and releases its due margins. Repeats both steps while orders wait and the last
 * repetition moved money, because that money may cover the waiting orders. Returns how many orders still wait.
 */
async function settleMerchant(deps: SettleDeps, scope: Scope, report: Report): Promise<number> {
  for (;;) {
    let moved = 0
    const count: Report = (kind, settled) => {
      moved += settled.length
      report(kind, settled)
    }
    const waiting = await settleKind(deps, { ...scope, kind: 'settle' }, count)
    await settleKind(deps, { ...scope, kind: 'margin' }, count)
    if (waiting === 0 || moved === 0) return waiting
  }
}

/**
 * Settles the merchant's due orders, or releases its due margins, page by page. Orders that wait for available balance
 * do not block later orders. Returns how many orders wait.
 */
async function settleKind(
  deps: SettleDeps,
  scope: Scope & { readonly kind: DueKind },
  report: Report,
): Promise<number> {
  const { db, clock, batchSize: limit = BATCH_SIZE } = deps
  const { merNo, kind } = scope
  let waiting = 0
  for (let after: Due | undefined; ; ) {
    const page = { ...scope, after, limit }
    const dues = await selectDues(db, page)
    const batches = await isolateFailures(
      dues,
      (some) => db.transaction((tx) => settleBatch(tx, page, some, clock.now())),
      ({ tradeNo }, error) => deps.failed(merNo, error, tradeNo),
    )
    for (const { settled, waits } of batches) {
      report(kind, settled)
      waiting += waits
    }
    after = dues.at(-1)
    if (dues.length < limit) return waiting
  }
}

type Batch = { readonly settled: readonly Settling[]; readonly waits: number }

async function settleBatch(tx: Tx, page: DuesPage, dues: readonly Due[], at: Date): Promise<Batch> {
  const { merNo, kind } = page
  const locked = await lockPaidOrders(
    tx,
    dues.map(({ tradeNo }) => ({ merNo, tradeNo })),
  )
  const orders = dues.flatMap(({ tradeNo }) => locked.get(tradeNo) ?? [])
  const open = orders.filter((order) => !isDone(kind, order))
  const { settling, waiting } = await decide(tx, page, open)
  await changeOrders(
    tx,
    settling.map((one) => toChange(kind, one, at)),
  )
  const stay = new Set(waiting.map(({ tradeNo }) => tradeNo))
  const lockedDues = dues.filter(({ tradeNo }) => locked.has(tradeNo))
  await removeDues(
    tx,
    page,
    lockedDues.filter(({ tradeNo }) => !stay.has(tradeNo)),
  )
  await splitMargins(
    tx,
    page,
    lockedDues.filter(({ tradeNo }) => stay.has(tradeNo)),
  )
  return { settled: settling, waits: stay.size }
}

async function decide(tx: Tx, { merNo, kind }: DuesPage, orders: readonly PaidOrder[]) {
  if (orders.length === 0) return { settling: [], waiting: [] }
  // Bookings change balances in both currencies of an order. Therefore the balances in both currencies of every order
  // are locked at once, in the common lock order.
  const currencies = orders.flatMap(({ paid: { position } }) => [position.currency, position.settleCurrency])
  const balances = await lockBalances(tx, merNo, currencies)
  return decideDue(kind, orders, balances.available)
}

function addTo(sums: Map<string, Sum>, kind: DueKind, settled: readonly Settling[]): void {
  for (const { order, gain } of settled) {
    const currency = order.paid.position.settleCurrency
    const key = `${kind} ${currency}`
    const before = sums.get(key) ?? { kind, currency, orders: 0, amount: 0n }
    sums.set(key, { ...before, orders: before.orders + 1, amount: before.amount + gain })
  }
}
