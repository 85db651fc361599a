// The parts of refunds that several protocols share: the choice of the payer if several accounts paid for one order,
// and the alarm about a refund that was made outside the gateway.
//
// Invariant: no account gets back more than it has sent.
import { formatMoney, type Money } from '../../platform/base/money.ts'
import type { Deposit, Failed } from '../contract/channel.ts'
import type { Alarms } from './alarms.ts'

/** An earlier refund of the order. `depositRef` names a deposit of the account that got the refund. */
export type Refunded = { readonly amount: bigint; readonly depositRef: unknown }

/**
 * Returns a deposit of the account that gets the refund, or the reason why no account can get it. `deposits` are in the
 * order of their arrival.
 */
export function choosePayer<One extends Deposit>(
  refund: Money,
  deposits: readonly One[],
  refunds: readonly Refunded[],
  isAccount: (account: string) => boolean,
): One | Failed {
  const held = deposits.filter(({ money }) => money.currency === refund.currency)
  const sent = held.reduce((sum, { money }) => sum + money.amount, 0n)
  if (refund.amount > sent - refunds.reduce((sum, { amount }) => sum + amount, 0n))
    return declined('More than the payer sent and was not refunded yet')
  const payers = payersOf(
    held.filter(({ payerAccount = '' }) => isAccount(payerAccount)),
    refunds,
  )
  if (payers.length === 0) return declined("The bank did not report the payer's account")
  const payer = payers.find(({ left }) => left >= refund.amount)
  if (payer !== undefined) return payer.deposit
  const most = payers.reduce((most, { left }) => (left > most ? left : most), 0n)
  return declined(`Several accounts paid: refund at most ${formatMoney({ ...refund, amount: most })} at once`)
}

/** An account that paid: its first deposit, and the amount that it sent minus the amount that was refunded to it. */
type Payer<One extends Deposit> = { readonly deposit: One; left: bigint }

/** Lists the accounts, ordered by their first deposits. Refunds without a known deposit count for the first account. */
function payersOf<One extends Deposit>(deposits: readonly One[], refunds: readonly Refunded[]): Payer<One>[] {
  const payers = new Map<string, Payer<One>>()
  const byDeposit = new Map<unknown, Payer<One>>()
  for (const deposit of deposits) {
    const { payerAccount = '', depositRef, money } = deposit
    const payer = payers.get(payerAccount) ?? { deposit, left: 0n }
    payer.left += money.amount
    payers.set(payerAccount, payer)
    byDeposit.set(depositRef, payer)
  }
  const all = [...payers.values()]
  for (const { amount, depositRef } of refunds) {
    const payer = byDeposit.get(depositRef) ?? all[0]
    if (payer !== undefined) payer.left -= amount
  }
  return all
}

function declined(message: string): Failed {
  return { kind: 'failed', cause: 'declined', message }
}

/** A refund that was made at the counterparty and not in the gateway, so our books do not contain it. */
type OtherRefund = {
  readonly counterparty: string
  readonly refund: string
  readonly payment: string
  /** The amount; undefined if it cannot be read. */
  readonly money: Money | undefined
  /** Our reference of the payment; '' if it is not known. */
  readonly reference: string
  readonly cameBack: boolean
  readonly mayBeOurs?: MayBeOurs
}

export type MayBeOurs = {
  /** The number of our own refunds that have no response and may be this refund. */
  readonly lost: number
  /** The counterparty's references of other refunds that may be one of ours without a response. */
  readonly others: readonly string[]
}

/**
 * Raises one alarm about the refund, and a second one if the refund comes back. An operator must decide who bears the
 * refund.
 */
export async function tellOtherRefund(alarms: Alarms, other: OtherRefund): Promise<void> {
  const { counterparty, refund, payment, money, reference, cameBack, mayBeOurs } = other
  const sum = money === undefined ? 'an unreadable amount' : formatMoney(money)
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

export const notRefundable: Failed = {
  kind: 'failed',
  cause: 'refused',
  message: 'This payment method has no refunds',
}
