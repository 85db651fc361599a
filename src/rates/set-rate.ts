import { isCurrency } from '../base/currency.ts'
import type { Tx } from '../base/db.ts'
import { OperatorRefusal } from '../base/error.ts'
import { parseRate } from '../base/money.ts'
import { announceRates, insertRates } from './sql.ts'

/** Units of `to` for one unit of `from`, as a decimal. */
export type NewRate = { readonly from: string; readonly to: string; readonly rate: string }

/** In force from `validFrom` on, for every node; one that is set ahead is read by each within 30 s of its time. */
export async function setRates(tx: Tx, rates: readonly NewRate[], validFrom: Date): Promise<void> {
  for (const rate of rates) check(rate)
  const rows = rates.map(({ from, to, rate }) => ({ from_currency: from, to_currency: to, rate }))
  await insertRates(tx, rows, validFrom)
  await announceRates(tx)
}

function check({ from, to, rate }: NewRate): void {
  const unknown = [from, to].find((code) => !isCurrency(code))
  if (unknown !== undefined) throw new OperatorRefusal(`${unknown} is not a currency`)
  if (from === to) throw new OperatorRefusal('a rate is between two currencies')
  // As the column holds it; an order's own rate may be the product of two, and longer.
  if (/^\d{1,12}(\.\d{1,12})?$/.test(rate) && parseRate(rate) !== undefined) return
  throw new OperatorRefusal(`${rate} is not a rate: a decimal above zero with at most 12 places`)
}
