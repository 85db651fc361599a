// Orders that we send: payouts and refunds. Our reference is STP's claveRastreo, which it accepts once a day, and the
// folioOrigen, which its messages about states contain.
//
// An order is recorded with its day before it is sent, each time that it is: a question needs the day. STP may report a settled
// order as returned later, so the first settlement is recorded too. An order that STP had and does not list any more is
// unknown, never absent: on another day STP would accept its claveRastreo again, and pay twice. For the same reason an order is
// absent only if STP says so for each day that it may belong to: one that STP refuses to be asked about leaves it unknown.
import { createHash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { formatAmount, type Money, parseDecimal } from '../../base/money.ts'
import { type Fields, isObject } from '../../base/object.ts'
import type { PayoutFailed, PayoutOutcome } from '../payout/contract.ts'
import { readPaid } from '../payout/paid-payouts.ts'
import { sendOnRecord } from '../payout/sent-before.ts'
import type { ChannelStore } from '../store.ts'
import { type OrderFields, plainText } from './cadena.ts'
import { dayOf, daysSince } from './operation-day.ts'
import { NO_ORDERS, STP, type StpApi, type StpReply } from './stp-api.ts'

export type Transfer = {
  readonly reference: string
  readonly purpose: 'payout' | 'refund'
  readonly money: Money
  readonly clabe: string
  /** The beneficiary's bank, five digits. */
  readonly bank: string
  readonly name: string
}

export type OwnAccount = { readonly clabe: string; readonly name: string }

export type OrdersOptions = {
  readonly api: StpApi
  readonly store: ChannelStore
  readonly clock: Clock
  readonly account: OwnAccount
}

export type Orders = {
  send(transfer: Transfer, signal: AbortSignal): Promise<PayoutOutcome>
  ask(reference: string, signal: AbortSignal): Promise<PayoutOutcome | { readonly kind: 'absent' }>
  /** What the order of the reference is for; undefined if there is none. */
  purposeOf(reference: string): Promise<Transfer['purpose'] | undefined>
}

const [ORDER, ARRIVED, SETTLED] = ['order', 'arrived', 'settled'] as const
const ALREADY_USED = -1
/** Account, institution, amount, bank of the CLABE, money laundering. */
const refusals: readonly number[] = [-7, -9, -20, -22, -200]

const states: ReadonlyMap<string, 'settled' | 'failed' | 'open'> = new Map([
  ...['LQ', 'TLQ', 'CCO'].map((one) => [one, 'settled'] as const),
  ...['D', 'CN', 'CL', 'RL', 'RA', 'RB', 'CR', 'RE'].map((one) => [one, 'failed'] as const),
  ...['C', 'PL', 'L', 'PA', 'A', 'E', 'EA', 'CXO', 'CCE', 'XD', 'XC', 'XR'].map(
    (one) => [one, 'open'] as const,
  ),
])

export function createOrders({ api, store, clock, account }: OrdersOptions): Orders {
  const settle = readPaid({ store, clock, kind: SETTLED })
  const find = (kind: string, reference: string) => store.find({ kind, key: reference })

  async function ask(reference: string, signal: AbortSignal) {
    const record = await find(ORDER, reference)
    if (record === undefined) return { kind: 'absent' } as const
    for (const day of daysSince(String(record.body.day), clock.now())) {
      const reply = await api.findSent(reference, day, signal)
      if (reply.kind === 'result' && reply.id === NO_ORDERS) continue
      return read(reply, reference)
    }
    // One whose registration was not answered has no record of its arrival, and may be known by its settlement only.
    const hasArrived = (await find(ARRIVED, reference)) ?? (await find(SETTLED, reference))
    return hasArrived !== undefined
      ? { ...unknown('STP had the order, and does not list it any more'), isUnlisted: true as const }
      : ({ kind: 'absent' } as const)
  }

  const arrived = (reference: string) =>
    store.write([{ add: { kind: ARRIVED, key: reference, reference, body: {} } }])

  async function read(reply: StpReply, reference: string): Promise<PayoutOutcome> {
    if (reply.kind === 'unauthorised') return unknown('STP refused our credentials')
    if (reply.kind !== 'result') return unknown(reply.why)
    const order = reply.result.ordenPago
    if (!isObject(order)) return unknown('STP returned no order')
    if (textOf(order.claveRastreo) !== reference) return unknown('STP responded about another order')
    return settle(reference, outcomeOf(order, reference))
  }

  async function register(transfer: Transfer, signal: AbortSignal): Promise<PayoutOutcome> {
    const { reference, purpose } = transfer
    const body = { day: dayOf(clock.now()), purpose }
    await store.write([{ put: { kind: ORDER, key: reference, reference, body } }])
    const reply = await api.register(toOrder(transfer, account), signal)
    if (reply.kind === 'unsent') return failed('unreachable', 'STP could not be reached')
    if (reply.kind === 'unauthorised') return failed('unauthorised', 'STP refused our credentials')
    if (reply.kind === 'unknown') return reply
    if (reply.id <= 0 && reply.id !== ALREADY_USED) return refusalOf(reply)
    await arrived(reference)
    if (reply.id > 0) return { kind: 'processing', railRef: reference }
    // An earlier call arrived.
    const found = await ask(reference, signal)
    return found.kind === 'absent' ? unknown('STP has the order and does not list it yet') : found
  }

  return {
    async send(transfer, signal) {
      const found = await ask(transfer.reference, signal)
      if (found.kind !== 'absent') return found
      return sendOnRecord(store, transfer.reference, () => register(transfer, signal))
    },
    ask,
    async purposeOf(reference) {
      const purpose = (await find(ORDER, reference))?.body.purpose
      return purpose === 'payout' || purpose === 'refund' ? purpose : undefined
    },
  }
}

export function toOrder(transfer: Transfer, account: OwnAccount): OrderFields {
  const { reference, purpose, money, clabe, bank, name } = transfer
  return {
    claveRastreo: reference,
    folioOrigen: reference,
    monto: formatAmount(money.amount, money.currency),
    institucionContraparte: Number(bank),
    cuentaBeneficiario: clabe,
    tipoCuentaBeneficiario: 40,
    nombreBeneficiario: plainText(name, 39) || 'ND',
    rfcCurpBeneficiario: 'ND',
    conceptoPago: purpose === 'refund' ? 'Devolucion' : 'Pago',
    institucionOperante: STP,
    cuentaOrdenante: account.clabe,
    tipoCuentaOrdenante: 40,
    nombreOrdenante: plainText(account.name, 39),
    referenciaNumerica: numberOf(reference),
    tipoPago: 1,
    topologia: 'T',
    medioEntrega: 3,
    prioridad: 1,
  }
}

/** Seven digits that are the same on every try. */
function numberOf(reference: string): number {
  return 1_000_000 + (createHash('sha256').update(reference).digest().readUInt32BE() % 9_000_000)
}

/** STP's texts may quote accounts, so they are not passed on. */
function refusalOf({ id, result }: { readonly id: number; readonly result: Fields }): PayoutOutcome {
  const text = textOf(result.descripcionError)
  if (refusals.includes(id)) return failed('refused', `STP refused the order (${id})`)
  if (id === 0 && /firma/i.test(text)) return failed('unauthorised', 'STP did not accept our signature')
  if (id === 0 && /campo|obligatorio|inv[aá]lid/i.test(text))
    return failed('refused', 'STP refused a field of the order')
  return unknown(`STP responded with the unknown error ${id}`)
}

export function outcomeOf(order: Fields, railRef: string): PayoutOutcome {
  const state = states.get(textOf(order.estado))
  if (state === 'open') return { kind: 'processing', railRef }
  if (state === 'failed')
    return { ...failed('declined', "The beneficiary's bank did not accept it"), railRef }
  const amount = amountIn(order.monto)
  if (state === undefined || amount === undefined) return unknown("STP's order has no known state or amount")
  return { kind: 'succeeded', money: { amount, currency: 'MXN' }, railRef }
}

/** STP's numbers are read by their text. */
export function amountIn(monto: unknown): bigint | undefined {
  return typeof monto === 'number' || typeof monto === 'string'
    ? parseDecimal(String(monto), 'MXN')
    : undefined
}

/** STP fills some texts up with spaces. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

export function failed(cause: PayoutFailed['cause'], message: string): PayoutFailed {
  return { kind: 'failed', cause, message }
}

function unknown(why: string): Extract<PayoutOutcome, { kind: 'unknown' }> {
  return { kind: 'unknown', why }
}
