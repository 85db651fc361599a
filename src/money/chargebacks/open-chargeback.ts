// Opens chargebacks and inquiries. A chargeback takes the amount and the fee from the merchant, moves the order to the
// state `disputed`, and notifies the merchant. An inquiry shows the merchant the question of the payer's bank: no money
// moves, and the order keeps its state.
//
// Invariant: an order has at most one open chargeback, and no chargeback is opened after a lost one. The check runs on
// the locked order. A unique index also prevents a second open chargeback. Lock order: the order, then the merchant's
// balances.
import { makeId, merNoOf } from '../../platform/base/id.ts'
import { decimalHalfUp, formatMoney, type Money } from '../../platform/base/money.ts'
import { assert, OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { enqueueAlert } from '../../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../../platform/mail/mail.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { channelAccount } from '../ledger/account.ts'
import { lockBalances } from '../ledger/lock-balances.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import { planMove } from '../orders/change.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import type { PaidOrder } from '../orders/order.ts'
import { openChargeback as takeMoney } from '../orders/position.ts'
import { changeOrders } from '../orders/write-changes.ts'
import {
  ANSWER_DAYS,
  type BookedChargeback,
  type Chargeback,
  messageOf,
  toNotification,
} from './chargeback.ts'
import { listedReason } from './reasons.ts'
import { insertChargeback } from './sql.ts'

const DAY_MS = 86_400_000

export type ChargebackTerms = Pick<Merchant, 'feePlans' | 'chargebackUrl'>

export type ChargebackDeps = {
  readonly db: Db
  findMerchant(merNo: number): Promise<ChargebackTerms | undefined>
}

export type Wanted = {
  /** The disputed amount. Undefined for the full amount that was paid. */
  readonly money: Money | undefined
  readonly reason: string
  readonly disputeRef?: string
  /** The channel's deadline for evidence. Undefined for the usual number of days. */
  readonly answerBy?: Date | undefined
  readonly at: Date
}

/**
 * Opens a chargeback. Throws an OperatorRefusal and changes nothing if there is no such paid order, if the order may
 * have no further chargeback, or if the reason or the amount is wrong.
 */
export async function openChargeback(
  deps: ChargebackDeps,
  tradeNo: string,
  wanted: Wanted,
): Promise<BookedChargeback> {
  const { merNo, merchant } = await ownerOf(deps, tradeNo)
  return deps.db.transaction(async (tx) => {
    return openOn(tx, await lockPaid(tx, merNo, tradeNo), merchant, wanted)
  })
}

/**
 * Returns the order's merchant. Call this function before the transaction begins: a transaction that holds locks must
 * not wait for other reads.
 */
export async function ownerOf(
  deps: ChargebackDeps,
  tradeNo: string,
): Promise<{ merNo: number; merchant: ChargebackTerms }> {
  const merNo = merNoOf(tradeNo)
  const merchant = merNo === undefined ? undefined : await deps.findMerchant(merNo)
  if (merNo === undefined || merchant === undefined)
    throw new OperatorRefusal(`there is no order ${tradeNo}`, 'tradeNo')
  return { merNo, merchant }
}

export async function lockPaid(tx: Tx, merNo: number, tradeNo: string): Promise<PaidOrder> {
  const order = (await lockPaidOrders(tx, [{ merNo, tradeNo }])).get(tradeNo)
  if (order === undefined) throw new OperatorRefusal(`there is no paid order ${tradeNo}`, 'tradeNo')
  return order
}

/** Opens a chargeback of an order that the caller's transaction has locked. */
export async function openOn(
  tx: Tx,
  order: PaidOrder,
  merchant: ChargebackTerms,
  wanted: Wanted,
): Promise<BookedChargeback> {
  const reason = await listedReason(tx, wanted.reason)
  check(order, wanted, reason)
  const chargeback = toChargeback(order, merchant, wanted)
  const { merNo, attempt, paid } = order
  const { position } = paid
  const balances = await lockBalances(tx, merNo, [position.currency, position.settleCurrency])
  const take = {
    amount: chargeback.money.amount,
    fee: chargeback.fee,
    available: balances.available(position.settleCurrency),
    channel: channelAccount(attempt.channel),
  }
  const moved = takeMoney(position, take, `chargeback:${chargeback.chargebackId}`)
  const why = messageOf(chargeback, reason)
  await changeOrders(tx, [planMove({ order, moved, chargeback: 'open', why, at: wanted.at })])
  await insertChargeback(tx, chargeback)
  await enqueueNotifications(tx, [toNotification(chargeback, why, order, merchant, wanted.at)])
  const values = { orderNo: order.merOrderNo, amount: formatMoney(chargeback.money) }
  await enqueueAlert(tx, { merNo, kind: 'dispute-opened', values, now: wanted.at })
  return chargeback
}

function check(
  { tradeNo, paid: { chargeback, position } }: PaidOrder,
  { money, reason }: Wanted,
  inWords: string | undefined,
): asserts inWords is string {
  const refuse = (field: string, why: string): never => {
    throw new OperatorRefusal(why, field)
  }
  if (chargeback === 'open') refuse('tradeNo', `order ${tradeNo} has an open chargeback already`)
  if (chargeback === 'lost')
    refuse('tradeNo', `the chargeback of order ${tradeNo} was lost: there is no second one`)
  if (inWords === undefined) refuse('reasonCode', `there is no chargeback reason ${reason}`)
  if (money === undefined) return
  const { currency } = position
  if (money.currency !== currency)
    refuse('amount', `order ${tradeNo} was paid in ${currency}, not in ${money.currency}`)
  if (money.amount > position.amount) {
    const paid = formatMoney({ amount: position.amount, currency })
    refuse('amount', `order ${tradeNo} was paid with ${paid}: no more can be charged back`)
  }
  if (money.amount <= 0n) refuse('amount', 'the amount of a chargeback must be above zero')
}

function toChargeback(order: PaidOrder, merchant: ChargebackTerms, wanted: Wanted): BookedChargeback {
  const { merNo, tradeNo } = order
  const { amount, currency } = order.paid.position
  const { reason, disputeRef, at } = wanted
  return {
    merNo,
    chargebackId: makeId('C', merNo, at),
    tradeNo,
    state: 'open',
    reason,
    money: wanted.money ?? { amount, currency },
    fee: feeOf(order, merchant),
    disputeRef,
    openedAt: at,
    resolvedAt: undefined,
    answerBy: wanted.answerBy ?? usualAnswerBy(at),
  }
}

function usualAnswerBy(at: Date): Date {
  return new Date(at.getTime() + ANSWER_DAYS * DAY_MS)
}

function feeOf({ method, money }: PaidOrder, { feePlans }: ChargebackTerms): bigint {
  const [, own] = [...feePlans].find(([name]) => name === method) ?? []
  const plan = own ?? feePlans.get('')
  const fee = decimalHalfUp(plan?.chargebackFee ?? '0', money.currency)
  assert(fee !== undefined, 'a chargeback fee is a decimal')
  return fee
}

type NewInquiry = {
  readonly disputeRef: string
  readonly money: Money
  readonly reason: string
  readonly respondBy?: Date
  readonly openedAt: Date
}

/**
 * Opens an inquiry about an order that the caller's transaction has locked. If a chargeback follows, the evidence of
 * the inquiry moves to the chargeback.
 */
export async function openInquiry(tx: Tx, order: PaidOrder, wanted: NewInquiry): Promise<Chargeback> {
  const { merNo, tradeNo, merOrderNo } = order
  const { disputeRef, money, reason, openedAt, respondBy = usualAnswerBy(openedAt) } = wanted
  const inquiry: Chargeback = {
    merNo,
    chargebackId: makeId('C', merNo, openedAt),
    tradeNo,
    state: 'inquiry',
    reason,
    money,
    fee: 0n,
    disputeRef,
    openedAt,
    resolvedAt: undefined,
    answerBy: respondBy,
  }
  await insertChargeback(tx, inquiry)
  const values = { orderNo: merOrderNo, amount: formatMoney(money), due: mailMoment(respondBy) }
  await enqueueAlert(tx, { merNo, kind: 'dispute-due', values, now: openedAt })
  return inquiry
}
