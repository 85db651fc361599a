// STP's messages: a deposit, or the new state of an order of ours. They are not signed. Whoever sent one, what it says is only
// believed once STP says the same in response to our own question.
import { type Fields, isObject } from '../../base/object.ts'
import { isEqualSecret } from '../../base/secret.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Callback, CallbackAnswer, CallbackResult } from '../contract.ts'
import { readTimeMs } from '../read-time.ts'
import type { ChannelStore } from '../store.ts'
import { dayOf } from './operation-day.ts'
import { numberIn } from './order-clabe.ts'
import { amountIn, type Orders, outcomeOf, textOf } from './orders.ts'
import type { Payments, SpeiDeposit } from './payments.ts'
import type { StpApi } from './stp-api.ts'
import { toRefund } from './stp-channel.ts'

export type StpCallbackParts = {
  readonly api: StpApi
  readonly store: ChannelStore
  readonly payments: Payments
  readonly orders: Orders
  readonly clabePrefix: string
  /** The last part of the callback address; unset: any. */
  readonly callbackSecret: string | undefined
  readonly now: () => Date
}

export async function readStpCallback(
  callback: Callback,
  parts: StpCallbackParts,
  signal: AbortSignal,
): Promise<CallbackResult> {
  const { callbackSecret } = parts
  const proof = callback.path.split('/').at(-1) ?? ''
  if (callbackSecret !== undefined && !isEqualSecret(proof, callbackSecret))
    return refuse(401, 'the callback address lacks its secret')
  const message = parseJson(callback.body)
  if (!isObject(message)) return refuse(400, 'the callback is not JSON')
  return message.cuentaBeneficiario === undefined
    ? readState(message, parts, signal)
    : readDeposit(message, parts, signal)
}

async function readState(
  message: Fields,
  { orders }: StpCallbackParts,
  signal: AbortSignal,
): Promise<CallbackResult> {
  const reference = textOf(message.folioOrigen)
  const purpose = reference === '' ? undefined : await orders.purposeOf(reference)
  const accepted = { kind: 'accepted', reports: [], answer: answer(200, { mensaje: 'recibido' }) } as const
  // An order that somebody else sent from the same account.
  if (purpose === undefined) return accepted
  const outcome = await orders.ask(reference, signal)
  if (outcome.kind === 'absent' || outcome.kind === 'unknown')
    return refuse(503, outcome.kind === 'unknown' ? outcome.why : 'STP does not list the order')
  return purpose === 'payout'
    ? { ...accepted, payouts: [{ reference, outcome }] }
    : { ...accepted, refunds: [{ refundReference: reference, outcome: toRefund(outcome) }] }
}

async function readDeposit(
  message: Fields,
  parts: StpCallbackParts,
  signal: AbortSignal,
): Promise<CallbackResult> {
  const { api, store, payments, clabePrefix, now } = parts
  const number = numberIn(textOf(message.cuentaBeneficiario), clabePrefix)
  const reference = number === undefined ? undefined : await store.referenceOf(number)
  const payment = reference === undefined ? undefined : await payments.find(reference)
  // STP sends the money back.
  if (reference === undefined || payment === undefined)
    return refuse(400, 'a deposit to an unknown CLABE', { mensaje: 'devolver', id: 1 })
  const day = textOf(message.fechaOperacion)
  const reply = await api.listReceived(day < dayOf(now()) ? day : undefined, signal)
  const list = reply.kind === 'result' && Array.isArray(reply.result.lst) ? reply.result.lst : []
  const listed = list.filter(isObject).find((order) => isSame(order, message))
  const deposit = listed && toDeposit(listed, message)
  if (deposit === undefined) return refuse(503, 'STP does not list the deposit')
  await payments.addDeposit(reference, deposit)
  const outcome = await payments.outcomeOf(reference, payment)
  const reports = [{ reference, outcome }]
  return { kind: 'accepted', reports, answer: answer(200, { mensaje: 'confirmar' }) }
}

const identity = ['claveRastreo', 'cuentaBeneficiario'] as const

/** STP names the payer's bank as either side in its lists. */
function isSame(order: Fields, message: Fields): boolean {
  const bank = textOf(message.institucionOrdenante)
  const isBank = [order.institucionContraparte, order.institucionOperante].map(textOf).includes(bank)
  return isBank && identity.every((name) => textOf(order[name]) === textOf(message[name]))
}

/** Everything but the key comes from STP's own list. */
function toDeposit(order: Fields, message: Fields): SpeiDeposit | undefined {
  const amount = amountIn(order.monto)
  const bank = textOf(message.institucionOrdenante)
  const [name, account] = [textOf(order.nombreOrdenante), textOf(order.cuentaOrdenante)]
  const day = textOf(order.fechaOperacion)
  const at = readTimeMs(order.tsLiquidacion) ?? readTimeMs(order.tsCaptura) ?? noonOf(day)
  const isBack = outcomeOf(order, '').kind === 'failed'
  if (amount === undefined || amount === 0n || at === undefined || isBack) return undefined
  return {
    depositRef: `${day}-${bank}-${textOf(order.claveRastreo)}`,
    money: { amount, currency: 'MXN' },
    at,
    bank,
    ...(name !== '' && { payerName: name }),
    ...(account !== '' && { payerAccount: account }),
  }
}

function noonOf(day: string): Date | undefined {
  return readTimeMs(Date.parse(day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3T18:00:00Z')))
}

function answer(status: number, body: Fields): CallbackAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

function refuse(status: number, why: string, body: Fields = { mensaje: why }): CallbackResult {
  return { kind: 'refused', why, answer: answer(status, body) }
}
