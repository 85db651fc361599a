import type { Reply } from '../../api/send.ts'
import { formatDay } from '../../parts/moment.tsx'
import { casesWords } from '../../words/cases.ts'
import { exportsWords } from '../../words/exports.ts'
import { type Language, locales } from '../../words/language.ts'
import { ordersWords } from '../../words/orders.ts'
import { payoutsWords } from '../../words/payouts.ts'

type Wanted = Pick<Reply<'GET /exports'>['rows'][number], 'list' | 'filter'>

/** Describes the filters of an export in the words that the list uses. */
export function filterText(
  { list, filter: { merNo: _, tradeNos, ...fields } }: Wanted,
  language: Language,
): string {
  const orders = ordersWords[language]
  const exports = exportsWords[language]
  const payouts = payoutsWords[language]
  const cases = casesWords[language]
  const labels: Readonly<Record<string, string>> = {
    number: orders.number,
    email: orders.email,
    name: orders.payerName,
    card: orders.cardEnding,
    amount: orders.amount,
    currency: orders.currency,
    state: orders.state,
    method: orders.method,
    reference: orders.reference,
    from: exports.from,
    to: exports.toDay,
  }
  const states: Readonly<Record<string, string>> = {
    orders: orders.states,
    refunds: orders.refundStates,
    payouts: payouts.states,
    disputes: cases.states,
  }[list]
  const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    state: states,
    from: orders.periods,
    to: orders.periods,
    method: orders.methods,
  }
  const chosen = tradeNos === undefined ? [] : [orders.chosen(tradeNos.split(',').length)]
  const others = Object.entries(fields).map(([name, value]) => {
    const text = String(value)
    const isDay = name === 'from' || name === 'to'
    const shown = values[name]?.[text] ?? (isDay ? formatDay(text, locales[language]) : text)
    return `${labels[name] ?? name}: ${shown}`
  })
  return [...chosen, ...others].join(', ')
}
