// A decision that takes a merchant's money on a condition locks the merchant's balances before it reads them, so that
// no two decisions spend the same money.
//
// Proof that no money is spent twice: a transaction that takes money on a condition locks the merchant's own rows of
// balance_sums, reads the balances in a separate statement, and holds the locks until it commits. Another transaction
// of this kind waits for the locks. At read committed, a statement sees everything that was committed before the
// statement began. So the second transaction sees the deltas of the first, folded or not. A transaction also sees its
// own deltas. A booking without a condition is valid for any balance. So the booking needs no lock: it counts as later
// than every decision that does not see it.
//
// A transaction locks the balances of one merchant in one call. So all transactions, and folding, lock sums in the same
// order and cannot deadlock.
import { convertUp, type Rate } from '../../platform/base/money.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { AVAILABLE, MARGIN, UNSETTLED } from './account.ts'
import { lockSums, selectNets } from './balance-sql.ts'
import { bookedCurrencies, readBalances } from './read-balances.ts'

/** The balances of a merchant by currency: credits less debits, in minor units. */
export type MerchantBalances = {
  available(currency: string): bigint
  unsettled(currency: string): bigint
}

/** Locks the merchant's own accounts in these currencies and returns the balances. A missing sum gets a row to lock. */
export async function lockBalances(
  tx: Tx,
  merNo: number,
  currencies: Iterable<string>,
): Promise<MerchantBalances> {
  const wanted = [...new Set(currencies)]
  const sums = ownAccounts.flatMap((account) => wanted.map((currency) => ({ account, currency })))
  // The two statements are sent together. The second statement begins when the first has its locks.
  const [, rows] = await Promise.all([lockSums(tx, merNo, sums), selectNets(tx, merNo, ownAccounts, wanted)])
  const nets = new Map(rows.map(({ account, currency, net }) => [`${account} ${currency}`, BigInt(net)]))
  return {
    available: (currency) => nets.get(`${AVAILABLE} ${currency}`) ?? 0n,
    unsettled: (currency) => nets.get(`${UNSETTLED} ${currency}`) ?? 0n,
  }
}

export type AllBalances = MerchantBalances & { readonly currencies: readonly string[] }

/**
 * Locks the merchant's own accounts in these currencies, and in every currency that was ever booked on its available or
 * unsettled account. If a further currency is booked for the first time after the currencies were read, that booking
 * counts as later than the decision.
 */
export async function lockAllBalances(
  tx: Tx,
  merNo: number,
  currencies: Iterable<string>,
): Promise<AllBalances> {
  const all = new Set([...currencies, ...(await bookedCurrencies(tx, merNo))])
  return { ...(await lockBalances(tx, merNo, all)), currencies: [...all].sort() }
}

/**
 * Returns the merchant's debts in the currency `to`, at the current rates and rounded up. If a rate is missing, returns
 * the currency that has no rate. The debt in a currency is the amount by which available and unsettled together are
 * below zero. A debt arises when refunds and chargebacks took more than will be settled.
 */
export function debtsIn(
  to: string,
  funds: AllBalances,
  rates: { find(from: string, to: string): Rate | undefined },
): bigint | { readonly noRateFrom: string } {
  let debts = 0n
  for (const currency of funds.currencies) {
    const sum = funds.available(currency) + funds.unsettled(currency)
    if (sum >= 0n) continue
    const rate = rates.find(currency, to)
    if (rate === undefined) return { noRateFrom: currency }
    debts += convertUp({ amount: -sum, currency }, to, rate).amount
  }
  return debts
}

const ownAccounts = [AVAILABLE, MARGIN, UNSETTLED]

/** Reads the balances without a lock, for previews and for decisions that take no money. */
export async function readAllBalances(db: Queryable, merNo: number): Promise<AllBalances> {
  const rows = new Map((await readBalances(db, merNo)).map((row) => [row.currency, row]))
  return {
    currencies: [...rows.keys()],
    available: (currency) => rows.get(currency)?.available ?? 0n,
    unsettled: (currency) => rows.get(currency)?.unsettled ?? 0n,
  }
}
