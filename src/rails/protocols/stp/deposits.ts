// Deposits as STP lists them. A message about one, and the list that is read from time to time, lead to the same record.
import type { Clock } from '../../base/clock.ts'
import type { Fields } from '../../base/object.ts'
import { readTimeMs } from '../read-time.ts'
import type { ChannelStore } from '../store.ts'
import type { Lists } from './lists.ts'
import { numberIn } from './order-clabe.ts'
import { amountIn, outcomeOf, textOf } from './orders.ts'
import type { Payment, Payments, SpeiDeposit } from './payments.ts'
import { STP } from './stp-api.ts'

export type DepositParts = {
  readonly lists: Lists
  readonly store: ChannelStore
  readonly payments: Payments
  readonly clabePrefix: string
  /** Our own account, which may be under the prefix. Deposits to it pay no order. */
  readonly ownClabe: string
  readonly clock: Clock
}

/** The payment whose CLABE it is. */
export async function findPaid(
  clabe: string,
  { store, payments, clabePrefix, ownClabe }: DepositParts,
): Promise<{ readonly reference: string; readonly payment: Payment } | undefined> {
  const number = clabe === ownClabe ? undefined : numberIn(clabe, clabePrefix)
  const reference = number === undefined ? undefined : await store.referenceOf(number)
  const payment = reference === undefined ? undefined : await payments.find(reference)
  return reference === undefined || payment === undefined ? undefined : { reference, payment }
}

/** STP names the payer's bank as either side in its lists. */
export function payerBankOf(order: Fields): string {
  const sides = [order.institucionContraparte, order.institucionOperante].map(textOf)
  return sides.find((one) => one !== '' && one !== String(STP)) ?? String(STP)
}

export type Listed = {
  readonly deposit: SpeiDeposit
  /** processing: it may wait for our answer to its message, and can still be sent back. */
  readonly state: 'succeeded' | 'processing' | 'failed'
}

/** STP's identity of a received order: a bank uses a claveRastreo once a day. */
export function depositRefOf(order: Fields): string {
  return `${textOf(order.fechaOperacion)}-${payerBankOf(order)}-${textOf(order.claveRastreo)}`
}

/** Undefined when it is malformed, or in a state that nobody has seen. */
export function readListed(order: Fields): Listed | undefined {
  const amount = amountIn(order.monto)
  const [name, account] = [textOf(order.nombreOrdenante), textOf(order.cuentaOrdenante)]
  const day = textOf(order.fechaOperacion)
  const at = readTimeMs(order.tsLiquidacion) ?? readTimeMs(order.tsCaptura) ?? noonOf(day)
  const { kind: state } = outcomeOf(order, '')
  if (amount === undefined || amount === 0n || at === undefined) return undefined
  if (state !== 'succeeded' && state !== 'processing' && state !== 'failed') return undefined
  // Without its day two orders could have one name, and one of them would be lost.
  if (!/^\d{8}$/.test(day)) return undefined
  const bank = payerBankOf(order)
  const deposit = {
    depositRef: depositRefOf(order),
    money: { amount, currency: 'MXN' },
    at,
    bank,
    ...(name !== '' && { payerName: name }),
    ...(account !== '' && { payerAccount: account }),
  }
  return { deposit, state }
}

function noonOf(day: string): Date | undefined {
  return readTimeMs(Date.parse(day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3T18:00:00Z')))
}
