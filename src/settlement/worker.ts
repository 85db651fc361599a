import type { Logger } from 'pino'
import { type Repetition, repeat } from '../base/repeat.ts'
import { type SettleDeps, settleDue } from './settle-due.ts'

const EVERY_MS = 60_000

/** Settles what is due, every minute. */
export function startSettlement(deps: Omit<SettleDeps, 'failed'> & { readonly log: Logger }): Repetition {
  const { log, clock } = deps
  const failed = (merNo: number, error: unknown) =>
    log.error({ err: error, merNo }, 'a merchant could not be settled; it is tried again in a minute')
  return repeat({
    everyMs: EVERY_MS,
    async work() {
      const { sums, waiting } = await settleDue({ ...deps, failed }, clock.now())
      for (const { kind, currency, orders, amount } of sums)
        log.info({ kind, currency, orders, amount: amount.toString(), waiting }, 'settled what was due')
    },
    failed: (error) => log.error({ err: error }, 'settlement could not look for what is due'),
  })
}
