// Reads balances, and locks the rows of balance_sums. The header of balances.ts says which code writes sums and deltas.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, itself, listOf, text } from '../../platform/postgres/lists.ts'

export type SumKey = { readonly account: string; readonly currency: string }

/** Locks these sums of a merchant. If a sum has no row yet, a row is inserted, which is locked too. */
export async function lockSums(tx: Tx, merNo: number, sums: readonly SumKey[]): Promise<void> {
  await tx.query({ name: 'balances.lock', text: lockText, values: [merNo, ...locked.values(sums)] })
}

const locked = listOf<SumKey>(
  { account: text((one) => one.account), currency: text((one) => one.currency) },
  2,
)

const lockText = `
  insert into balance_sums as b (mer_no, account, currency, debits, credits)
  select $1::bigint, account, currency, 0, 0
  from ${locked.text}
  order by account, currency
  on conflict (mer_no, account, currency) do update set debits = b.debits`

/**
 * The `from` clause for the balances of merchant `$1`. Its rows equal those of the view exact_balances. A delta lists
 * the sums of many merchants: finding one merchant in the lists is cheaper than unnesting the lists.
 */
export const balancesOfOne = `(
  select account, currency, sum(debits) as debits, sum(credits) as credits from (
    select account, currency, debits, credits from balance_sums where mer_no = $1::bigint
    union all
    select account, currency, debits[array_position(mer_nos, $1::bigint)], credits[array_position(mer_nos, $1::bigint)]
    from balance_deltas where $1::bigint = any (mer_nos)
  ) as parts
  group by account, currency
) as b`

export type NetRow = SumKey & { readonly net: string }

/** Selects the net balances: credits less debits. */
export function selectNets(
  tx: Tx,
  merNo: number,
  accounts: readonly string[],
  currencies: readonly string[],
): Promise<NetRow[]> {
  const values = [merNo, lookedAt.accounts.value(accounts), lookedAt.currencies.value(currencies)]
  return tx.query<NetRow>({ name: 'balances.read-nets', text: netsText, values })
}

const lookedAt = {
  accounts: arrayOf(text<string>(itself), 2),
  currencies: arrayOf(text<string>(itself), 3),
}

const netsText = `
  select account, currency, (credits - debits)::text as net from ${balancesOfOne}
  where account = any (${lookedAt.accounts.text})
    and currency = any (${lookedAt.currencies.text})`

export type BalanceRow = {
  readonly currency: string
  readonly available: string
  readonly unsettled: string
}

export function selectBalances(
  db: Queryable,
  merNo: number,
  available: string,
  unsettled: string,
): Promise<BalanceRow[]> {
  return db.query<BalanceRow>({
    name: 'balances.read',
    text: `
      select currency,
        coalesce(sum(credits - debits) filter (where account = $2), 0)::text as available,
        coalesce(sum(credits - debits) filter (where account = $3), 0)::text as unsettled
      from ${balancesOfOne} where account in ($2, $3)
      group by currency order by currency`,
    values: [merNo, available, unsettled],
  })
}

export async function selectCurrencies(
  db: Queryable,
  merNo: number,
  available: string,
  unsettled: string,
): Promise<string[]> {
  const rows = await db.query<{ currency: string }>({
    name: 'balances.currencies',
    text: `select distinct currency from ${balancesOfOne} where account in ($2, $3)`,
    values: [merNo, available, unsettled],
  })
  return rows.map(({ currency }) => currency)
}

/** True if any merchant has a row for the account, even if the balance is zero. */
export async function hasBalance(db: Queryable, account: string): Promise<boolean> {
  const rows = await db.query<{ mer_no: bigint }>({
    text: 'select mer_no from exact_balances where account = $1 limit 1',
    values: [account],
  })
  return rows.length > 0
}

/** Selects the smallest delta id, which is the id of the oldest delta. Undefined if no delta waits. */
export async function selectOldestDelta(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ delta_id: string | null }>({
    text: 'select min(delta_id) as delta_id from balance_deltas',
  })
  return row?.delta_id ?? undefined
}

export type PastRow = SumKey & { readonly amount: string }

const pastAccounts = arrayOf(text<string>(itself), 3)

/** Selects the current balances: credits less debits. */
export function selectBalancesNow(
  db: Queryable,
  merNo: number,
  accounts: readonly string[],
): Promise<PastRow[]> {
  return db.query<PastRow>({
    text: `select account, currency, (credits - debits)::text as amount from ${balancesOfOne}
      where account = any (${currentAccounts.text}) order by currency, account`,
    values: [merNo, currentAccounts.value(accounts)],
  })
}

const currentAccounts = arrayOf(text<string>(itself), 2)

/** Selects the balances at `moment`: the current balances less all later entries. Earlier entries need not be read. */
export function selectBalancesAt(
  db: Queryable,
  merNo: number,
  moment: Date,
  accounts: readonly string[],
): Promise<PastRow[]> {
  return db.query<PastRow>({
    text: `
      select account, currency, sum(amount)::text as amount from (
        select account, currency, credits - debits as amount from ${balancesOfOne}
        where account = any (${pastAccounts.text})
        union all
        select credit, currency, -amount from ledger_entries
        where mer_no = $1 and at > $2 and credit = any (${pastAccounts.text})
        union all
        select debit, currency, amount from ledger_entries
        where mer_no = $1 and at > $2 and debit = any (${pastAccounts.text})
      ) as parts
      group by account, currency order by currency, account`,
    values: [merNo, moment, pastAccounts.value(accounts)],
  })
}
