// The resolver asks the channels about open attempts: attempts with an unknown outcome, calls that a crash interrupted,
// and attempts whose payer did not act in time. At channels with `askWaiting`, the resolver also asks about attempts
// that wait for their payer, and finds payments whose callback was lost. The loop, its leases and its limit per channel
// are in concurrency/claim-loop.ts.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import { type Claim, startClaimLoop } from '../../platform/concurrency/claim-loop.ts'
import type { Interval, Repetition } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { AttemptRef, Channel, Outcome } from '../../rails/contract/channel.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { CALL_GRACE_MS, orUnknown } from '../orders/call-lease.ts'
import { claimAttempts, type OpenAttempt, sweepCalls } from '../orders/open-attempts.ts'
import { isDecided, payerExpiry } from '../orders/order.ts'
import { forgetCancellation, isCancellationWanted } from './cancel-payment.ts'
import { attemptRef } from './complete-payment.ts'
import { type RecordingDeps, recordOutcome } from './record-outcomes.ts'

export type ResolverDeps = RecordingDeps & {
  readonly db: Db
  readonly channels: Channels
  readonly clock: Clock
  readonly log: Logger
}

export function startResolver(deps: ResolverDeps & Interval): Repetition {
  const { db, clock, channels, log, everyMs } = deps
  const sweep = sweepCalls(db, (error) => log.error({ err: error }, 'lost calls could not be looked for'))
  const job = {
    get leaseMs() {
      return channels.longestTimeoutMs + CALL_GRACE_MS
    },
    async claim(claim: Claim) {
      await sweep()
      return claimAttempts(db, claim)
    },
    channelOf: ({ channel }: OpenAttempt) => channel,
    run: (due: OpenAttempt) => resolve(deps, due),
    rowFailed: (error: unknown, { tradeNo }: OpenAttempt) =>
      log.error({ err: error, tradeNo }, 'an outcome could not be recorded; the channel is asked again'),
    claimFailed: (error: unknown) => log.error({ err: error }, 'due attempts could not be claimed'),
  }
  return startClaimLoop(job, { clock, everyMs })
}

async function resolve(deps: ResolverDeps, due: OpenAttempt): Promise<void> {
  const channel = deps.channels.named(due.channel, due.method)
  if (channel === undefined) {
    deps.log.error(
      { tradeNo: due.tradeNo, channel: due.channel },
      'an open attempt names a channel that is not set up',
    )
    return
  }
  const { call, meaning } = await stepOf(deps, channel, due)
  const outcome = await orUnknown('channel', () => call(attemptRef(due, { ...due, no: due.attemptNo })))
  const recorded = await recordOutcome(deps, channel, due, outcome, meaning)
  if (meaning.cancels && isDecided(recorded.attemptState)) await forgetCancellation(deps, channel, due)
  const { tradeNo } = due
  const why = outcome.kind === 'unknown' ? outcome.why : undefined
  deps.log.info({ tradeNo, outcome: outcome.kind, why, state: recorded.orderState }, 'asked again')
}

type Step = {
  readonly call: (request: AttemptRef) => Promise<Outcome>
  readonly meaning: { readonly keepsOrder?: true; readonly cancels?: true }
}

/**
 * Returns the call for a due attempt. A pending attempt is cancelled if its channel has no `askWaiting`, if the payer's
 * time is over, or if the payer cancelled the order. Otherwise the channel is asked, and its response counts like a
 * callback. When a pending attempt ends as cancelled, its order ends too. When any other attempt ends as cancelled, its
 * order stays open for the payer's remaining attempts (`keepsOrder`).
 */
async function stepOf(deps: ResolverDeps, channel: Channel, due: OpenAttempt): Promise<Step> {
  if (due.state !== 'pending')
    return { call: (request) => channel.ask(request), meaning: { keepsOrder: true } }
  const cancel: Step = { call: (request) => channel.cancel(request), meaning: { cancels: true } }
  const { askWaiting, traits } = channel
  const isOver = deps.clock.now() >= payerExpiry(due.createdAt, traits.awaitsPayerMinutes)
  if (askWaiting === undefined || isOver || (await isCancellationWanted(deps, channel, due))) return cancel
  return { call: (request) => askWaiting.call(channel, request), meaning: {} }
}
