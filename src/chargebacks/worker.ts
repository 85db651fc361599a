import type { Logger } from 'pino'
import type { Channel, Disputes } from '../channels/contract.ts'
import { createSkippedItems } from '../concurrency/isolate-failures.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import type { ToldDispute } from './dispute-sql.ts'
import { type DisputeDeps, readDisputes, takeDisputes } from './take-disputes.ts'

type DisputeSource = Pick<Channel, 'name' | 'disputes'>

export type DisputeWorkerDeps = DisputeDeps & {
  readonly channels: { readonly all: readonly DisputeSource[] }
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
  const known = createSkippedItems(deps.clock, (one: ToldDispute) => `${one.channel} ${one.disputeRef}`)
  const failed = (dispute: ToldDispute, error: unknown) => {
    if (known.has(dispute)) return
    known.add(dispute)
    const { reference } = dispute
    log.error({ err: error, reference }, 'a dispute could not be taken; it is tried again')
    deps.alarm(reference, `a dispute could not be taken: ${String(error)}`)
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const read = async (channel: DisputeSource) => {
    const ask = (since: Date) => unlessStopped(channel.disputes?.(since), signal)
    const why = await readDisputes(deps, { name: channel.name, disputes: ask }, failed).catch(String)
    if (why !== undefined && !signal.aborted)
      log.warn({ channel: channel.name, why }, 'a channel could not tell its disputes')
  }
  const looking = repeat({
    everyMs: Math.max(SOONEST_MS, Math.min(LATEST_MS, minuteMs / 10)),
    async work() {
      // All at once: a channel that does not answer holds up no other.
      await Promise.all(deps.channels.all.filter(({ disputes }) => disputes !== undefined).map(read))
      if (signal.aborted) return
      const opened = await takeDisputes(deps, failed)
      if (opened > 0) log.info({ opened }, 'chargebacks were opened')
    },
    failed: (error) => log.error({ err: error }, 'disputes could not be looked for'),
  })
  return {
    stop() {
      stopping.abort()
      return looking.stop()
    },
  }
}

/** Nothing is lost with an answer that a stop does not wait for: the next start asks for the same disputes. */
function unlessStopped(call: Promise<Disputes> | undefined, signal: AbortSignal): Promise<Disputes> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve({ kind: 'unknown', why: 'the gateway stops' })
    if (call === undefined || signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
