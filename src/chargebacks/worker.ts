import type { Logger } from 'pino'
import { createSetAside } from '../base/each-surely.ts'
import { type Repetition, repeat } from '../base/repeat.ts'
import type { Channels } from '../channels/registry.ts'
import type { ToldDispute } from './dispute-sql.ts'
import { type DisputeDeps, readDisputes, takeDisputes } from './take-disputes.ts'

export type DisputeWorkerDeps = DisputeDeps & {
  readonly channels: Pick<Channels, 'all'>
  readonly log: Logger
  /** How long a minute lasts: the shorter, the sooner a dispute is looked for. */
  readonly minuteMs: number
}

const SOONEST_MS = 100
const LATEST_MS = 5_000

/** Asks channels for disputes, and opens their chargebacks. Any number of nodes may: each dispute is taken once. */
export function startDisputes(deps: DisputeWorkerDeps): Repetition {
  const { log, minuteMs } = deps
  // A channel tells a dispute again and again, and one that waits is looked at in every round: an alarm each would be noise.
  const known = createSetAside(deps.clock, (one: ToldDispute) => `${one.channel} ${one.disputeRef}`)
  const failed = (dispute: ToldDispute, error: unknown) => {
    if (known.has(dispute)) return
    known.add(dispute)
    const { reference } = dispute
    log.error({ err: error, reference }, 'a dispute could not be taken; it is tried again')
    deps.alarm(reference, `a dispute could not be taken: ${String(error)}`)
  }
  return repeat({
    everyMs: Math.max(SOONEST_MS, Math.min(LATEST_MS, minuteMs / 10)),
    async work() {
      for (const channel of deps.channels.all) {
        const why = await readDisputes(deps, channel, failed).catch(String)
        if (why !== undefined)
          log.warn({ channel: channel.name, why }, 'a channel could not tell its disputes')
      }
      const opened = await takeDisputes(deps, failed)
      if (opened > 0) log.info({ opened }, 'chargebacks were opened')
    },
    failed: (error) => log.error({ err: error }, 'disputes could not be looked for'),
  })
}
