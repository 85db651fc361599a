// Decides whether a merchant can cover a refund, from its locked balances. Pure rules.
//
// A refund of a settled order comes from the available balance and never takes it below zero. A refund of an unsettled order
// comes from the order's remainder, which may go below zero while the merchant's total in the currency stays within its credit.
import type { Money } from '../base/money.ts'
import { AVAILABLE, UNSETTLED } from '../ledger/account.ts'
import type { MerchantBalances } from '../ledger/lock-balances.ts'
import type { Moved, Position, Transfer } from '../orders/position.ts'

/** Whether the merchant may owe this much. */
export type Credit = (owed: Money) => boolean

export function isCovered(funds: MerchantBalances, before: Position, moved: Moved, credit: Credit): boolean {
  const after = moved.position
  const left = afterwards(funds, moved.transfers)
  const { currency, settleCurrency } = before
  if (before.settled) return left.available(settleCurrency) >= least(funds.available(settleCurrency), 0n)
  if (after.remainder >= least(before.remainder, 0n)) return true
  const sum = left.unsettled(currency) + left.available(currency)
  return sum >= 0n || credit({ amount: -sum, currency })
}

/** The balances after the transfers. */
export function afterwards(funds: MerchantBalances, transfers: readonly Transfer[]): MerchantBalances {
  const change = (account: string, currency: string) => {
    const own = transfers.filter(({ money }) => money.currency === currency)
    const sum = (side: 'debit' | 'credit') =>
      own.reduce((total, one) => (one[side] === account ? total + one.money.amount : total), 0n)
    return sum('credit') - sum('debit')
  }
  return {
    available: (currency) => funds.available(currency) + change(AVAILABLE, currency),
    unsettled: (currency) => funds.unsettled(currency) + change(UNSETTLED, currency),
  }
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)
