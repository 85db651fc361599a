import { isCurrency } from '../base/currency.ts'
import { parseRate } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { inverseDown } from './inverse.ts'
import { announceRates, insertRates, type RateRow, selectPairsSet } from './sql.ts'

/** Units of `to` for one unit of `from`, as a decimal. */
export type NewRate = { readonly from: string; readonly to: string; readonly rate: string }

/**
 * Sets an operator's rates from `validFrom` on; every node uses a future rate within 30 s of its time. Also derives the
 * opposite direction unless an operator ever set it, and returns the derived rates.
 */
export async function setRates(tx: Tx, rates: readonly NewRate[], validFrom: Date): Promise<NewRate[]> {
  for (const rate of rates) check(rate)
  await insertRates(tx, rates.map(toRow), validFrom, 'set')
  const opposites = rates.flatMap(opposite)
  const set = await selectPairsSet(tx, opposites.map(toRow))
  const isSet = ({ from, to }: NewRate) =>
    set.some((pair) => pair.from_currency === from && pair.to_currency === to)
  const derived = opposites.filter((rate) => !isSet(rate))
  await insertRates(tx, derived.map(toRow), validFrom, 'derived')
  await announceRates(tx)
  return derived
}

/** Initial rates. They count as derived, so whatever an operator sets replaces them in both directions. */
export async function seedRates(tx: Tx, rates: readonly NewRate[], validFrom: Date): Promise<void> {
  for (const rate of rates) check(rate)
  await insertRates(tx, rates.map(toRow), validFrom, 'derived')
  await announceRates(tx)
}

function opposite({ from, to, rate }: NewRate): NewRate[] {
  const inverse = inverseDown(rate)
  return inverse === undefined ? [] : [{ from: to, to: from, rate: inverse }]
}

function toRow({ from, to, rate }: NewRate): RateRow {
  return { from_currency: from, to_currency: to, rate }
}

function check({ from, to, rate }: NewRate): void {
  if (!isCurrency(from)) throw new OperatorRefusal(`${from} is not a currency`, 'from')
  if (!isCurrency(to)) throw new OperatorRefusal(`${to} is not a currency`, 'to')
  if (from === to) throw new OperatorRefusal('the two currencies must differ', 'to')
  // The precision of the column. An order's rate may be longer, as the product of two.
  if (/^\d{1,12}(\.\d{1,12})?$/.test(rate) && parseRate(rate) !== undefined) return
  throw new OperatorRefusal(
    `${rate} is not a rate: use a decimal above zero with at most 12 digits before and 12 after the point`,
    'rate',
  )
}
