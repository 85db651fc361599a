// A decision that depends on a merchant's balances locks them first and reads them after, so that no two decisions spend
// the same money.
//
// Why that is exact: whoever takes money on a condition holds the merchant's own rows of balance_sums from before its look
// until its commit, though what it books are deltas. Whoever comes second waits at the lock; its look is a statement of its
// own behind it, and at read committed a statement sees all that was committed when it began: the deltas of the first one
// too, folded or not. What is booked without a condition needs no lock: it would be booked whatever the balance, so it
// counts as come after the decision that does not see it. A later look in the same transaction sees its own deltas as well.
//
// One merchant and one call a transaction: then every transaction, and whoever folds, meets sums in the same order, and none
// waits in a circle.
import type { Tx } from '../postgres/db.ts'
import { given, givenArray, itself, text } from '../postgres/lists.ts'
import { AVAILABLE, MARGIN, UNSETTLED } from './account.ts'
import { heldCurrencies } from './read-balances.ts'

/** Credits less debits. */
export type MerchantBalances = {
  available(currency: string): bigint
  unsettled(currency: string): bigint
}

/** Every account of the merchant's own in these currencies; one without a sum yet gets its row, to be locked by. */
export async function lockBalances(
  tx: Tx,
  merNo: number,
  currencies: Iterable<string>,
): Promise<MerchantBalances> {
  const wanted = [...new Set(currencies)]
  const sums = ownAccounts.flatMap((account) => wanted.map((currency) => ({ account, currency })))
  // Sent together; the second begins when the first has its locks.
  const [, rows] = await Promise.all([
    tx.query({ name: 'balances.lock', text: lockText, values: [merNo, ...locked.values(sums)] }),
    tx.query<{ account: string; currency: string; net: string }>({
      name: 'balances.look',
      text: lookText,
      values: [merNo, lookedAt.accounts.value(ownAccounts), lookedAt.currencies.value(wanted)],
    }),
  ])
  const nets = new Map(rows.map(({ account, currency, net }) => [`${account} ${currency}`, BigInt(net)]))
  return {
    available: (currency) => nets.get(`${AVAILABLE} ${currency}`) ?? 0n,
    unsettled: (currency) => nets.get(`${UNSETTLED} ${currency}`) ?? 0n,
  }
}

/** Of every currency that the merchant has money in, or had. */
export type AllBalances = MerchantBalances & { readonly currencies: readonly string[] }

/**
 * Locks the merchant's own accounts in these currencies and in all that anything was booked in. One that is booked in for
 * the first time meanwhile counts as come after.
 */
export async function lockAllBalances(
  tx: Tx,
  merNo: number,
  currencies: Iterable<string>,
): Promise<AllBalances> {
  const all = new Set([...currencies, ...(await heldCurrencies(tx, merNo))])
  return { ...(await lockBalances(tx, merNo, all)), currencies: [...all].sort() }
}

const ownAccounts = [AVAILABLE, MARGIN, UNSETTLED]

const locked = given<{ readonly account: string; readonly currency: string }>(
  { account: text((one) => one.account), currency: text((one) => one.currency) },
  2,
)

const lockText = `
  insert into balance_sums as b (mer_no, account, currency, debits, credits)
  select $1::bigint, account, currency, 0, 0
  from ${locked.text}
  order by account, currency
  on conflict (mer_no, account, currency) do update set debits = b.debits`

const lookedAt = {
  accounts: givenArray(text<string>(itself), 2),
  currencies: givenArray(text<string>(itself), 3),
}

const lookText = `
  select account, currency, (credits - debits)::text as net from exact_balances
  where mer_no = $1 and account = any (${lookedAt.accounts.text})
    and currency = any (${lookedAt.currencies.text})`
