import { isCurrency } from '../../base/currency.ts'
import { addDays } from '../../base/local-day.ts'
import { formatAmount } from '../../base/money.ts'
import { assert, Refusal } from '../../errors/catalogue.ts'
import { queryTotals, type TotalsFilter } from '../../order-queries/sum-totals.ts'
import { State, type StateNumber } from '../../orders/order.ts'
import type { Db } from '../../postgres/db.ts'
import { type Fields, textOf, textsOf } from '../fields/field-values.ts'
import type { Handler } from '../frame.ts'

const MAX_DAYS = 366

/** `/order/queryAmount`: totals of the matching pay-ins per currency. Every filter is optional. */
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

/** Either end may be missing. */
function readDays(fields: Fields): Pick<TotalsFilter, 'firstDay' | 'lastDay'> {
  const [firstDay, lastDay] = [textOf(fields, 'startDate'), textOf(fields, 'endDate')]
  if (firstDay !== '' && lastDay !== '') {
    if (lastDay < firstDay) throw new Refusal('10108', 'endDate must not be before startDate')
    if (lastDay >= addDays(firstDay, MAX_DAYS))
      throw new Refusal('10108', `startDate to endDate must span at most ${MAX_DAYS} days`)
  }
  return { firstDay: possible(firstDay), lastDay: possible(lastDay) }
}

/** Clamps to 1971: there are no earlier orders, and PostgreSQL has no year 0. */
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

/** Refuses an unknown currency: an empty total would look as if nothing was earned. */
function known(currency: string): string {
  if (isCurrency(currency)) return currency
  throw new Refusal('10019')
}
