// A decision that depends on a merchant's balances locks them before it reads them, so that no two decisions spend the same
// money.
//
// Why that is exact: a transaction that takes money on a condition holds the merchant's own rows of balance_sums from before
// it reads until it commits, although it books deltas. A second one waits at the lock. It reads in a separate statement after
// the lock, and at read committed a statement sees everything that was committed before it began: the deltas of the first
// one too, folded or not. A booking without a condition needs no lock: it is made whatever the balance, so it counts as
// later than a decision that does not see it. A later read in the same transaction sees its own deltas as well.
//
// One merchant and one call per transaction: then all transactions, and folding, lock sums in the same order, and there is
// no deadlock.
import type { Tx } from '../postgres/db.ts'
import { AVAILABLE, MARGIN, UNSETTLED } from './account.ts'
import { lockSums, selectNets } from './balance-sql.ts'
import { bookedCurrencies } from './read-balances.ts'

/** Credits less debits. */
export type MerchantBalances = {
  available(currency: string): bigint
  unsettled(currency: string): bigint
}

/** Locks the merchant's own accounts in these currencies. An account without a sum gets a row, so that it can be locked. */
export async function lockBalances(
  tx: Tx,
  merNo: number,
  currencies: Iterable<string>,
): Promise<MerchantBalances> {
  const wanted = [...new Set(currencies)]
  const sums = ownAccounts.flatMap((account) => wanted.map((currency) => ({ account, currency })))
  // Sent together; the second begins when the first has its locks.
  const [, rows] = await Promise.all([lockSums(tx, merNo, sums), selectNets(tx, merNo, ownAccounts, wanted)])
  const nets = new Map(rows.map(({ account, currency, net }) => [`${account} ${currency}`, BigInt(net)]))
  return {
    available: (currency) => nets.get(`${AVAILABLE} ${currency}`) ?? 0n,
    unsettled: (currency) => nets.get(`${UNSETTLED} ${currency}`) ?? 0n,
  }
}

/** In every currency that the merchant ever had money in. */
export type AllBalances = MerchantBalances & { readonly currencies: readonly string[] }

/**
 * Locks the merchant's own accounts in these currencies and in all currencies of its bookings. A first booking in another
 * currency at the same moment counts as later.
 */
export async function lockAllBalances(
  tx: Tx,
  merNo: number,
  currencies: Iterable<string>,
): Promise<AllBalances> {
  const all = new Set([...currencies, ...(await bookedCurrencies(tx, merNo))])
  return { ...(await lockBalances(tx, merNo, all)), currencies: [...all].sort() }
}

const ownAccounts = [AVAILABLE, MARGIN, UNSETTLED]
