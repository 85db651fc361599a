// Settlement detail reports. A report is made when a batch closes, announced by a webhook, and downloaded with the
// password of a report user.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../src/platform/base/clock.ts'
import { writeCsv } from '../../src/platform/base/csv.ts'
import { isEqualSecret } from '../../src/platform/base/secret.ts'
import type { Book, BookedLine } from './book.ts'
import type { Webhooks } from './webhooks.ts'

export type ReportsOptions = {
  readonly book: Book
  readonly webhooks: Webhooks
  readonly url: () => string
  readonly clock: Clock
  readonly user: string
  readonly password: string
}

const columns = [
  ...['Company Account', 'Merchant Account', 'Psp Reference', 'Merchant Reference', 'Payment Method'],
  ...['Creation Date', 'TimeZone', 'Type', 'Modification Reference', 'Gross Currency', 'Gross Debit (GC)'],
  ...['Gross Credit (GC)', 'Exchange Rate', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)'],
  ...['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)', 'Batch Number'],
] as const

const MARKUP = 12

/** The account's time zone: its name, and its offset from UTC in minutes. */
export type Zone = { readonly name: string; readonly minutes: number }

/** Makes a report of everything that was booked since the previous batch. `at` is the creation date of its lines. */
export type CloseBatch = (batch?: { readonly at?: Date; readonly zone?: Zone }) => void

const UTC: Zone = { name: 'UTC', minutes: 0 }

export function registerReports(app: FastifyInstance, options: ReportsOptions): CloseBatch {
  const { book, webhooks, url, clock, user, password } = options
  const folder = `/adyen/reports/download/MerchantAccount/${book.account}`
  const reports = new Map<string, string>()
  let reported = 0
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  app.get<{ Params: { name: string } }>(`${folder}/:name`, (request, reply) => {
    if (!isEqualSecret(request.headers.authorization ?? '', basic)) return reply.code(401).send()
    const report = reports.get(request.params.name)
    return report === undefined ? reply.code(404).send() : reply.type('text/csv').send(report)
  })
  return ({ at = clock.now(), zone = UTC } = {}) => {
    const number = reports.size + 1
    const name = `settlement_detail_report_batch_${number}.csv`
    const lines = book.lines.slice(reported)
    reported = book.lines.length
    reports.set(name, writeReport(book.account, lines, { number, at, zone }))
    webhooks.send({
      eventCode: 'REPORT_AVAILABLE',
      success: true,
      pspReference: name,
      merchantAccountCode: book.account,
      merchantReference: '',
      amount: { value: 0, currency: 'EUR' },
      reason: `${url()}${folder}/${name}`,
    })
  }
}

type Batch = { readonly number: number; readonly at: Date; readonly zone: Zone }

function writeReport(account: string, lines: readonly BookedLine[], batch: Batch): string {
  const rows = lines.map((line) => {
    const cells = cellsOf(account, line, batch)
    return writeCsv(columns.map((name) => cells[name] ?? ''))
  })
  const fee = columns.map((name) => (name === 'Type' ? 'Fee' : name === 'Merchant Account' ? account : ''))
  return [writeCsv(columns), ...rows, writeCsv(fee)].join('')
}

type Cells = Partial<Record<(typeof columns)[number], string>>

function cellsOf(account: string, line: BookedLine, { number, at, zone }: Batch): Cells {
  const { value, currency } = line.amount
  const isCredit = line.type === 'Settled'
  const markup = isCredit ? MARKUP : 0
  const local = new Date(at.getTime() + zone.minutes * 60_000)
  return {
    'Company Account': 'Tollgate',
    'Merchant Account': account,
    'Psp Reference': line.psp,
    'Merchant Reference': line.reference,
    'Creation Date': local.toISOString().slice(0, 19).replace('T', ' '),
    TimeZone: zone.name,
    Type: line.type,
    'Modification Reference': line.modification,
    'Gross Currency': currency,
    [isCredit ? 'Gross Credit (GC)' : 'Gross Debit (GC)']: decimal(value),
    'Exchange Rate': '1',
    'Net Currency': currency,
    [isCredit ? 'Net Credit (NC)' : 'Net Debit (NC)']: decimal(value - markup),
    'Markup (NC)': markup === 0 ? '' : decimal(markup),
    'Batch Number': String(number),
  }
}

/** Writes two decimals, because the sandbox settles only in currencies with two decimals. */
function decimal(value: number): string {
  const digits = String(value).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
