// Reads the parameters of an order list: which orders, as of when, which page. Checks the limits that have their own code
// (10108).

import { localTime, momentOf } from '../../base/local-day.ts'
import { Refusal } from '../../errors/catalogue.ts'
import { type AsOf, readAsOf } from '../../order-queries/as-of.ts'
import type { Selection } from '../../order-queries/list-orders.ts'
import { type Fields, objectOf, textOf, textsOf } from '../fields/field-values.ts'
import { breaks } from '../fields/read-fields.ts'

const MAX_NUMBERS = 500
const MAX_DAYS = 92
const MAX_PAGE_SIZE = 500
const DEFAULT_PAGE_SIZE = 15
const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export type Page = { readonly pageNum: number; readonly pageSize: number }

export function readPage(fields: Fields): Page {
  const { pageNum = 1, pageSize = DEFAULT_PAGE_SIZE } = fields
  return {
    pageNum: within('pageNum', pageNum, Number.MAX_SAFE_INTEGER),
    pageSize: within('pageSize', pageSize, MAX_PAGE_SIZE),
  }
}

function within(name: string, value: unknown, most: number): number {
  if (typeof value === 'number' && value >= 1 && value <= most) return value
  throw new Refusal('10108', `${name} must be from 1 to ${most}`)
}

/** Undefined when none was sent: the response then carries a new one. */
export function readSentAsOf(fields: Fields): AsOf | undefined {
  const text = textOf(fields, 'asOf')
  const asOf = text === '' ? undefined : readAsOf(text)
  if (text !== '' && asOf === undefined) throw breaks('asOf', 'must be the asOf of an earlier response')
  return asOf
}

export function readSelection(fields: Fields, timezone: string): Selection {
  const [merOrderNos, tradeNos] = [textsOf(fields, 'merOrderNos'), textsOf(fields, 'tradeNos')]
  const limit = objectOf(fields, 'dateLimit')
  const given = [merOrderNos.length > 0, tradeNos.length > 0, limit !== undefined].filter(Boolean)
  if (given.length !== 1)
    throw new Refusal('99997', 'send exactly one of merOrderNos, tradeNos and dateLimit')
  if (limit !== undefined) return readSpan(limit, timezone)
  return merOrderNos.length > 0
    ? { kind: 'merOrderNos', numbers: atMost('merOrderNos', merOrderNos) }
    : { kind: 'tradeNos', numbers: atMost('tradeNos', tradeNos) }
}

function atMost(name: string, numbers: readonly string[]): readonly string[] {
  if (numbers.length <= MAX_NUMBERS) return numbers
  throw new Refusal('10108', `${name} must have at most ${MAX_NUMBERS} elements`)
}

/** Both ends are included, with the whole last second. The length is measured in local time, regardless of clock changes. */
function readSpan(limit: Fields, timezone: string): Selection {
  const from = textOf(limit, 'from').replace(' ', 'T')
  const to = textOf(limit, 'to').replace(' ', 'T')
  const lengthMs = Date.parse(`${to}Z`) - Date.parse(`${from}Z`) + SECOND_MS
  if (lengthMs <= 0) throw new Refusal('10108', 'dateLimit.to must not be before dateLimit.from')
  if (lengthMs > MAX_DAYS * DAY_MS) throw new Refusal('10108', `dateLimit must span at most ${MAX_DAYS} days`)
  const until = new Date(lastMomentOf(possible(to), timezone).getTime() + SECOND_MS)
  return { kind: 'span', from: momentOf(possible(from), timezone), until }
}

/** When clocks go back an hour, a local time occurs twice: the span ends with the second one. */
function lastMomentOf(local: string, timezone: string): Date {
  const first = momentOf(local, timezone)
  const again = new Date(first.getTime() + HOUR_MS)
  return localTime(again, timezone) === local ? again : first
}

/** Clamps to years with orders: calendars are unreliable beyond. */
function possible(time: string): string {
  if (time < '1971') return '1971-01-01T00:00:00'
  return time > '9998' ? '9998-01-01T00:00:00' : time
}
