import { queryTotals, type TotalsFilter } from '../../../money/order-queries/sum-totals.ts'
import { State, type StateNumber } from '../../../money/orders/order.ts'
import { isCurrency } from '../../../platform/base/currency.ts'
import { addDays } from '../../../platform/base/local-day.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { assert, Refusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type Fields, textOf, textsOf } from '../fields/field-values.ts'
import type { Handler } from '../frame.ts'

const MAX_DAYS = 366

/**
 * Handles `/order/queryAmount`. The response has the totals of the matching payments, per currency. Every filter is
 * optional.
 */
export function createAmountQueryHandler({ db }: { readonly db: Db }): Handler {
  return async ({ merchant, fields }) => {
    const { source, settle } = await queryTotals(db, readFilter(merchant.merNo, fields))
    const settleAmountList = [...settle].map(([settleCurrency, amount]) => {
      return { settleAmount: formatAmount(amount, settleCurrency), settleCurrency }
    })
    const sourceAmountList = [...source].map(([sourceCurrency, amount]) => {
      return { sourceAmount: formatAmount(amount, sourceCurrency), sourceCurrency }
    })
    return { data: { settleAmountList, sourceAmountList } }
  }
}

function readFilter(merNo: number, fields: Fields): TotalsFilter {
  return {
    merNo,
    ...readDays(fields),
    states: textsOf(fields, 'orderStatusList').map(stateOf),
    currencies: textsOf(fields, 'sourceCurrencyList').map(known),
    settleCurrencies: textsOf(fields, 'settleCurrencyList').map(known),
    settled: textsOf(fields, 'settlementStatusList').map((status) => status === '1'),
    merOrderNos: textsOf(fields, 'merOrderNoList'),
  }
}

function readDays(fields: Fields): Pick<TotalsFilter, 'firstDay' | 'lastDay'> {
  const [firstDay, lastDay] = [textOf(fields, 'startDate'), textOf(fields, 'endDate')]
  if (firstDay !== '' && lastDay !== '') {
    if (lastDay < firstDay) throw new Refusal('10108', 'endDate must not be before startDate')
    if (lastDay >= addDays(firstDay, MAX_DAYS))
      throw new Refusal('10108', `startDate to endDate must span at most ${MAX_DAYS} days`)
  }
  return { firstDay: possible(firstDay), lastDay: possible(lastDay) }
}

/** Returns the day, or 1971-01-01 for an earlier day. No order is older, and PostgreSQL has no year 0. */
function possible(day: string): string | undefined {
  if (day === '') return undefined
  return day < '1971-01-01' ? '1971-01-01' : day
}

const stateNumbers = new Map<string, StateNumber>(Object.values(State).map((state) => [String(state), state]))

function stateOf(text: string): StateNumber {
  const state = stateNumbers.get(text)
  assert(state !== undefined, 'the field table lists every state')
  return state
}

/** Refuses an unknown currency. Otherwise its empty total would look as if nothing was earned. */
function known(currency: string): string {
  if (isCurrency(currency)) return currency
  throw new Refusal('10019')
}
