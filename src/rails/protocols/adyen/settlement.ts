// Reads a settlement detail report (CSV). Columns are found by their names, because accounts may add further columns.
import { CsvError, readCsv } from '../../../platform/base/csv.ts'
import { isFiat } from '../../../platform/base/currency.ts'
import { momentOf } from '../../../platform/base/local-day.ts'
import { parseDecimal } from '../../../platform/base/money.ts'
import type { ListedMovement, MovementType } from '../../contract/statement.ts'

/**
 * The version of the reader. Raise it with every change that reads more lines, so that incomplete reports are
 * downloaded again.
 */
export const READER = 1

export type SettledLine = ListedMovement & {
  readonly line: number
  /** Adyen's reference of the authorisation, even if the line is about a refund. */
  readonly psp: string
  /** The day of the booking, in UTC. */
  readonly day: string
}

type FindRefund = (refundPsp: string) => Promise<string | undefined>

export type LeftOut = {
  readonly line: number
  readonly leftOut: 'unreadable' | 'type'
  readonly type: string
}

const types: ReadonlyMap<string, MovementType> = new Map([
  ['Settled', 'payment'],
  ['Refunded', 'refund'],
  ['Chargeback', 'chargeback'],
  ['SecondChargeback', 'chargeback'],
])

/**
 * The types of lines that do not belong on our statement: fees, invoices, corrections, payouts to us, and money that
 * came back.
 */
const ignored: readonly string[] = [
  ...['Fee', 'InvoiceDeduction', 'DepositCorrection', 'MerchantPayout'],
  ...['ChargebackReversed', 'RefundedReversed'],
]

const FEES = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)']
const NEEDED = [
  ...['Merchant Account', 'Psp Reference', 'Merchant Reference', 'Type', 'Creation Date', 'TimeZone'],
  'Gross Currency',
]

/** Throws a CsvError if the text is not a settlement report, or is malformed CSV, for example because it breaks off. */
export async function* readSettlement(
  csv: string,
  merchantAccount: string,
  findRefund: FindRefund,
): AsyncGenerator<SettledLine | LeftOut> {
  let columns: readonly string[] | undefined
  for await (const { line, cells } of readCsv(piecesOf(csv))) {
    if (columns === undefined) {
      columns = checkedHeader(cells)
      continue
    }
    const row = new Map(columns.map((name, at) => [name, cells[at] ?? '']))
    const name = row.get('Type') ?? ''
    if (ignored.includes(name) || row.get('Merchant Account') !== merchantAccount) continue
    const type = types.get(name)
    const settled = type && toLine(row, type, await referenceIn(row, type, findRefund))
    const leftOut = type === undefined && isText(name) ? 'type' : 'unreadable'
    yield settled === undefined ? { line, leftOut, type: name } : { ...settled, line }
  }
  if (columns === undefined) throw new CsvError(1, 'the report is empty')
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text
}

function checkedHeader(columns: readonly string[]): readonly string[] {
  const missing = NEEDED.find((name) => !columns.includes(name))
  if (missing === undefined) return columns
  throw new CsvError(1, `there is no column "${missing}"`)
}

/** True if the text has no control characters. The database cannot store one of them, the zero byte. */
function isText(text: string): boolean {
  return !/\p{Cc}/u.test(text)
}

type Row = ReadonlyMap<string, string>

async function referenceIn(row: Row, type: MovementType, findRefund: FindRefund): Promise<string> {
  const payment = row.get('Merchant Reference') ?? ''
  const psp = row.get('Modification Reference') ?? ''
  if (type !== 'refund' || !isText(psp)) return payment
  return (await findRefund(psp)) ?? payment
}

function toLine(row: Row, type: MovementType, reference: string): Omit<SettledLine, 'line'> | undefined {
  const currency = row.get('Gross Currency') ?? ''
  const psp = row.get('Psp Reference') ?? ''
  if (!isFiat(currency) || reference === '' || !isText(reference) || !isText(psp)) return undefined
  const amount = decimalIn(row, `Gross ${type === 'payment' ? 'Credit' : 'Debit'} (GC)`, currency)
  const fee = feeIn(row, currency)
  const day = reportDay(row.get('Creation Date') ?? '', row.get('TimeZone') ?? '')
  if (amount === undefined || amount === 0n || fee === undefined || day === undefined) return undefined
  return { ...idIn(row), psp, reference, type, money: { amount, currency }, fee, day }
}

/**
 * Returns an id that is unique in all reports: the line's type, and Adyen's references of the authorisation and of its
 * modification (capture, refund or dispute).
 */
function idIn(row: Row): { id?: string } {
  const modification = row.get('Modification Reference') ?? ''
  if (modification === '' || !isText(modification)) return {}
  return { id: [row.get('Type'), row.get('Psp Reference'), modification].join(' ') }
}

/** Returns the sum of the fees. Fees in a currency other than the payment's count as 0. */
function feeIn(row: Row, currency: string): bigint | undefined {
  if (row.get('Net Currency') !== currency) return 0n
  const fees = FEES.map((name) => decimalIn(row, name, currency))
  return fees.reduce<bigint | undefined>(
    (sum, fee) => (sum === undefined || fee === undefined ? undefined : sum + fee),
    0n,
  )
}

function decimalIn(row: Row, name: string, currency: string): bigint | undefined {
  return parseDecimal(row.get(name) || '0', currency)
}

// The days of bookings. A report has local times, and a separate column with the time zone.

/**
 * The hours ahead of UTC, by the short name of a zone. A short name says whether daylight saving time applies. CST, IST
 * and AST are missing, because each is the name of several zones.
 */
const offsets: ReadonlyMap<string, number> = new Map([
  ...hours(0, 'UTC', 'GMT', 'WET'),
  ...hours(1, 'CET', 'BST', 'WEST'),
  ...hours(2, 'CEST', 'EET', 'SAST'),
  ...hours(3, 'EEST', 'MSK', 'TRT'),
  ...hours(8, 'SGT', 'HKT', 'MYT', 'AWST'),
  ...hours(9, 'JST', 'KST'),
  ...hours(10, 'AEST'),
  ...hours(11, 'AEDT'),
  ...hours(12, 'NZST'),
  ...hours(13, 'NZDT'),
  ...hours(-3, 'BRT', 'ART'),
  ...hours(-4, 'EDT'),
  ...hours(-5, 'EST', 'CDT'),
  ...hours(-6, 'MDT'),
  ...hours(-7, 'MST', 'PDT'),
  ...hours(-8, 'PST'),
])

function hours(offset: number, ...names: readonly string[]): [string, number][] {
  return names.map((name) => [name, offset])
}

/** Returns the day in UTC; undefined if the time is malformed or the zone is unknown. */
function reportDay(time: string, zone: string): string | undefined {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(time) ?? []
  const local = `${day}T${clock}`
  const asUtc = new Date(`${local}Z`)
  // JavaScript would read 31 February as a day in March.
  if (Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(local)) return undefined
  return momentIn(zone, local, asUtc)?.toISOString().slice(0, 10)
}

function momentIn(zone: string, local: string, asUtc: Date): Date | undefined {
  const offset = offsets.get(zone)
  if (offset !== undefined) return new Date(asUtc.getTime() - offset * 3_600_000)
  // Only names such as Europe/Paris are accepted here. Intl also knows some short names, but treats each as a place
  // with daylight saving time.
  if (!zone.includes('/')) return undefined
  try {
    return momentOf(local, zone)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
