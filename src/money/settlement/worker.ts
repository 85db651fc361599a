import type { Logger } from 'pino'
import { type Interval, type Repetition, repeat } from '../../platform/concurrency/repeat.ts'
import { type SettleDeps, settleDue } from './settle-due.ts'

export type SettlementDeps = Omit<SettleDeps, 'failed'> & {
  readonly log: Logger
  readonly alarm: (subject: string, what: string) => void
}

export function startSettlement(deps: SettlementDeps & Interval): Repetition {
  const { log, clock, alarm } = deps
  const failed = (merNo: number, error: unknown, tradeNo?: string) => {
    log.error({ err: error, merNo, tradeNo }, 'could not be settled; it is tried again in a minute')
    alarm(tradeNo ?? `merchant ${merNo}`, `could not be settled: ${String(error)}`)
  }
  return repeat({
    everyMs: deps.everyMs,
    async work() {
      const { sums, waiting } = await settleDue({ ...deps, failed }, clock.now())
      for (const { kind, currency, orders, amount } of sums)
        log.info({ kind, currency, orders, amount: amount.toString(), waiting }, 'settled what was due')
    },
    failed: (error) => log.error({ err: error }, 'due settlements could not be read'),
  })
}
