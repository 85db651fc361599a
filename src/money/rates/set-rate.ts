import { isCurrency } from '../../platform/base/currency.ts'
import { parseRate } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { announceRates, insertRates, lockRates, type RateRow, selectMismatch, selectPairsSet } from './sql.ts'

/** A new rate of a pair. `rate` is a decimal: units of `to` for one unit of `from`. */
export type NewRate = { readonly from: string; readonly to: string; readonly rate: string }

export type SetRates = {
  readonly now: Date
  /** The time at which the rates take effect: `now` or later. */
  readonly validFrom?: Date | undefined
  readonly isConfirmed?: boolean | undefined
}

/**
 * Sets an operator's rates from `validFrom` on. Every node uses a future rate at most 30 s after that time. The
 * opposite direction of each rate is derived, unless an operator ever set that direction. Returns the derived rates.
 *
 * A rate times its opposite rate is what remains of one unit that is converted there and back. If the product is above
 * 1, a merchant gains money by converting in a circle. If the product is below 0.9, one of the two rates is probably a
 * typing error. In both cases, the rates are refused unless the operator confirms them.
 *
 * A `validFrom` in the past is refused, so that nobody can change which rates were in force: the value of a decision is
 * computed with these rates (see src/money/approvals/second-person.ts).
 */
export async function setRates(
  tx: Tx,
  rates: readonly NewRate[],
  { now, validFrom = now, isConfirmed = false }: SetRates,
): Promise<NewRate[]> {
  if (validFrom < now)
    throw new OperatorRefusal(
      'a rate cannot begin in the past: give a later time, or none to use it at once',
      'validFrom',
    )
  await lockRates(tx)
  for (const rate of rates) check(rate)
  await insertRates(tx, rates.map(toRow), validFrom, 'set')
  const opposites = rates.flatMap(opposite)
  const set = await selectPairsSet(tx, opposites.map(toRow))
  const isSet = ({ from, to }: NewRate) =>
    set.some((pair) => pair.from_currency === from && pair.to_currency === to)
  const derived = opposites.filter((rate) => !isSet(rate))
  await insertRates(tx, derived.map(toRow), validFrom, 'derived')
  if (!isConfirmed) await refuseMismatch(tx, rates, validFrom)
  await announceRates(tx)
  return derived
}

const LEAST_PRODUCT = '0.9'

async function refuseMismatch(tx: Tx, rates: readonly NewRate[], validFrom: Date): Promise<void> {
  const found = await selectMismatch(tx, rates.map(toRow), validFrom, LEAST_PRODUCT)
  if (found === undefined) return
  const { from_currency: from, to_currency: to, rate, opposite, product } = found
  throw new OperatorRefusal(
    `1 ${from} is ${rate} ${to}, and 1 ${to} is ${opposite} ${from}: the product must be from ${LEAST_PRODUCT} to 1, and is ${product}. Correct the rate, or confirm it`,
    'confirm',
  )
}

/**
 * Stores initial rates. The rates count as derived, so an operator's rate replaces the initial rates of both
 * directions.
 */
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
  // The column stores no more digits than this. The rate of an order may have more digits, because it may be the
  // product of two rates.
  if (/^\d{1,12}(\.\d{1,12})?$/.test(rate) && parseRate(rate) !== undefined) return
  throw new OperatorRefusal(
    `${rate} is not a rate: use a decimal above zero with at most 12 digits before and 12 after the point`,
    'rate',
  )
}

/** The number of decimals of a stored rate. */
const PLACES = 12
const MAX_UNIT_DIGITS = 12

/** Returns 1/rate, rounded down to the decimals of a stored rate. Undefined if the result is zero or too large. */
export function inverseDown(rate: string): string | undefined {
  const [units = '', fraction = ''] = rate.split('.')
  const digits = 10n ** BigInt(PLACES + fraction.length) / BigInt(units + fraction)
  const text = digits.toString().padStart(PLACES + 1, '0')
  if (digits === 0n || text.length > PLACES + MAX_UNIT_DIGITS) return undefined
  return `${text.slice(0, -PLACES)}.${text.slice(-PLACES)}`
}
