// Accepts refunds in batches, one transaction per merchant. Acceptance moves the money from the merchant to the account
// of refunds in flight. The channel is called only after the commit.
//
// Invariants: the refunds of an order never exceed the amount paid, because the order is locked and its refunded amount
// includes each refund as soon as it is accepted. No refund takes more than the merchant's balances and refund credit
// cover, because all balances of the merchant are locked. An application is accepted once, even if its batch is
// repeated.
//
// Lock order: the lock of `lockAcceptance`, orders by (mer_no, trade_no), balances by (mer_no, account, currency). See
// docs/decisions/0060-refund-money-is-taken-at-acceptance.md.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { decimalHalfUp } from '../../platform/base/money.ts'
import { assert, Refusal } from '../../platform/errors/catalogue.ts'
import { type Batcher, type BatchOptions, createBatcher } from '../../platform/postgres/batch.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { afterCommit, outageOf } from '../../platform/postgres/outages.ts'
import { methodNames } from '../../rails/methods/methods.ts'
import { AVAILABLE, UNSETTLED } from '../ledger/account.ts'
import { type AllBalances, debtsIn, lockAllBalances } from '../ledger/lock-balances.ts'
import { type PlannedChange, planMove } from '../orders/change.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import type { PaidOrder } from '../orders/order.ts'
import { type Moved, type Position, type Transfer, takeRefund } from '../orders/position.ts'
import { changeOrders } from '../orders/write-changes.ts'
import type { Rates } from '../rates/rates.ts'
import {
  type Acceptance,
  type Application,
  findEarlier,
  type Refund,
  refundSums,
  refusalOf,
  repeatedSince,
  steps,
} from './refund.ts'
import { insertRefunds, lockAcceptance, selectEarlier } from './sql.ts'

export type AcceptDeps = { readonly db: Db; readonly rates: Pick<Rates, 'find'> }

export type AcceptBatch = Batcher<Application, Acceptance>

/** Puts one application into the next batch. The promise is fulfilled when that batch is committed. */
export function acceptRefund(
  { refundBatches }: { readonly refundBatches: { readonly accept: AcceptBatch } },
  application: Application,
): Promise<Acceptance> {
  return refundBatches.accept.submit(application)
}

// The maximum number of refunds in a batch. Larger batches gain little and hold row locks for longer.
export const MAX_BATCH = 256

export function openAcceptBatch(
  deps: AcceptDeps,
  options: Pick<BatchOptions<Application, Acceptance>, 'maxQueue' | 'observe'>,
): AcceptBatch {
  const flush = (applications: readonly Application[]) => acceptRefunds(deps, applications)
  return createBatcher({ maxBatch: MAX_BATCH, ...options, flush })
}

export async function acceptRefunds(
  deps: AcceptDeps,
  applications: readonly Application[],
): Promise<Acceptance[]> {
  const results = new Map<Application, Acceptance>()
  const groups = Map.groupBy(applications, ({ terms }) => terms.merNo)
  // A failure is thrown only after all transactions have ended. The caller may repeat the batch: refunds that were
  // already accepted are found by their number.
  const ends = await Promise.allSettled(
    [...groups].map(([merNo, group]) => deps.db.transaction((tx) => acceptOf(tx, deps.rates, merNo, group))),
  )
  for (const end of ends) {
    // A failed transaction fails the whole batch, although refunds of other merchants may have been stored.
    if (end.status === 'rejected')
      return ends.every(storedNothing) ? Promise.reject(end.reason) : afterCommit(Promise.reject(end.reason))
    for (const [application, acceptance] of end.value) results.set(application, acceptance)
  }
  return applications.map((application) => {
    const acceptance = results.get(application)
    assert(acceptance !== undefined, 'every application has a result')
    return acceptance
  })
}

function storedNothing(end: PromiseSettledResult<unknown>): boolean {
  return end.status === 'rejected' && outageOf(end.reason) === 'nothing stored'
}

/**
 * Returns the decision that acceptance would make now on each application, in the order of the list. All applications
 * must belong to one merchant. Nothing is stored.
 */
export function tryRefunds(
  deps: AcceptDeps,
  merNo: number,
  applications: readonly Application[],
): Promise<Acceptance[]> {
  return deps.db.transaction(async (tx) => {
    const batch = await readBatch(tx, deps.rates, merNo, applications)
    return applications.map((application) => decide(batch, application))
  })
}

async function acceptOf(
  tx: Tx,
  rates: AcceptDeps['rates'],
  merNo: number,
  applications: readonly Application[],
): Promise<Map<Application, Acceptance>> {
  const batch = await readBatch(tx, rates, merNo, applications)
  const results = new Map(applications.map((application) => [application, decide(batch, application)]))
  const taken = [...batch.taken.values()]
  const refunds = taken.flatMap((one) => one.refunds)
  await insertRefunds(tx, refunds)
  await changeOrders(tx, taken.map(toChange))
  await writeAuthors(tx, applications, refunds)
  return results
}

/** Writes an audit entry for each new refund that a person asked for. A repeated application gets no second entry. */
async function writeAuthors(
  tx: Tx,
  applications: readonly Application[],
  refunds: readonly Refund[],
): Promise<void> {
  for (const { by, refundNo, terms, tradeNo, money, at } of applications) {
    if (by === undefined || !refunds.some((refund) => refund.refundNo === refundNo)) continue
    const after = { refundNo, ...refundSums({ money }) }
    await writeAudit(tx, { merNo: terms.merNo, at, action: 'refund.create', subject: tradeNo, after, ...by })
  }
}

async function readBatch(
  tx: Tx,
  rates: AcceptDeps['rates'],
  merNo: number,
  applications: readonly Application[],
): Promise<Batch> {
  await lockAcceptance(tx, merNo)
  const tradeNos = [...new Set(applications.map(({ tradeNo }) => tradeNo))]
  const orders = await lockPaidOrders(
    tx,
    tradeNos.map((tradeNo) => ({ merNo, tradeNo })),
  )
  const firstAt = new Date(Math.min(...applications.map(({ at }) => at.getTime())))
  const known = await selectEarlier(tx, merNo, applications, repeatedSince(firstAt))
  const positions = [...orders.values()].map(({ paid }) => paid.position)
  const currencies = positions.flatMap(({ currency, settleCurrency }) => [currency, settleCurrency])
  const funds = await lockAllBalances(tx, merNo, currencies)
  return { rates, orders, known, funds, taken: new Map() }
}

/** The state against which the next application is checked. Each accepted application of the batch changes it. */
type Batch = {
  readonly rates: AcceptDeps['rates']
  readonly orders: ReadonlyMap<string, PaidOrder>
  readonly known: Refund[]
  funds: AllBalances
  /** The refunds accepted so far in this batch, by trade number of their order. */
  readonly taken: Map<string, Taken>
}

type Taken = { readonly order: PaidOrder; readonly moved: Moved; readonly refunds: readonly Refund[] }

/**
 * Decides on an application. The first check that fails determines the error. The order of the checks must not change,
 * because merchants rely on it.
 */
function decide(batch: Batch, application: Application): Acceptance {
  const earlier = findEarlier(application, batch.known)
  if (earlier !== undefined) return earlier
  const { refundable, tradeNo, money } = application
  const order = batch.orders.get(tradeNo)
  const position = batch.taken.get(tradeNo)?.moved.position ?? order?.paid.position
  const left = position === undefined ? 0n : position.amount - position.refunded
  const refusal = refusalOf({ refundable, order, amount: money.amount, left })
  if (refusal !== undefined || order === undefined) return { refusal: refusal ?? new Refusal('10102') }
  return take(batch, application, order)
}

function take(batch: Batch, application: Application, order: PaidOrder): Acceptance {
  const { terms, money, refundNo } = application
  const { moved: before, refunds } = batch.taken.get(order.tradeNo) ?? untouched(order)
  const refund = toRefund(application, order)
  const moved = takeRefund(before.position, money.amount, refund.fee, steps.taken(refundNo))
  const credit = { most: terms.refundCredit, rates: batch.rates }
  const refusal = fundsRefusal(batch.funds, before.position, moved, credit)
  if (refusal !== undefined) return { refusal }
  batch.funds = afterwards(batch.funds, moved.transfers)
  batch.known.push(refund)
  const transfers = [...before.transfers, ...moved.transfers]
  batch.taken.set(order.tradeNo, { order, moved: { ...moved, transfers }, refunds: [...refunds, refund] })
  return { refund }
}

function untouched(order: PaidOrder): Taken {
  return { order, moved: { position: order.paid.position, transfers: [] }, refunds: [] }
}

function toRefund(application: Application, order: PaidOrder): Refund {
  const { terms, refundNo, tradeNo, merOrderNo, merRefundNo, money, remark, notifyUrl, at } = application
  const { attempt, paid } = order
  return {
    merNo: terms.merNo,
    refundNo,
    tradeNo,
    merOrderNo,
    merRefundNo,
    money,
    remark,
    notifyUrl,
    fee: feeOf(application, order),
    payment: {
      channel: attempt.channel,
      attemptNo: attempt.no,
      channelRef: attempt.channelRef,
      amount: paid.position.amount,
    },
    askedBy: application.by?.actor,
    state: terms.approveRefunds ? 'waiting' : 'calling',
    version: 1,
    message: terms.approveRefunds ? 'Waiting for approval' : "Waiting for the channel's answer",
    createdAt: at,
    asks: 0,
    returnedAmount: undefined,
  }
}

/** Returns the refund fee of the merchant's current plan, because the terms of an order contain no refund fee. */
function feeOf({ terms, money }: Application, order: PaidOrder): bigint {
  const method = methodNames().find((name) => name === order.method)
  const plan = (method && terms.feePlans.get(method)) ?? terms.feePlans.get('')
  return decimalHalfUp(plan?.refundFee ?? '0', money.currency) ?? 0n
}

function toChange({ order, moved, refunds }: Taken): PlannedChange {
  const at = refunds[0]?.createdAt
  assert(at !== undefined, 'an order changes by its refunds')
  const numbers = refunds.map(({ refundNo }) => refundNo)
  const why = `Refund accepted: ${numbers.join(', ')}`
  return planMove({ order, moved, refundsOpen: order.paid.refundsOpen + refunds.length, why, at })
}

// Pure rules: they decide from the locked balances whether the merchant can cover a refund.
//
// A refund of a settled order comes from the available balance and never takes it below zero. A refund of an unsettled
// order comes from the order's remainder. The remainder may go below zero as long as the merchant's debts stay within
// its refund credit. The credit is one sum in US dollars for the debts in all currencies together. The value of a debt
// in a currency without a rate to the dollar is unknown. While there is a debt of unknown value, no refund is accepted
// on credit.

type Credit = {
  /** The refund credit in US cents. */
  readonly most: bigint
  readonly rates: Pick<Rates, 'find'>
}

/** Returns the refusal if the merchant cannot cover the refund. */
export function fundsRefusal(
  funds: AllBalances,
  before: Position,
  moved: Moved,
  { most, rates }: Credit,
): Refusal | undefined {
  const after = moved.position
  const left = afterwards(funds, moved.transfers)
  const { settleCurrency } = before
  if (before.settled)
    return left.available(settleCurrency) < least(funds.available(settleCurrency), 0n)
      ? new Refusal('10104')
      : undefined
  if (after.remainder >= least(before.remainder, 0n)) return undefined
  const debts = debtsIn('USD', left, rates)
  if (typeof debts !== 'bigint')
    return new Refusal('10104', `a debt in ${debts.noRateFrom} has no rate to USD, so its value is not known`)
  return debts > most ? new Refusal('10104', BEYOND_CREDIT) : undefined
}

const BEYOND_CREDIT = 'debts in all currencies together would exceed the refund credit'

export function afterwards(funds: AllBalances, transfers: readonly Transfer[]): AllBalances {
  const change = (account: string, currency: string) => {
    const own = transfers.filter(({ money }) => money.currency === currency)
    const sum = (side: 'debit' | 'credit') =>
      own.reduce((total, one) => (one[side] === account ? total + one.money.amount : total), 0n)
    return sum('credit') - sum('debit')
  }
  return {
    currencies: funds.currencies,
    available: (currency) => funds.available(currency) + change(AVAILABLE, currency),
    unsettled: (currency) => funds.unsettled(currency) + change(UNSETTLED, currency),
  }
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)
