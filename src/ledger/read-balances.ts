import type { Queryable } from '../postgres/db.ts'
import { AVAILABLE, UNSETTLED } from './account.ts'

/** Credits less debits, in minor units. */
export type CurrencyBalance = {
  readonly currency: string
  readonly available: bigint
  readonly unsettled: bigint
}

/** The balances in every currency that the merchant ever had money in, by currency. */
export async function readBalances(db: Queryable, merNo: number): Promise<CurrencyBalance[]> {
  const rows = await db.query<{ currency: string; available: string; unsettled: string }>({
    name: 'balances.read',
    text: `
      select currency,
        coalesce(sum(credits - debits) filter (where account = $2), 0)::text as available,
        coalesce(sum(credits - debits) filter (where account = $3), 0)::text as unsettled
      from exact_balances where mer_no = $1 and account in ($2, $3)
      group by currency order by currency`,
    values: [merNo, AVAILABLE, UNSETTLED],
  })
  return rows.map(({ currency, available, unsettled }) => {
    return { currency, available: BigInt(available), unsettled: BigInt(unsettled) }
  })
}

/** The currencies that the merchant ever had money in. */
export async function bookedCurrencies(db: Queryable, merNo: number): Promise<string[]> {
  const rows = await db.query<{ currency: string }>({
    name: 'balances.currencies',
    text: 'select distinct currency from exact_balances where mer_no = $1 and account in ($2, $3)',
    values: [merNo, AVAILABLE, UNSETTLED],
  })
  return rows.map(({ currency }) => currency)
}

/** Whether the account has entries, for any merchant. */
export async function wasBookedOn(db: Queryable, account: string): Promise<boolean> {
  const rows = await db.query<{ mer_no: bigint }>({
    text: 'select mer_no from exact_balances where account = $1 limit 1',
    values: [account],
  })
  return rows.length > 0
}
