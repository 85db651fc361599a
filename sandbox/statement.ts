// The statement of one day in UTC, in pages, with one line for each movement that became final on that day.
import type { Fields } from '../src/platform/base/object.ts'
import { InvalidRequest, type IssuerAnswer, readText } from './issuer-request.ts'

export type StatementLine = {
  /** The gateway's reference of the payment, refund, payout or disputed payment. */
  readonly reference: string
  readonly type: 'payment' | 'refund' | 'payout' | 'chargeback'
  readonly amount: string
  readonly currency: string
  /** The amount that the counterparty keeps, in the same currency. */
  readonly fee: string
}

/** A range in milliseconds, including `fromMs` and excluding `untilMs`. */
export type Day = { readonly fromMs: number; readonly untilMs: number }

const DAY_MS = 86_400_000
const PAGE = 200

export function statementOf(body: Fields, linesOf: (day: Day) => readonly StatementLine[]): IssuerAnswer {
  const day = readText(body, 'day', /^\d{4}-\d\d-\d\d$/)
  const after = body.after === undefined ? 0 : Number(readText(body, 'after', /^\d{1,9}$/))
  const fromMs = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(fromMs)) throw new InvalidRequest('day is no day')
  const lines = linesOf({ fromMs, untilMs: fromMs + DAY_MS })
  const page = lines.slice(after, after + PAGE)
  const next = after + page.length
  return { status: 200, body: { day, lines: page, ...(next < lines.length && { next: String(next) }) } }
}

/** Converts a row with the columns reference, type, amount and currency. The fee is always 0. */
export function toLine(row: Readonly<Record<string, unknown>>): StatementLine {
  const types = ['payment', 'refund', 'payout', 'chargeback'] as const
  const type = types.find((one) => one === row.type)
  if (type === undefined) throw new Error('a line of a statement has a type')
  const [reference, amount, currency] = [row.reference, row.amount, row.currency].map(String)
  return { reference: reference ?? '', type, amount: amount ?? '', currency: currency ?? '', fee: '0' }
}
