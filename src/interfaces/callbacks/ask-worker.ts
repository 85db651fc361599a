// Queries channels and payout rails for outcomes that they have new information about, such as a transfer on a chain or
// a return in a bank's file. Records these outcomes.
import type { Logger } from 'pino'
import { nextAskMs } from '../../money/orders/ask-again.ts'
import { CALL_GRACE_MS, orUnknown } from '../../money/orders/call-lease.ts'
import { type RecordingDeps, recordOutcome } from '../../money/payments/record-outcomes.ts'
import { type ReceivePayoutDeps, receivePayout } from '../../money/payouts/make-payout.ts'
import { payoutKeyOf } from '../../money/payouts/payout.ts'
import { callRefund, type ReceiveRefundDeps, receiveRefund } from '../../money/refunds/call-refund.ts'
import { findByNumber } from '../../money/refunds/find-refund.ts'
import { refundNoOf } from '../../money/refunds/refund.ts'
import { askReturn } from '../../money/reviews/ask-return.ts'
import { returnOf } from '../../money/reviews/review.ts'
import { type ClaimJob, startClaimLoop } from '../../platform/concurrency/claim-loop.ts'
import type { Interval, Repetition } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { PayoutRails } from '../../rails/routing/payout-routing.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { askLater, type ClaimedAsk, claimAsked, endAsk } from '../../rails/toolkit/records/store.ts'
import { ownAttempt } from './receive-callback.ts'

export type AskWorkerDeps = RecordingDeps &
  ReceiveRefundDeps &
  ReceivePayoutDeps & {
    readonly db: Db
    readonly channels: Channels
    readonly rails: Pick<PayoutRails, 'named' | 'longestTimeoutMs'>
    readonly log: Logger
  }

export function startAsking(deps: AskWorkerDeps & Interval): Repetition {
  return startClaimLoop(askJob(deps), { clock: deps.clock, everyMs: deps.everyMs })
}

export function askJob(deps: AskWorkerDeps): ClaimJob<ClaimedAsk> {
  const { db, channels, rails, log } = deps
  return {
    get leaseMs() {
      return Math.max(channels.longestTimeoutMs, rails.longestTimeoutMs) + CALL_GRACE_MS
    },
    claim: (claim) => claimAsked(db, claim),
    channelOf: ({ channel }) => channel,
    run: (due) => ask(deps, due),
    rowFailed: (error, { reference }) =>
      log.error({ err: error, reference }, 'an outcome could not be recorded; the channel is asked again'),
    claimFailed: (error) => log.error({ err: error }, 'the references to ask about could not be claimed'),
  }
}

/**
 * Queries the channel once about the reference. After each unknown outcome, the wait before the next query grows, up to
 * minutes.
 */
async function ask(deps: AskWorkerDeps, due: ClaimedAsk): Promise<void> {
  const asked =
    (await askRejected(deps, due)) ??
    (await askRefund(deps, due)) ??
    (await askPayout(deps, due)) ??
    (await askPayment(deps, due))
  if (asked !== 'unknown') return endAsk(deps.db, due)
  await askLater(deps.db, due, new Date(deps.clock.now().getTime() + nextAskMs(due.asks, 0)))
}

/**
 * The kind of the outcome, or `not theirs` if the channel may not report on the reference. Undefined if another
 * function handles this kind of reference.
 */
type Asked = Promise<string | undefined>

async function askRejected(deps: AskWorkerDeps, { channel, reference }: ClaimedAsk): Asked {
  if (returnOf(reference) === undefined) return undefined
  const asked = await askReturn(deps, channel, reference)
  if (asked !== undefined) return asked
  const what = `channel ${channel} learned something of a return that is decided here, or that it does not have`
  deps.alarm(reference, `${what}; compare with its records`)
  return 'not theirs'
}

async function askRefund(deps: AskWorkerDeps, { channel, reference }: ClaimedAsk): Asked {
  const refundNo = refundNoOf(reference)
  if (refundNo === undefined) return undefined
  const refund = await findByNumber(deps.db, refundNo)
  // callRefund sends the refund to the channel, so it must not be called while the refund waits for an operator.
  if (refund?.payment.channel !== channel || refund.state === 'waiting')
    return notTheirs(deps, channel, reference)
  const outcome = await callRefund(deps, refund)
  if (outcome === undefined) return 'unknown'
  await receiveRefund(deps, channel, reference, outcome, refund.asks)
  return outcome.kind
}

async function askPayout(deps: AskWorkerDeps, { channel, reference }: ClaimedAsk): Asked {
  if (payoutKeyOf(reference) === undefined) return undefined
  const rail = deps.rails.named(channel)
  if (rail === undefined) return notTheirs(deps, channel, reference)
  const outcome = await orUnknown('rail', () => rail.ask(reference))
  if (outcome.kind === 'absent') return notTheirs(deps, channel, reference)
  await receivePayout(deps, channel, reference, outcome)
  return outcome.kind
}

async function askPayment(deps: AskWorkerDeps, { channel: name, reference }: ClaimedAsk): Asked {
  const attempt = await ownAttempt(deps, name, reference)
  const channel = attempt && deps.channels.named(name, attempt.method)
  if (attempt === undefined || channel === undefined) return notTheirs(deps, name, reference)
  const { money, channelRef, action } = attempt
  const request = {
    reference,
    money,
    ...(channelRef !== undefined && { channelRef }),
    ...(action !== undefined && { action }),
  }
  const outcome = await orUnknown('channel', () => channel.ask(request))
  const recorded = await recordOutcome(deps, channel, attempt, outcome)
  const { tradeNo } = attempt
  const why = outcome.kind === 'unknown' ? outcome.why : undefined
  deps.log.info({ tradeNo, outcome: outcome.kind, why, state: recorded.orderState }, 'asked again')
  return outcome.kind
}

function notTheirs({ alarm }: AskWorkerDeps, channel: string, reference: string): 'not theirs' {
  alarm(reference, `channel ${channel} learned something of a reference that it does not have`)
  return 'not theirs'
}
