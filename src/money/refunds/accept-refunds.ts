// Accepts refunds in batches, one transaction per merchant. The money leaves the merchant here, into the account of refunds
// in flight; the channel is called only after the commit.
//
// Invariants: refunds of an order never exceed what was paid (its row is locked, and counts them from acceptance on); no
// refund takes more than the merchant can cover (its balances are locked); an application counts once, however often it is
// sent. Lock order: the merchant's acceptance, orders by (mer_no, trade_no), balances by (mer_no, account, currency).

import { writeAudit } from '../audit-log/write-entry.ts'
import { decimalHalfUp } from '../base/money.ts'
import { methodNames } from '../channels/method.ts'
import { assert, Refusal } from '../errors/catalogue.ts'
import { lockBalances, type MerchantBalances } from '../ledger/lock-balances.ts'
import { type PlannedChange, planMove } from '../orders/change.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import type { PaidOrder } from '../orders/order.ts'
import { type Moved, takeRefund } from '../orders/position.ts'
import { changeOrders } from '../orders/write-changes.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { afterwards, type Credit, isCovered } from './funds.ts'
import {
  type Acceptance,
  type Application,
  findEarlier,
  mayRefund,
  type Refund,
  refundSums,
  repeatedSince,
  steps,
} from './refund.ts'
import { insertRefunds, lockAcceptance, selectEarlier } from './sql.ts'

export type AcceptDeps = { readonly db: Db; readonly rates: Pick<Rates, 'usdValue'> }

export async function acceptRefunds(
  deps: AcceptDeps,
  applications: readonly Application[],
): Promise<Acceptance[]> {
  const results = new Map<Application, Acceptance>()
  const groups = Map.groupBy(applications, ({ terms }) => terms.merNo)
  // All groups end before a failure is thrown. The batch may then be repeated: accepted refunds are found by their number.
  const ends = await Promise.allSettled(
    [...groups].map(([merNo, group]) => deps.db.transaction((tx) => acceptOf(tx, deps.rates, merNo, group))),
  )
  for (const end of ends) {
    if (end.status === 'rejected') throw end.reason
    for (const [application, acceptance] of end.value) results.set(application, acceptance)
  }
  return applications.map((application) => {
    const acceptance = results.get(application)
    assert(acceptance !== undefined, 'every application has a result')
    return acceptance
  })
}

/** What acceptance would decide now for each application of one merchant, in this order. Nothing is stored. */
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

/** A person's refund has its line in the audit log; a repeated application has none of its own. */
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
  const funds = await lockBalances(tx, merNo, currencies)
  return { rates, orders, known, funds, taken: new Map() }
}

/** The state that an application is checked against; earlier ones of the batch have updated it. */
type Batch = {
  readonly rates: AcceptDeps['rates']
  readonly orders: ReadonlyMap<string, PaidOrder>
  readonly known: Refund[]
  funds: MerchantBalances
  /** By trade number. */
  readonly taken: Map<string, Taken>
}

type Taken = { readonly order: PaidOrder; readonly moved: Moved; readonly refunds: readonly Refund[] }

/** The order of checks is part of the interface. */
function decide(batch: Batch, application: Application): Acceptance {
  const earlier = findEarlier(application, batch.known)
  if (earlier !== undefined) return earlier
  if (!application.refundable) return refuse('10103')
  const order = batch.orders.get(application.tradeNo)
  if (order === undefined || !mayRefund(order.state)) return refuse('10102')
  const position = batch.taken.get(order.tradeNo)?.moved.position ?? order.paid.position
  if (application.money.amount > position.amount - position.refunded) return refuse('10101')
  return take(batch, application, order)
}

function take(batch: Batch, application: Application, order: PaidOrder): Acceptance {
  const { terms, money, refundNo } = application
  const { moved: before, refunds } = batch.taken.get(order.tradeNo) ?? untouched(order)
  const refund = toRefund(application, order)
  const moved = takeRefund(before.position, money.amount, refund.fee, steps.taken(refundNo))
  if (!isCovered(batch.funds, before.position, moved, creditOf(batch, terms))) return refuse('10104')
  batch.funds = afterwards(batch.funds, moved.transfers)
  batch.known.push(refund)
  const transfers = [...before.transfers, ...moved.transfers]
  batch.taken.set(order.tradeNo, { order, moved: { ...moved, transfers }, refunds: [...refunds, refund] })
  return { refund }
}

/** Without a rate the debt is not known, so there is no credit. */
function creditOf({ rates }: Batch, { refundCredit }: Application['terms']): Credit {
  return (owed) => {
    const cents = rates.usdValue(owed)
    return cents !== undefined && cents <= refundCredit
  }
}

function untouched(order: PaidOrder): Taken {
  return { order, moved: { position: order.paid.position, transfers: [] }, refunds: [] }
}

function refuse(code: Refusal['code']): Acceptance {
  return { refusal: new Refusal(code) }
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
    state: terms.approveRefunds ? 'waiting' : 'calling',
    version: 1,
    message: terms.approveRefunds ? 'Waiting for approval' : "Waiting for the channel's answer",
    createdAt: at,
    asks: 0,
  }
}

/** The fee of the merchant's current plan: a refund is not part of the order's terms. */
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
