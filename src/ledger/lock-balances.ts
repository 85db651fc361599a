// A decision that depends on a merchant's balances locks them before it reads them, so that no two decisions spend the same
// money.
//
// Why this is exact: a transaction that takes money on a condition locks the merchant's own rows of balance_sums before it
// reads and until it commits, although it books deltas. A second one waits for the lock. It reads in a separate statement
// after that, and at read committed this statement sees everything committed before it began, including the first one's
// deltas, folded or not. Unconditional bookings need no lock: they happen whatever the balance, so they count as later than a
// decision that does not see them. A later read in the same transaction sees the transaction's own deltas too.
//
// Each transaction locks one merchant, in one call. So all transactions, and folding, lock sums in the same order and cannot
// deadlock.
import type { Tx } from '../postgres/db.ts'
import { AVAILABLE, MARGIN, UNSETTLED } from './account.ts'
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
  const values = [merNo, [AVAILABLE, MARGIN, UNSETTLED], [...new Set(currencies)]]
  // Sent together; the second starts when the first has its locks.
  const [, rows] = await Promise.all([
    tx.query({ name: 'balances.lock', text: lockText, values }),
    tx.query<{ account: string; currency: string; net: string }>({
      name: 'balances.look',
      text: lookText,
      values,
    }),
  ])
  const nets = new Map(rows.map(({ account, currency, net }) => [`${account} ${currency}`, BigInt(net)]))
  return {
    available: (currency) => nets.get(`${AVAILABLE} ${currency}`) ?? 0n,
    unsettled: (currency) => nets.get(`${UNSETTLED} ${currency}`) ?? 0n,
  }
}

/** Balances in every currency that the merchant has or had money in. */
export type AllBalances = MerchantBalances & { readonly currencies: readonly string[] }

/**
 * Locks the merchant's own accounts in these currencies and in every currency with entries. A currency whose first entry is
 * booked meanwhile counts as later.
 */
export async function lockAllBalances(
  tx: Tx,
  merNo: number,
  currencies: Iterable<string>,
): Promise<AllBalances> {
  const all = new Set([...currencies, ...(await bookedCurrencies(tx, merNo))])
  return { ...(await lockBalances(tx, merNo, all)), currencies: [...all].sort() }
}

const lockText = `
  insert into balance_sums as b (mer_no, account, currency, debits, credits)
  select $1::bigint, account, currency, 0, 0
  from unnest($2::text[]) as a (account) cross join unnest($3::text[]) as c (currency)
  order by account, currency
  on conflict (mer_no, account, currency) do update set debits = b.debits`

const lookText = `
  select account, currency, (credits - debits)::text as net from exact_balances
  where mer_no = $1 and account = any($2) and currency = any($3)`
