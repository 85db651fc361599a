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
  /** A refund of ours, whose response was lost, may be this one. */
  readonly mayBeOurs?: boolean
}

export async function tellOtherRefund(alarms: Alarms, other: OtherRefund): Promise<void> {
  const { counterparty, refund, payment, money, reference, cameBack, mayBeOurs = false } = other
  const sum = money === undefined ? 'an unreadable amount' : textOf(money)
  const name = `${counterparty}'s refund ${refund} of ${sum} (payment ${payment})`
  const made = mayBeOurs
    ? `${name} may be one of the gateway that has no response: decide that one by hand, and book nothing besides`
    : `${name} was not made by the gateway: book it with "ledger correct", and make none here`
  const what = cameBack
    ? `${name}, which the gateway has not recorded, came back: if you have booked it, book it back`
    : made
  const key = `other refund ${refund} ${cameBack ? 'returned' : 'made'}`
  await alarms.raise(key, { reference: reference || payment, what })
}

function textOf({ amount, currency }: Money): string {
  return `${formatAmount(amount, currency)} ${currency}`
}
