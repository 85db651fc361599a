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
  readonly mayBeOurs?: MayBeOurs
}

export type MayBeOurs = {
  /** How many refunds of ours, whose response was lost, this one may be. */
  readonly lost: number
  /** The counterparty's references of the other refunds that may be one of those. */
  readonly others: readonly string[]
}

export async function tellOtherRefund(alarms: Alarms, other: OtherRefund): Promise<void> {
  const { counterparty, refund, payment, money, reference, cameBack, mayBeOurs } = other
  const sum = money === undefined ? 'an unreadable amount' : textOf(money)
  const name = `${counterparty}'s refund ${refund} of ${sum} (payment ${payment})`
  const what = cameBack
    ? `${name}, which the gateway has not recorded, came back: if you have booked it, book it back`
    : `${name} ${whose(mayBeOurs)}`
  const key = `other refund ${refund} ${cameBack ? 'returned' : 'made'}`
  await alarms.raise(key, { reference: reference || payment, what })
}

function whose({ lost, others }: MayBeOurs = { lost: 0, others: [] }): string {
  if (lost === 0) return 'was not made by the gateway: book it with "ledger correct", and make none here'
  const may = 'may be one of the gateway that has no response'
  if (others.length < lost) return `${may}: decide that one by hand, and book nothing besides`
  const most = `so may ${others.join(', ')}, and at most ${lost} of these ${others.length + 1} can be`
  return `${may}; ${most}: decide ours by hand, and book each other one with "ledger correct"`
}

function textOf({ amount, currency }: Money): string {
  return `${formatAmount(amount, currency)} ${currency}`
}
