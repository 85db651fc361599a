// Asks channels for their disputes, opens chargebacks, and reminds merchants of deadlines. Any number of nodes may do so: each dispute is processed once.
//
// Channels are read independently, each by one call at a time: a channel that does not answer delays neither the others nor
// the stored disputes.
import type { Logger } from 'pino'
import type { Channel, Disputes } from '../channels/contract.ts'
import { type ClaimJob, startClaimLoop } from '../concurrency/claim-loop.ts'
import { createSkippedItems } from '../concurrency/isolate-failures.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import type { ReportedDispute } from './dispute-sql.ts'
import { type Failed, processDisputes, readDisputes } from './process-disputes.ts'
import { remindOfDeadlines } from './remind.ts'
import type { DisputeDeps } from './take-dispute.ts'

type DisputeSource = Pick<Channel, 'name' | 'disputes'>

export type DisputeWorkerDeps = DisputeDeps & {
  readonly channels: { readonly all: readonly DisputeSource[] }
  readonly log: Logger
  /** The length of a minute; tests shorten it. */
  readonly minuteMs: number
}

const SOONEST_MS = 100
const LATEST_MS = 5_000
/** A stop does not wait for a channel's answer, so this is the time to store what was read. */
const STORE_MS = 5_000

export function startDisputes(deps: DisputeWorkerDeps): Repetition {
  const { clock, log, minuteMs } = deps
  const everyMs = Math.max(SOONEST_MS, Math.min(LATEST_MS, minuteMs / 10))
  const failed = reportOnce(deps)
  const taking = repeat({
    everyMs,
    async work() {
      const opened = await processDisputes(deps, failed)
      if (opened > 0) log.info({ opened }, 'chargebacks were opened')
    },
    failed: (error) => log.error({ err: error }, 'disputes could not be processed'),
  })
  const reminding = repeat({
    everyMs: Math.max(SOONEST_MS, minuteMs),
    work: async () => void (await remindOfDeadlines(deps)),
    failed: (error) => log.error({ err: error }, 'merchants could not be reminded of disputes'),
  })
  const job = readingJob(deps, failed, taking.poke)
  const reading = startClaimLoop(job, { clock, everyMs, maxPerChannel: 1 })
  return {
    async stop() {
      await Promise.all([reading.stop(), taking.stop(), reminding.stop()])
    },
  }
}

/** Limits alarms: the channel reports a failing dispute again at every read. */
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
  // The channels of one entry share its disputes.
  const sources = () => {
    const reporting = deps.channels.all.filter(({ disputes }) => disputes !== undefined)
    return [...new Map(reporting.map((channel) => [channel.name, channel])).values()]
  }
  const warn = (channel: DisputeSource, why: string) =>
    deps.log.warn({ channel: channel.name, why }, 'the disputes of a channel could not be read')
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
      if (why !== undefined) warn(channel, why)
      onRead()
    },
    rowFailed: (error, channel) => warn(channel, String(error)),
    claimFailed: (error) => deps.log.error({ err: error }, 'the channels could not be asked for disputes'),
  }
}

/** A stop does not wait for the answer: the next start asks for the same disputes. */
function unlessStopped(call: Promise<Disputes> | undefined, signal: AbortSignal): Promise<Disputes> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve({ kind: 'unknown', why: 'the gateway stops' })
    if (call === undefined || signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
