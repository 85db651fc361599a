// Who is refunded if several accounts may have paid for one order: none gets back more than it has sent.
import { formatAmount, type Money } from '../base/money.ts'
import type { Deposit, Failed } from './contract.ts'

/** Another refund of the order; `depositRef`: a deposit of the account that it goes to. */
export type Refunded = { readonly amount: bigint; readonly depositRef: unknown }

/** A deposit of the account that gets the refund, or why none does. `deposits` are in the order in which they came. */
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
  const text = `${formatAmount(most, refund.currency)} ${refund.currency}`
  return declined(`Several accounts paid: refund at most ${text} at once`)
}

/** One account: its first deposit, and what it has sent less what went back to it. */
type Payer<One extends Deposit> = { readonly deposit: One; left: bigint }

/** In the order in which they paid. A refund that names none of the deposits went to the first. */
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
