// A channel's statement: one line per movement. References are those that we gave to the channel.
import { type CsvRecord, readCsv } from '../base/csv.ts'
import { isCurrency } from '../base/currency.ts'
import { addDays } from '../base/local-day.ts'
import { type Money, parseDecimal } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'

export const lineTypes = ['payment', 'refund', 'payout', 'chargeback'] as const
export type LineType = (typeof lineTypes)[number]

export type StatementLine = {
  readonly line: number
  readonly reference: string
  readonly type: LineType
  readonly money: Money
  readonly fee: bigint
  readonly day: string
}

const header = ['reference', 'type', 'amount', 'currency', 'fee', 'date']
const MAX_REFERENCE = 100
/** All lines are in memory, so longer statements must be split. */
const MAX_LINES = 500_000

/** Refuses the whole file if any line is invalid. */
export async function readStatement(pieces: AsyncIterable<string>): Promise<StatementLine[]> {
  const lines: StatementLine[] = []
  let isHeader = true
  for await (const record of readCsv(pieces)) {
    if (isHeader) checkHeader(record)
    else lines.push(toLine(record))
    isHeader = false
    if (lines.length > MAX_LINES) throw new OperatorRefusal(`the file has more than ${MAX_LINES} lines`)
  }
  if (isHeader) throw new OperatorRefusal('the file is empty')
  return lines
}

function checkHeader({ line, cells }: CsvRecord): void {
  if (cells.join() === header.join()) return
  throw wrong(line, `the first line must be ${header.join()}`)
}

function toLine({ line, cells }: CsvRecord): StatementLine {
  if (cells.length !== header.length) throw wrong(line, `must have ${header.length} cells`)
  const [reference = '', type = '', amount = '', currency = '', fee = '', day = ''] = cells
  if (reference === '' || reference.length > MAX_REFERENCE || /\p{Cc}/u.test(reference))
    throw wrong(line, `the reference must be 1 to ${MAX_REFERENCE} characters`)
  if (!isLineType(type)) throw wrong(line, `the type must be one of ${lineTypes.join(', ')}`)
  if (!isCurrency(currency)) throw wrong(line, 'the currency is unknown')
  const money = { amount: decimalIn(line, 'amount', amount, currency), currency }
  if (money.amount === 0n) throw wrong(line, 'the amount must be above zero')
  if (!isDay(day)) throw wrong(line, 'the date must be like 2026-01-31')
  return { line, reference, type, money, fee: decimalIn(line, 'fee', fee || '0', currency), day }
}

function isLineType(type: string): type is LineType {
  return lineTypes.some((known) => known === type)
}

function decimalIn(line: number, name: string, text: string, currency: string): bigint {
  const amount = parseDecimal(text, currency)
  if (amount === undefined) throw wrong(line, `the ${name} must be a decimal that fits ${currency}`)
  return amount
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
}

function wrong(line: number, what: string): OperatorRefusal {
  return new OperatorRefusal(`line ${line}: ${what}`)
}
