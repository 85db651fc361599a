// A channel's statement has one line per movement. The reference of a line is a reference that we gave to the channel,
// or any other text if the money names no order of ours.
//
// The line of a payment is identified as follows, in this order (match-lines.ts):
//
// 1. By the channel's own id of the movement, if the line has one. A line with a known id is the known line, whatever
//    its day, amount or reference is now. Two lines with different ids are different money, however similar they are.
// 2. Without an id: by reference, day, currency and amount, and by the line's number among the equal lines of its
//    statement. Equal lines of one statement are therefore several payments, but importing the same file again, or a
//    statement that overlaps, adds nothing. A repeated reference with another day, amount or currency is new money.
// 3. The net and the gross amount of a payment are one line: the gross amount is the net amount plus the fee, and
//    reference and day are equal. The amount that was stored first counts.
//
// A statement replaces an earlier statement of the same channel in two cases only (findReplaced in reconcile.ts): an
// operator named the earlier statement, or both were fetched from the channel for the same day. Lines of the replaced
// statement that the new statement lacks are withdrawn. A line belongs to the latest statement that lists it, but a
// fetched statement takes no line from a file that it does not replace.
//
// Lines of statements that are not replaced are not withdrawn. If a new statement lacks such lines on its days, the
// lines become differences: the new statement may be a correction, or another table of the same days, and only an
// operator knows which.
//
// A line with a negative amount is a reversal: it takes back money of the line with its id, or else of lines with its
// reference. A reversal with the id of another line is identified like a line without an id, because a line may be
// reversed in several parts. Money that is withdrawn or reversed leaves suspense if nobody has decided on it. Money
// that was credited or decided on stays where it is and becomes a difference, because no merchant is debited without an
// operator.
import { type CsvRecord, readCsv } from '../../platform/base/csv.ts'
import { isCurrency } from '../../platform/base/currency.ts'
import { addDays } from '../../platform/base/local-day.ts'
import { type Money, parseDecimal } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'

export const lineTypes = ['payment', 'refund', 'payout', 'chargeback'] as const
export type LineType = (typeof lineTypes)[number]

export type StatementLine = {
  readonly line: number
  /** The channel's own id of the movement, if its statements have one. */
  readonly id?: string | undefined
  readonly reference: string
  readonly type: LineType
  /** The amount is negative for a reversal. */
  readonly money: Money
  readonly fee: bigint
  readonly day: string
}

export type Days = { readonly first: string; readonly last: string }

const header = ['reference', 'type', 'amount', 'currency', 'fee', 'date']
/** The name of the optional last column of a file. */
const ID = 'id'
const MAX_REFERENCE = 100
/** The maximum number of lines. All lines are in memory, so longer statements must be split. */
const MAX_LINES = 500_000

/** Reads a statement file, and refuses the whole file if any line is invalid. */
export async function readStatement(pieces: AsyncIterable<string>): Promise<StatementLine[]> {
  const lines: StatementLine[] = []
  let columns: readonly string[] | undefined
  for await (const record of readCsv(pieces)) {
    if (columns === undefined) columns = checkedHeader(record)
    else lines.push(toLine(record, columns.length))
    if (lines.length > MAX_LINES) throw new OperatorRefusal(`the file has more than ${MAX_LINES} lines`)
  }
  if (columns === undefined) throw new OperatorRefusal('the file is empty')
  return lines
}

function checkedHeader({ line, cells }: CsvRecord): readonly string[] {
  if ([header, [...header, ID]].some((columns) => cells.join() === columns.join())) return cells
  throw wrong(line, `the first line must be ${header.join()}, perhaps followed by ,${ID}`)
}

function toLine({ line, cells }: CsvRecord, columns: number): StatementLine {
  if (cells.length !== columns) throw wrong(line, `must have ${columns} cells`)
  const [reference = '', type = '', amount = '', currency = '', fee = '', day = '', id = ''] = cells
  if (reference === '' || reference.length > MAX_REFERENCE || /\p{Cc}/u.test(reference))
    throw wrong(line, `the reference must be 1 to ${MAX_REFERENCE} characters`)
  if (!isLineType(type)) throw wrong(line, `the type must be one of ${lineTypes.join(', ')}`)
  if (!isCurrency(currency)) throw wrong(line, 'the currency is unknown')
  const money = { amount: signedIn(line, amount, currency), currency }
  if (money.amount === 0n) throw wrong(line, 'the amount must not be zero')
  if (!isDay(day)) throw wrong(line, 'the date must be like 2026-01-31')
  if (id.length > MAX_REFERENCE || /\p{Cc}/u.test(id))
    throw wrong(line, `the id must be at most ${MAX_REFERENCE} characters`)
  const charged = decimalIn(line, 'fee', fee || '0', currency)
  return { line, ...(id !== '' && { id }), reference, type, money, fee: charged, day }
}

function isLineType(type: string): type is LineType {
  return lineTypes.some((known) => known === type)
}

function signedIn(line: number, text: string, currency: string): bigint {
  return text.startsWith('-')
    ? -decimalIn(line, 'amount', text.slice(1), currency)
    : decimalIn(line, 'amount', text, currency)
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
