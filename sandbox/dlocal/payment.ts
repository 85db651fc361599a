// Maps charges of the sandbox's bank to dLocal's payments and refunds.
import { formatAmount, parseDecimal } from '../../src/platform/base/money.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import type { BankCharge, BankOrder, BankRefund, ChargeStatus } from '../bank/charge.ts'
import { InvalidRequest, readText } from '../issuer-request.ts'

const methods: Readonly<Record<string, readonly string[]>> = {
  PE: ['IO', 'EF', 'BC', 'YP'],
  VN: ['VB', 'VQ', 'QR'],
  MX: ['SE'],
  BR: ['PQ'],
  PH: ['GC'],
}
const currencies: Readonly<Record<string, string>> = { PE: 'PEN', VN: 'VND', MX: 'MXN', BR: 'BRL', PH: 'PHP' }

export function methodsIn(country: string): readonly Fields[] {
  return (methods[country] ?? []).map((id) => ({ id, type: 'BANK_TRANSFER', countries: [country] }))
}

export function readPayment(body: Fields): BankOrder {
  const country = readText(body, 'country', /^[A-Z]{2}$/)
  const currency = readText(body, 'currency', /^[A-Z]{3}$/)
  const id = readText(body, 'payment_method_id', /^[A-Z]{2}$/)
  if (currencies[country] !== currency || !methods[country]?.includes(id))
    throw new InvalidRequest('method not available')
  readText(body, 'payment_method_flow', /^REDIRECT$/)
  const payer = isObject(body.payer) ? body.payer : {}
  readText(payer, 'name', /^.{1,200}$/)
  readText(payer, 'email', /^[^@\s]+@[^@\s]+$/)
  return {
    reference: readText(body, 'order_id', /^[\w-]{1,128}$/),
    amount: readAmount(body, currency),
    currency,
    returnUrl: typeof body.callback_url === 'string' ? body.callback_url : '',
    callbackUrl: typeof body.notification_url === 'string' ? body.notification_url : '',
    payee: typeof body.description === 'string' ? body.description : '',
    extra: { country, id },
  }
}

/** Returns the amount as digits in the minor unit. */
export function readAmount({ amount }: Fields, currency: string): string {
  const minor = typeof amount === 'number' ? parseDecimal(String(amount), currency) : undefined
  if (minor === undefined || minor === 0n) throw new InvalidRequest('amount is missing or wrong')
  return minor.toString()
}

const statuses: Readonly<Record<ChargeStatus, readonly [status: string, code: string]>> = {
  open: ['PENDING', '100'],
  paid: ['PAID', '200'],
  declined: ['REJECTED', '300'],
  cancelled: ['CANCELLED', '400'],
}

export function paymentId({ id }: { readonly id: string }): string {
  return `D-4-${id}`
}

/** Returns JSON as text, because its amounts are numbers in major units. */
export function paymentJson(charge: BankCharge, redirectUrl: string): string {
  const [status, code] = statuses[charge.status]
  return withAmount(charge, {
    id: paymentId(charge),
    currency: charge.currency,
    country: charge.extra.country,
    payment_method_id: charge.extra.id,
    payment_method_type: 'BANK_TRANSFER',
    payment_method_flow: 'REDIRECT',
    order_id: charge.reference,
    status,
    status_code: code,
    created_date: charge.openedAt.toISOString(),
    ...(charge.status === 'open' && { redirect_url: redirectUrl }),
  })
}

const refundStatuses = {
  processing: ['PENDING', 100],
  succeeded: ['SUCCESS', 200],
  failed: ['REJECTED', 300],
} as const

export function refundJson(refund: BankRefund, charge: BankCharge): string {
  const [status, code] = refundStatuses[refund.status]
  const { currency } = refund
  return withAmount(refund, {
    ...{ id: refundId(refund), payment_id: paymentId(charge), currency, status, status_code: code },
    order_id: charge.reference,
  })
}

export function refundId({ id }: BankRefund): string {
  return `REF-${id}`
}

function withAmount(money: { readonly amount: string; readonly currency: string }, fields: Fields): string {
  const shown = formatAmount(BigInt(money.amount), money.currency).replace(/\.?0+$/, '')
  return `{"amount":${shown},${JSON.stringify(fields).slice(1)}`
}
