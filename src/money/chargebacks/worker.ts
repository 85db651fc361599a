// Reads the disputes of channels, opens and resolves chargebacks, and reminds merchants of deadlines. Any number of
// nodes may run this worker, because each report is applied once. A node has at most one call to each channel in
// progress, and the channels do not wait for each other. So a channel that does not answer delays neither other
// channels nor stored disputes.
import type { Logger } from 'pino'
import { type ClaimJob, startClaimLoop } from '../../platform/concurrency/claim-loop.ts'
import { createSkippedItems } from '../../platform/concurrency/isolate-failures.ts'
import { type Interval, type Repetition, repeat } from '../../platform/concurrency/repeat.ts'
import type { Channel, Disputes } from '../../rails/contract/channel.ts'
import { remindOfDeadlines } from './deadlines.ts'
import type { ReportedDispute } from './dispute-sql.ts'
import { type Failed, processDisputes, readDisputes } from './process-disputes.ts'
import type { DisputeDeps } from './take-dispute.ts'

type DisputeSource = Pick<Channel, 'name' | 'disputes'>

export type DisputeWorkerDeps = DisputeDeps & {
  readonly channels: { readonly all: readonly DisputeSource[] }
  readonly log: Logger
  /** The length of a minute in milliseconds. The sandbox and tests shorten it, and thereby the intervals. */
  readonly minuteMs: number
}

const SOONEST_MS = 100
const MINUTE_MS = 60_000
/**
 * The time that is needed to store the disputes that were read. A stop of the worker waits at most this long. The stop
 * does not wait for answers of channels.
 */
const STORE_MS = 5_000

export function startDisputes(deps: DisputeWorkerDeps & Interval): Repetition {
  const { clock, log, minuteMs } = deps
  const everyMs = Math.max(SOONEST_MS, Math.min(deps.everyMs, minuteMs / 10))
  const failed = reportOnce(deps)
  const taking = repeat({
    everyMs,
    async work() {
      const opened = await processDisputes(deps, failed)
      if (opened > 0) log.info({ opened }, 'chargebacks were opened')
    },
    failed: (error) => log.error({ err: error }, 'disputes could not be processed'),
  })
  const job = readingJob(deps, failed, taking.poke)
  const reading = startClaimLoop(job, { clock, everyMs, maxPerChannel: 1 })
  return {
    async stop() {
      await Promise.all([reading.stop(), taking.stop()])
    },
  }
}

export function startReminders(deps: Omit<DisputeWorkerDeps, 'channels'> & Interval): Repetition {
  const { log, everyMs, minuteMs } = deps
  return repeat({
    everyMs: Math.max(SOONEST_MS, (everyMs * minuteMs) / MINUTE_MS),
    work: async () => void (await remindOfDeadlines(deps)),
    failed: (error) => log.error({ err: error }, 'merchants could not be reminded of disputes'),
  })
}

/** Returns a function that logs a failing dispute and raises an alarm, at most once per ten minutes and dispute. */
function reportOnce({ clock, log, alarm }: DisputeWorkerDeps): Failed {
  const known = createSkippedItems(clock, (one: ReportedDispute) => `${one.channel} ${one.disputeRef}`)
  return (dispute, error) => {
    if (known.has(dispute)) return
    known.add(dispute)
    const { reference } = dispute
    log.error({ err: error, reference }, 'a dispute could not be processed; it is retried')
    alarm(reference, `a dispute could not be processed: ${String(error)}`)
  }
}

function readingJob(deps: DisputeWorkerDeps, failed: Failed, onRead: () => void): ClaimJob<DisputeSource> {
  // Channels with the same name belong to one configuration entry and have the same disputes, so each name is read
  // once.
  const sources = () => {
    const reporting = deps.channels.all.filter(({ disputes }) => disputes !== undefined)
    return [...new Map(reporting.map((channel) => [channel.name, channel])).values()]
  }
  const warn = (
    { name: channel }: DisputeSource,
    why: { readonly why: string } | { readonly err: unknown },
  ) => deps.log.warn({ channel, ...why }, 'the disputes of a channel could not be read')
  return {
    leaseMs: STORE_MS,
    claim: async ({ busy, limit }) =>
      sources()
        .filter(({ name }) => !busy.includes(name))
        .slice(0, limit),
    channelOf: ({ name }) => name,
    async run(channel, stopping) {
      const ask = (since: Date) => unlessStopped(channel.disputes?.(since), stopping)
      const why = await readDisputes(deps, { name: channel.name, disputes: ask }, failed)
      if (stopping.aborted) return
      if (why !== undefined) warn(channel, { why })
      onRead()
    },
    rowFailed: (error, channel) => warn(channel, { err: error }),
    claimFailed: (error) => deps.log.error({ err: error }, 'the channels could not be asked for disputes'),
  }
}

/** Waits for the channel's answer, but only until the worker stops. The next start asks for the same disputes. */
function unlessStopped(call: Promise<Disputes> | undefined, signal: AbortSignal): Promise<Disputes> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve({ kind: 'unknown', why: 'the gateway stops' })
    if (call === undefined || signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
