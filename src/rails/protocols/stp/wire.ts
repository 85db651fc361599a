// Messages of orders, in both directions: the order that we register, and what STP's responses and states mean.
import { createHash } from 'node:crypto'
import { formatAmount, type Money, parseDecimal } from '../../../platform/base/money.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import { failed, unknown } from '../../toolkit/outcomes.ts'
import { type OrderFields, plainText, STP } from './api.ts'

export type Transfer = {
  readonly reference: string
  readonly purpose: 'payout' | 'refund'
  readonly money: Money
  readonly clabe: string
  /** The five-digit code of the beneficiary's bank. */
  readonly bank: string
  readonly name: string
}

export type OwnAccount = { readonly clabe: string; readonly name: string }

/**
 * The result ids that prove that STP has refused an order. The reasons of these ids, in the same order: the account,
 * the institution, the amount, the bank of the CLABE, money laundering.
 */
const refusals: readonly number[] = [-7, -9, -20, -22, -200]

const states: ReadonlyMap<string, 'settled' | 'failed' | 'open'> = new Map([
  ...['LQ', 'TLQ', 'CCO'].map((one) => [one, 'settled'] as const),
  ...['D', 'CN', 'CL', 'RL', 'RA', 'RB', 'CR', 'RE'].map((one) => [one, 'failed'] as const),
  ...['C', 'PL', 'L', 'PA', 'A', 'E', 'EA', 'CXO', 'CCE', 'XD', 'XC', 'XR'].map(
    (one) => [one, 'open'] as const,
  ),
])

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

/** Returns a number of seven digits, the same on every attempt. */
function numberOf(reference: string): number {
  return 1_000_000 + (createHash('sha256').update(reference).digest().readUInt32BE() % 9_000_000)
}

/** Returns the outcome of a refusal. STP's own text is not passed on, because it may contain account numbers. */
export function refusalOf({ id, result }: { readonly id: number; readonly result: Fields }): PayoutOutcome {
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

/** Parses an amount from its decimal text, without floating-point arithmetic. Undefined if it is malformed. */
export function amountIn(monto: unknown): bigint | undefined {
  return typeof monto === 'number' || typeof monto === 'string'
    ? parseDecimal(String(monto), 'MXN')
    : undefined
}

/** Returns a text or number as a text without the spaces with which STP pads some fields; '' for other values. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
