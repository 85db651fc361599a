import type { Queryable, Tx } from '../postgres/db.ts'
import { arrayOf, itself, listOf, text } from '../postgres/lists.ts'

export type SettledCurrency = { readonly currency: string; readonly settleCurrency: string }

export async function upsertCurrencies(
  tx: Tx,
  merNo: number,
  currencies: readonly SettledCurrency[],
): Promise<void> {
  await tx.query({
    text: `insert into merchant_currencies (mer_no, currency, settle_currency)
      select $1::bigint, currency, settle_currency from ${settled.text}
      on conflict (mer_no, currency) do update set settle_currency = excluded.settle_currency`,
    values: [merNo, ...settled.values(currencies)],
  })
}

const settled = listOf<SettledCurrency>(
  { currency: text((one) => one.currency), settle_currency: text((one) => one.settleCurrency) },
  2,
)

export async function deleteOtherCurrencies(tx: Tx, merNo: number, kept: readonly string[]): Promise<void> {
  await tx.query({
    text: `delete from merchant_currencies where mer_no = $1 and currency <> all (${keptCurrencies.text})`,
    values: [merNo, keptCurrencies.value(kept)],
  })
}

const keptCurrencies = arrayOf(text<string>(itself), 2)

export async function selectCurrencies(tx: Tx, merNo: number): Promise<Map<string, string>> {
  const rows = await tx.query<{ currency: string; settle_currency: string }>({
    text: 'select currency, settle_currency from merchant_currencies where mer_no = $1',
    values: [merNo],
  })
  return new Map(rows.map((row) => [row.currency, row.settle_currency]))
}

/** Of merchants that are not closed. */
export async function selectCurrenciesInUse(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ currency: string }>({
    text: `select distinct c.currency from merchant_currencies c join merchants m using (mer_no)
      where m.state <> 'closed' order by c.currency`,
  })
  return rows.map((row) => row.currency)
}
