// A refund that somebody made at the counterparty and not here. Our books do not have it, and only a person knows who is to pay
// for it: an operator is called, once, and once more if it comes back.
import { formatAmount, type Money } from '../base/money.ts'
import type { Alarms } from './alarms.ts'

export type OtherRefund = {
  readonly counterparty: string
  /** The counterparty's references. */
  readonly refund: string
  readonly payment: string
  /** Undefined when we cannot express it. */
  readonly money: Money | undefined
  /** Ours of the payment, if it is known. */
  readonly reference: string
  readonly cameBack: boolean
}

export async function tellOtherRefund(alarms: Alarms, other: OtherRefund): Promise<void> {
  const { counterparty, refund, payment, money, reference, cameBack } = other
  const sum = money === undefined ? 'an unreadable amount' : textOf(money)
  const name = `${counterparty}'s refund ${refund} of ${sum} (payment ${payment})`
  const what = cameBack
    ? `${name}, which the gateway did not make, came back: if you have booked it, book it back`
    : `${name} was not made by the gateway: book it with "ledger correct", and make none here`
  const key = `other refund ${refund} ${cameBack ? 'returned' : 'made'}`
  await alarms.raise(key, { reference: reference || payment, what })
}

function textOf({ amount, currency }: Money): string {
  return `${formatAmount(amount, currency)} ${currency}`
}
