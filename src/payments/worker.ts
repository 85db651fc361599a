// The resolver: asks the channels about open attempts. It ends unknown outcomes, calls that a crash interrupted, and attempts
// whose payer never came. The loop, its leases and its bound per channel are in concurrency/claim-loop.ts.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { AttemptRef, Channel, Outcome } from '../channels/contract.ts'
import type { Channels } from '../channels/routing.ts'
import { type Claim, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { Repetition } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { claimAttempts, type OpenAttempt, sweepCalls } from '../orders/open-attempts.ts'
import { attemptReference } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
import { orUnknown, type RecordingDeps, recordOutcome } from './make-payment.ts'

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
  const outcome = await orUnknown(askOrCancel(channel, due))
  const recorded = await recordOutcome(deps, channel, due, outcome, meaningOf(due))
  const { tradeNo } = due
  const why = outcome.kind === 'unknown' ? outcome.why : undefined
  deps.log.info({ tradeNo, outcome: outcome.kind, why, state: recorded.orderState }, 'asked again')
}

/** A pending attempt that is due has waited for its payer long enough. */
function askOrCancel(channel: Channel, due: OpenAttempt): Promise<Outcome> {
  const request: AttemptRef = {
    reference: attemptReference(due.tradeNo, due.attemptNo),
    money: due.money,
    ...(due.channelRef !== undefined && { channelRef: due.channelRef }),
    ...(due.action !== undefined && { action: due.action }),
  }
  return due.state === 'pending' ? channel.cancel(request) : channel.ask(request)
}

/** After an attempt that was never opened, the payer has the remaining attempts. A payer who did not come has none. */
function meaningOf({ state }: OpenAttempt): { readonly keepsOrder?: true; readonly cancels?: true } {
  return state === 'pending' ? { cancels: true } : { keepsOrder: true }
}
