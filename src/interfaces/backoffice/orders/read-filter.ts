// Reads a filter from the fields in the address of the order list. Every problem is reported at its field.
import type { Static } from 'typebox'
import type { OrderFilter } from '../../../money/order-queries/search/find-orders.ts'
import type { Position } from '../../../money/order-queries/search/scan-orders.ts'
import { isCurrency } from '../../../platform/base/currency.ts'
import { addDays, localDay, startOfDay } from '../../../platform/base/local-day.ts'
import { parseDecimal } from '../../../platform/base/money.ts'
import type { FieldText } from '../../../platform/errors/page-texts.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { OrderFilterFields } from './api.ts'

export type FilterFields = Static<typeof OrderFilterFields>

/** Reads the filter. Days are calendar days in the merchant's time zone. A named period is relative to `now`. */
export function readFilter(fields: FilterFields, timezone: string, now: Date): OrderFilter {
  const today = localDay(now, timezone)
  const problems: Record<string, FieldText> = {}
  const given = (name: Exclude<keyof FilterFields, 'merNo'>) => fields[name]?.trim() || undefined
  const check = <Value>(name: string, value: Value | undefined, advice: FieldText): Value | undefined => {
    if (value === undefined) problems[name] = advice
    return value
  }
  const read = <Value>(
    name: Exclude<keyof FilterFields, 'merNo'>,
    parse: (text: string) => Value | undefined,
    advice: FieldText,
  ) => {
    const text = given(name)
    return text === undefined ? undefined : check(name, parse(text), advice)
  }
  const currency = read('currency', knownCurrency, 'Choose a currency, such as USD.')
  const bound = (name: 'least' | 'most') =>
    read(
      name,
      (text) => (currency === undefined ? undefined : parseDecimal(text, currency)),
      'Enter an amount such as 12.50, and choose its currency.',
    )
  const filter: OrderFilter = {
    number: given('number'),
    tradeNos: read(
      'tradeNos',
      matching(/^[0-9A-Z]{1,32}(,[0-9A-Z]{1,32})*$/),
      'Choose orders from the list.',
    )?.split(','),
    email: given('email'),
    name: given('name'),
    reference: given('reference'),
    card: read('card', matching(/^\d{4}$/), 'Enter the last four digits of the card.'),
    amount: read('amount', matching(/^\d{1,15}(\.\d{1,9})?$/), 'Enter an amount such as 12.50.'),
    currency,
    least: bound('least'),
    most: bound('most'),
    states: read('state', numbers, 'Choose states from the list.'),
    methods: read('method', words, 'Choose methods from the list.'),
    from: read('from', (text) => moment(dayOf(text, 'first', today), timezone), DATE),
    until: read('to', (text) => moment(dayOf(text, 'last', today), timezone, 1), DATE),
  }
  if (Object.keys(problems).length > 0) throw new Problem('invalid', 'Check the marked fields.', problems)
  return filter
}

const DATE = 'Enter a date such as 2026-01-31.'

/**
 * The named periods. An address contains a period's name and not its days, so that a saved view always shows the
 * current days.
 */
const periods: Readonly<
  Record<string, (today: string) => { readonly first: string; readonly last: string }>
> = {
  today: (today) => ({ first: today, last: today }),
  yesterday: (today) => ({ first: addDays(today, -1), last: addDays(today, -1) }),
  'last-7-days': (today) => ({ first: addDays(today, -6), last: today }),
  'last-month': (today) => {
    const last = addDays(`${today.slice(0, 7)}-01`, -1)
    return { first: `${last.slice(0, 7)}-01`, last }
  },
}

/** Returns the first or last day of a named period. Any other text is returned unchanged. */
function dayOf(text: string, end: 'first' | 'last', today: string): string {
  const period = Object.hasOwn(periods, text) ? periods[text] : undefined
  return period?.(today)[end] ?? text
}

function matching(pattern: RegExp) {
  return (text: string) => (pattern.test(text) ? text : undefined)
}

function knownCurrency(text: string): string | undefined {
  const code = text.toUpperCase()
  return isCurrency(code) ? code : undefined
}

function numbers(text: string): number[] | undefined {
  return /^\d{1,2}(,\d{1,2}){0,15}$/.test(text) ? text.split(',').map(Number) : undefined
}

function words(text: string): string[] | undefined {
  return /^[a-z_]{1,20}(,[a-z_]{1,20}){0,20}$/.test(text) ? text.split(',') : undefined
}

/** Reads a time. A calendar day is read as the start of the day, or with `days` = 1 as the end of the day. */
function moment(text: string, timezone: string, days = 0): Date | undefined {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return undefined
  return /^\d{4}-\d\d-\d\d$/.test(text) ? startOfDay(addDays(text, days), timezone) : at
}

/** Writes the position in the list as a text for `next`. Clients send the text back unchanged. */
export function writePosition({ createdAt, tradeNo }: Position): string {
  return `${createdAt.getTime().toString(36)}.${tradeNo}`
}

export function readPosition(after: string | undefined): Position | undefined {
  if (after === undefined) return undefined
  const [, at = '', tradeNo = ''] = /^([0-9a-z]{1,10})\.([0-9A-Z]{1,32})$/.exec(after) ?? []
  if (at === '') throw new Problem('invalid', 'This page does not exist. Go to the first page.')
  return { createdAt: new Date(Number.parseInt(at, 36)), tradeNo }
}
