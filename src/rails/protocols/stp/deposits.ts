// Reads deposits from STP's lists. A deposit has the same record key whether a webhook or the polled list reports it,
// so it counts once.
import type { Clock } from '../../../platform/base/clock.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { numberIn } from '../../toolkit/formats/clabe.ts'
import { readTimeMs } from '../../toolkit/read-time.ts'
import { STP } from './api.ts'
import type { Lists } from './lists.ts'
import type { Payment, Payments, SpeiDeposit } from './payments.ts'
import { amountIn, outcomeOf, textOf } from './wire.ts'

export type DepositParts = {
  readonly lists: Lists
  readonly store: ChannelStore
  readonly payments: Payments
  readonly clabePrefix: string
  /** The CLABE of our own account. It may begin with the prefix, but deposits to this account belong to no payment. */
  readonly ownClabe: string
  readonly clock: Clock
}

export async function findPaid(
  clabe: string,
  { store, payments, clabePrefix, ownClabe }: DepositParts,
): Promise<{ readonly reference: string; readonly payment: Payment } | undefined> {
  const number = clabe === ownClabe ? undefined : numberIn(clabe, clabePrefix)
  const reference = number === undefined ? undefined : await store.referenceOf(number)
  const payment = reference === undefined ? undefined : await payments.find(reference)
  return reference === undefined || payment === undefined ? undefined : { reference, payment }
}

/**
 * Returns the code of the payer's bank, which STP's lists have in one of two fields. If neither field names another
 * bank, the payer's bank is STP.
 */
export function payerBankOf(order: Fields): string {
  const sides = [order.institucionContraparte, order.institucionOperante].map(textOf)
  return sides.find((one) => one !== '' && one !== String(STP)) ?? String(STP)
}

type Listed = {
  readonly deposit: SpeiDeposit
  /**
   * `processing`: STP has not settled the deposit and may still send it back. Perhaps STP waits for our confirmation.
   */
  readonly state: 'succeeded' | 'processing' | 'failed'
}

/** Returns the key of a received order: day, bank and claveRastreo. A bank uses a claveRastreo only once a day. */
export function depositRefOf(order: Fields): string {
  return `${textOf(order.fechaOperacion)}-${payerBankOf(order)}-${textOf(order.claveRastreo)}`
}

/** Reads an order of a list. Undefined if the order is malformed or has an unknown state. */
export function readListed(order: Fields): Listed | undefined {
  const amount = amountIn(order.monto)
  const [name, account] = [textOf(order.nombreOrdenante), textOf(order.cuentaOrdenante)]
  const day = textOf(order.fechaOperacion)
  const at = readTimeMs(order.tsLiquidacion) ?? readTimeMs(order.tsCaptura) ?? noonOf(day)
  const { kind: state } = outcomeOf(order, '')
  if (amount === undefined || amount === 0n || at === undefined) return undefined
  if (state !== 'succeeded' && state !== 'processing' && state !== 'failed') return undefined
  // The key contains the day. Without the day, two orders could have the same key, and one of them would be lost.
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
