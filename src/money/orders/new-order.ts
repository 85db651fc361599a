// Owns the insertion of orders and order_details: the types of an order that passed every check, and the statements
// that store it. An attempt that is accepted with its order is in the order's row (decision 0352). One unique
// constraint covers the order numbers of payments and payouts (decision 0005).
import type { MaskedCard } from '../../platform/base/card-number.ts'
import { formatRate, type Money } from '../../platform/base/money.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { isTaken, type Queryable, type Statement, type Tx } from '../../platform/postgres/db.ts'
import {
  bool,
  bytes,
  type Column,
  day,
  int4,
  int8,
  listOf,
  type RowList,
  text,
  time,
} from '../../platform/postgres/lists.ts'
import type { Method } from '../../rails/methods/methods.ts'
import type { Verdict } from '../risk/evaluate.ts'
import type { LimitTaken } from './limit-usage.ts'
import { type AttemptedOrder, type OrderKey, type OrderKind, State, type Terms } from './order.ts'
import { termLists } from './term-columns.ts'

export type Details = Readonly<Record<string, unknown>>

/** The method of an order whose payer has not chosen a method yet. */
export const CHECKOUT = 'checkout'

export type NewOrder = OrderKey & {
  readonly merOrderNo: string
  readonly method: string
  readonly money: Money
  readonly returnUrl: string
  readonly notifyUrl: string
  readonly protestNotifyUrl: string
  readonly usdValue: bigint
  readonly localDay: string
  readonly timezone: string
  readonly createdAt: Date
  readonly terms: Terms
  readonly limits: readonly LimitTaken[]
  readonly maxAttempts: number
  readonly needsReview: boolean
}

export type NewPayment = NewOrder & {
  /** The other fields of the merchant's request, without card and personal numbers. */
  readonly details: Details
  /** The MAC of the merchant's request that made the order. Undefined for an order by a payment link. */
  readonly requestMac?: string | undefined
  /** The personal numbers, encrypted. Undefined if there are none. */
  readonly sealed: Buffer | undefined
  /** The first attempt. Undefined if the payer starts on our page. */
  readonly attempt?: NewAttempt | undefined
  /** The verdict of risk lists and rules on the first attempt. Undefined if no list and no rule applied. */
  readonly verdict?: Verdict | undefined
  readonly hosted?: Hosted
}

export type HostedPayment = NewPayment & { readonly hosted: Hosted }

export function isHosted(payment: NewPayment): payment is HostedPayment {
  return payment.hosted !== undefined
}

export type NewPayoutOrder = NewOrder & { readonly message: string }

export type NewAttempt = {
  readonly channel: string
  readonly card: MaskedCard | undefined
  /** The time from which the call counts as lost, so that the resolver claims the attempt. */
  readonly askAt: Date
}

export type Hosted = {
  /** The method that the merchant chose. Undefined if the payer chooses. */
  readonly method: Method | undefined
  /** The expiry of the order. An order with an open attempt expires only after the attempt is decided. */
  readonly expiresAt: Date
}

/** Returns the order in its state right after acceptance, with its first attempt. */
export function openOrderOf(payment: NewPayment, { channel }: NewAttempt): AttemptedOrder {
  const { merNo, tradeNo, merOrderNo, money, notifyUrl, method, localDay, usdValue, timezone, terms } =
    payment
  return {
    merNo,
    tradeNo,
    merOrderNo,
    kind: 'payment',
    method,
    money,
    state: State.processing,
    version: 1,
    message: '',
    notifyUrl,
    protestNotifyUrl: payment.protestNotifyUrl,
    localDay,
    timezone,
    usdValue,
    platformLimited: isPlatformLimited(payment),
    terms,
    maxAttempts: payment.maxAttempts,
    needsReview: payment.needsReview,
    received: 0n,
    compact: true,
    attempt: {
      no: 1,
      channel,
      state: 'calling',
      asks: 0,
      createdAt: payment.createdAt,
      channelRef: undefined,
      choice: undefined,
    },
    paid: undefined,
  }
}

export function isPlatformLimited({ limits }: Pick<NewOrder, 'limits'>): boolean {
  return limits.some(({ merNo }) => merNo === 0)
}

/** Encrypts personal numbers for the database. Undefined if there are none. */
export function sealPersonal(vault: Vault, tradeNo: string, personal: Details): Buffer | undefined {
  if (Object.keys(personal).length === 0) return undefined
  return vault.seal(JSON.stringify(personal), sealContext(tradeNo))
}

export function sealContext(tradeNo: string): string {
  return `order:${tradeNo}`
}

/**
 * True if the error means that the order was accepted before: its order number or its trade number is used. If both
 * numbers are used, PostgreSQL reports the constraint that it checks first.
 */
export function isOrderTaken(error: unknown): boolean {
  return isTaken(error, 'orders_number_unique') || isTaken(error, 'orders_pkey')
}

type OrderNumber = { readonly merNo: number; readonly merOrderNo: string }

/** The order that was accepted under a number. */
export type OrderOfNumber = Pick<NewPayment, 'tradeNo' | 'createdAt' | 'requestMac'>

export function numberKey({ merNo, merOrderNo }: OrderNumber): string {
  return `${merNo} ${merOrderNo}`
}

const numbers = listOf<OrderNumber>({
  mer_no: int8((one) => one.merNo),
  mer_order_no: text((one) => one.merOrderNo),
})

/** Selects, for each order number that is already used, the time at which its order was accepted. */
export async function selectOrderNumbers(
  db: Queryable,
  given: readonly OrderNumber[],
): Promise<Map<string, Date>> {
  const rows = await db.query<{ mer_no: bigint; mer_order_no: string; created_at: Date }>({
    text: `
      select o.mer_no, o.mer_order_no, o.created_at
      from ${numbers.text} join orders o using (mer_no, mer_order_no)`,
    values: numbers.values(given),
  })
  return new Map(
    rows.map((row) => [
      numberKey({ merNo: Number(row.mer_no), merOrderNo: row.mer_order_no }),
      row.created_at,
    ]),
  )
}

/** Selects the order that has this number. Undefined if the number is free. */
export async function selectOrderOfNumber(
  db: Queryable,
  { merNo, merOrderNo }: OrderNumber,
): Promise<OrderOfNumber | undefined> {
  const [row] = await db.query<{ trade_no: string; created_at: Date; request_mac: string | null }>({
    text: `
      select o.trade_no, o.created_at, d.request_mac
      from orders o left join order_details d on d.mer_no = o.mer_no and d.trade_no = o.trade_no
      where o.mer_no = $1 and o.mer_order_no = $2`,
    values: [merNo, merOrderNo],
  })
  return row && { tradeNo: row.trade_no, createdAt: row.created_at, requestMac: row.request_mac ?? undefined }
}

/** Returns the statement that inserts payments. The statement fails if an order number is already used. */
export function insertPayments(payments: readonly NewPayment[]): Statement {
  return { name: 'orders.insert', text: payment.text, values: payment.list.values(payments) }
}

/** Inserts the payments whose order number is free, and returns their trade numbers. */
export function insertFreePayments(tx: Tx, payments: readonly NewPayment[]): Promise<Set<string>> {
  return insertFree(tx, payment, payments)
}

export function insertFreePayouts(tx: Tx, payouts: readonly NewPayoutOrder[]): Promise<Set<string>> {
  return insertFree(tx, payout, payouts)
}

async function insertFree<One>(tx: Tx, { kind, text, list }: Insert<One>, orders: readonly One[]) {
  if (orders.length === 0) return new Set<string>()
  const rows = await tx.query<{ trade_no: string }>({
    name: `orders.insert-free-${kind}`,
    text: `${text} on conflict do nothing returning trade_no`,
    values: list.values(orders),
  })
  return new Set(rows.map((row) => row.trade_no))
}

const columns: Readonly<Record<string, Column<NewOrder>>> = {
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  mer_order_no: text((one) => one.merOrderNo),
  method: text((one) => one.method),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  return_url: text((one) => one.returnUrl),
  notify_url: text((one) => one.notifyUrl),
  protest_notify_url: text((one) => one.protestNotifyUrl),
  created_at: time((one) => one.createdAt),
  local_day: day((one) => one.localDay),
  usd_value: int8((one) => one.usdValue),
  platform_limited: bool(isPlatformLimited),
  ...termLists<NewOrder>((one) => one.terms),
  settle_rate: text(({ terms: { settleRate } }) => settleRate && formatRate(settleRate)),
  timezone: text((one) => one.timezone),
  max_attempts: int4((one) => one.maxAttempts),
  needs_review: bool((one) => one.needsReview),
}

type Insert<One> = { readonly kind: OrderKind; readonly text: string; readonly list: RowList<One> }

function insertOf<One>(kind: OrderKind, columns: Readonly<Record<string, Column<One>>>): Insert<One> {
  const list = listOf(columns)
  const names = Object.keys(columns)
  const values = names.map((name) => (name === 'settle_rate' ? 'settle_rate::numeric' : name))
  const text = `
    insert into orders (kind, state, ${names.join(', ')})
    select '${kind}', ${State.processing}, ${values.join(', ')} from ${list.text}`
  return { kind, text, list }
}

const payment = insertOf<NewPayment>('payment', {
  ...columns,
  attempt_state: text(({ attempt }) => attempt && 'calling'),
  attempt_channel: text(({ attempt }) => attempt?.channel),
  attempt_ask_at: time(({ attempt }) => attempt?.askAt),
  card_first6: text(({ attempt }) => attempt?.card?.first6),
  card_last4: text(({ attempt }) => attempt?.card?.last4),
  card_brand: text(({ attempt }) => attempt?.card?.brand),
  card_fingerprint: text(({ attempt }) => attempt?.card?.fingerprint),
})
const payout = insertOf<NewPayoutOrder>('payout', { ...columns, message: text((one) => one.message) })

export function insertDetails(payments: readonly NewPayment[]): Statement {
  return { name: 'orders.insert-details', text: insertDetailsText, values: details.values(payments) }
}

const details = listOf<NewPayment>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  details: text((one) => JSON.stringify(one.details)),
  sealed: bytes((one) => one.sealed),
  request_mac: text((one) => one.requestMac),
})

const insertDetailsText = `
  insert into order_details (mer_no, trade_no, details, sealed, request_mac)
  select mer_no, trade_no, details, sealed, request_mac from ${details.text}`
