// Reads a settlement detail report: a CSV file whose columns are found by their names, because accounts add further ones.
import { CsvError, readCsv } from '../../base/csv.ts'
import { isFiat } from '../../base/currency.ts'
import { parseDecimal } from '../../base/money.ts'
import type { ListedMovement, MovementType } from '../statement.ts'
import { reportDay } from './report-day.ts'

/** Raise it with every change that reads more: reports of which something was not read are then downloaded once more. */
export const READER = 1

export type SettledLine = ListedMovement & {
  readonly line: number
  /** Adyen's reference of the authorisation, also on the line of a refund. */
  readonly psp: string
  /** When Adyen booked it, in UTC. */
  readonly day: string
}

/** Our reference of a refund, by Adyen's. */
export type FindRefund = (refundPsp: string) => Promise<string | undefined>

/** A line that is left out. `type`: of a type that nobody has seen. */
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

/** Fees, invoices, corrections, payouts to us and money that came back have no line on a statement of ours. */
const ignored: readonly string[] = [
  ...['Fee', 'InvoiceDeduction', 'DepositCorrection', 'MerchantPayout'],
  ...['ChargebackReversed', 'RefundedReversed'],
]

const FEES = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)']
const NEEDED = [
  ...['Merchant Account', 'Psp Reference', 'Merchant Reference', 'Type', 'Creation Date', 'TimeZone'],
  'Gross Currency',
]

/** Throws a CsvError if it is no settlement report, or where it breaks off. */
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

/** The database has no text with a zero byte. */
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
  return { psp, reference, type, money: { amount, currency }, fee, day }
}

/** Adyen takes its fees from the net amount. In another currency than the payment they have no place on its line. */
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
