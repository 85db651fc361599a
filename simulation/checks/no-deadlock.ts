// Reads PostgreSQL's log: transactions lock rows in one order, so none of them wait for each other.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check, Finding } from '../check.ts'

/** What the log has on a deadlock, up to its next entry: the sessions, what each waits for, and their statements. */
const deadlocks = /ERROR: {2}deadlock detected\n([\s\S]*?)\n\d{4}-\d\d-\d\d [^\n]* HINT:/g

/**
 * An order number that is sent again is inserted while the first order with it fails: one holds the limits and waits for the
 * number, the other the reverse. Nothing can be locked earlier without cost to every payment, and the batch is repeated
 * (decision 0200).
 */
const isRepeatedNumber = (report: string) => /insert into orders\b/.test(report)

export const noDeadlock: Check = {
  name: 'no deadlock',
  promise:
    'No two transactions wait for each other, but for a used order number and the end of its first order.',
  async run({ folder }) {
    const log = readFileSync(join(folder, 'postgres.log'), 'utf8')
    const reports = [...log.matchAll(deadlocks)].map(([, report = '']) => report)
    const findings = reports
      .filter((report) => !isRepeatedNumber(report))
      .map((report): Finding => ({ what: `deadlock: ${waitsOf(report)}`, about: '', rows: report }))
    return { compared: reports.length + 1, findings }
  },
}

/** The beginning of each statement, without its layout. */
function waitsOf(report: string): string {
  const statements = report.split(/\n\s*Process \d+: /).slice(1)
  return statements.map((text) => text.replace(/\s+/g, ' ').trim().slice(0, 60)).join(' – ')
}
