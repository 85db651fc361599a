import type { Reply } from '../../api/send.ts'
import type { Words } from '../../words/en.ts'

type Wanted = Pick<Reply<'GET /exports'>['rows'][number], 'list' | 'filter'>

/** The filters as the list itself names them. */
export function filterText({ list, filter: { merNo: _, ...fields } }: Wanted, words: Words): string {
  const { orders, exports, payouts, cases } = words
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
    method: orders.methods,
  }
  return Object.entries(fields)
    .map(([name, value]) => `${labels[name] ?? name}: ${values[name]?.[String(value)] ?? value}`)
    .join(', ')
}
