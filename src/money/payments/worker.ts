// The resolver: asks the channels about open attempts. It ends unknown outcomes, calls that a crash interrupted, and attempts
// whose payer never came. Where the counterparty has a payment from its start, it also finds those whose callback was lost. The
// loop, its leases and its bound per channel are in concurrency/claim-loop.ts.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { AttemptRef, Channel, Outcome } from '../channels/contract.ts'
import type { Channels } from '../channels/routing.ts'
import { type Claim, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { Repetition } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { claimAttempts, type OpenAttempt, sweepCalls } from '../orders/open-attempts.ts'
import { attemptReference, isDecided, payerExpiry } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
import { orUnknown, type RecordingDeps, recordOutcome } from './make-payment.ts'
import { forgetCancellation, isCancellationWanted } from './want-cancellation.ts'

export type ResolverDeps = RecordingDeps & {
  readonly db: Db
  readonly channels: Channels
  readonly clock: Clock
  readonly log: Logger
}

const POLL_MS = 500

export function startResolver(deps: ResolverDeps): Repetition {
  const { db, clock, channels, log } = deps
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
  return startClaimLoop(job, { clock, everyMs: POLL_MS })
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
  const outcome = await orUnknown(call(requestOf(due)))
  const recorded = await recordOutcome(deps, channel, due, outcome, meaning)
  if (meaning.cancels && isDecided(recorded.attemptState)) await forgetCancellation(deps, channel, due)
  const { tradeNo } = due
  const why = outcome.kind === 'unknown' ? outcome.why : undefined
  deps.log.info({ tradeNo, outcome: outcome.kind, why, state: recorded.orderState }, 'asked again')
}

function requestOf(due: OpenAttempt): AttemptRef {
  return {
    reference: attemptReference(due.tradeNo, due.attemptNo),
    money: due.money,
    ...(due.channelRef !== undefined && { channelRef: due.channelRef }),
    ...(due.action !== undefined && { action: due.action }),
  }
}

type Step = {
  readonly call: (request: AttemptRef) => Promise<Outcome>
  readonly meaning: { readonly keepsOrder?: true; readonly cancels?: true }
}

/**
 * A pending attempt that is due has waited for its payer long enough, unless its channel is asked about it meanwhile: such an
 * answer means what a callback means. After an attempt that was never opened, the payer has the remaining attempts. A payer
 * who did not come has none.
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
