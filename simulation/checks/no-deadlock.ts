// Reads PostgreSQL's log. Transactions lock rows in the same order, so no deadlock may occur, with one exception (see
// `isRepeatedNumber`).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check, Finding } from '../check.ts'

/** A deadlock report in the log: the sessions, the locks that the sessions wait for, and their statements. */
const deadlocks = /ERROR: {2}deadlock detected\n([\s\S]*?)\n\d{4}-\d\d-\d\d [^\n]* HINT:/g

/**
 * The only accepted deadlock: an order number is used again while the first order with this number fails. A transaction
 * holds the limits and waits for the number, and another transaction holds the number and waits for the limits. Locking
 * earlier would slow down every payment, so the batch is repeated instead (decision 0200).
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

/** Returns the beginning of each statement in the report, on one line. */
function waitsOf(report: string): string {
  const statements = report.split(/\n\s*Process \d+: /).slice(1)
  return statements.map((text) => text.replace(/\s+/g, ' ').trim().slice(0, 60)).join(' – ')
}
