// Audits the books on a schedule. Findings are logged as errors, raise an alarm, and stay in the metrics until an audit
// finds none.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import { type Interval, repeat } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Books, ruleOf, verifyBooks } from './verify-books.ts'

export type AuditDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly alarm: () => void
}

export type AuditWorker = {
  /** Returns the number of findings of this process's last audit. Undefined before the first audit. */
  findings(): number | undefined
  stop(): Promise<void>
}

/**
 * The wait before the first audit. A process that starts has other work, and a process that restarts repeatedly should
 * not audit each time.
 */
const FIRST_AFTER_MS = 10 * 60_000

export function startAudit(deps: AuditDeps & Interval, firstAfterMs = FIRST_AFTER_MS): AuditWorker {
  const { db, clock, log } = deps
  const stopping = new AbortController()
  let found: number | undefined
  const audit = async () => {
    const books = await verifyBooks({ db, clock, signal: stopping.signal })
    found = report(deps, books)
  }
  const failed = (error: unknown) => {
    if (!stopping.signal.aborted)
      log.error({ err: error }, 'the audit of the books failed; the next one runs as scheduled')
  }
  let audits: ReturnType<typeof repeat> | undefined
  const first = setTimeout(() => {
    audits = repeat({ everyMs: deps.everyMs, work: audit, failed })
  }, firstAfterMs)
  return {
    findings: () => found,
    async stop() {
      clearTimeout(first)
      stopping.abort()
      await audits?.stop()
    },
  }
}

function report({ log, alarm }: AuditDeps, { orders, entries, findings, differences }: Books): number {
  for (const { check, ...finding } of findings)
    log.error({ check, rule: ruleOf(check), ...finding }, 'the books break a rule')
  for (const difference of differences) log.error(difference, 'a balance is not the sum of its entries')
  const found = findings.length + differences.length
  if (found > 0) alarm()
  else log.info({ orders, entries }, 'the books are sound')
  return found
}
