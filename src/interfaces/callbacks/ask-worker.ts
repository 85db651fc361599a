// Asks channels and rails about payments, refunds and payouts that they have learned something about, such as a transfer on a
// chain or a return in a bank's file, and records the outcome.
import type { Logger } from 'pino'
import { merNoOf } from '../base/id.ts'
import { whyOf } from '../base/why.ts'
import { askLater, type ClaimedAsk, claimAsked, endAsk } from '../channels/asks.ts'
import type { PayoutRails } from '../channels/payout/registry.ts'
import type { Channels } from '../channels/routing.ts'
import { type ClaimJob, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { Repetition } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS, nextAskMs } from '../orders/ask-again.ts'
import { findAttempt } from '../orders/open-attempts.ts'
import { attemptOf } from '../orders/order.ts'
import { orUnknown, type RecordingDeps, recordOutcome } from '../payments/make-payment.ts'
import { payoutKeyOf } from '../payouts/payout.ts'
import { type ReceivePayoutDeps, receivePayout } from '../payouts/receive-payout.ts'
import type { Db } from '../postgres/db.ts'
import { callRefund } from '../refunds/call-refund.ts'
import { findByNumber } from '../refunds/find-refund.ts'
import { type ReceiveRefundDeps, receiveRefund } from '../refunds/receive-refund.ts'
import { refundNoOf } from '../refunds/refund.ts'
import { askReturn } from '../reviews/receive-return.ts'
import { returnOf } from '../reviews/review.ts'

export type AskWorkerDeps = RecordingDeps &
  ReceiveRefundDeps &
  ReceivePayoutDeps & {
    readonly db: Db
    readonly channels: Channels
    readonly rails: Pick<PayoutRails, 'named' | 'longestTimeoutMs'>
    readonly log: Logger
  }

const POLL_MS = 500

export function startAsking(deps: AskWorkerDeps): Repetition {
  return startClaimLoop(askJob(deps), { clock: deps.clock, everyMs: POLL_MS })
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

/** Without an answer it is asked about again, after pauses that grow to minutes. */
async function ask(deps: AskWorkerDeps, due: ClaimedAsk): Promise<void> {
  const asked =
    (await askRejected(deps, due)) ??
    (await askRefund(deps, due)) ??
    (await askPayout(deps, due)) ??
    (await askPayment(deps, due))
  if (asked !== 'unknown') return endAsk(deps.db, due)
  await askLater(deps.db, due, new Date(deps.clock.now().getTime() + nextAskMs(due.asks, 0)))
}

/** The kind of the outcome, or that nothing of the channel has the reference; undefined if it is of another kind. */
type Asked = Promise<string | undefined>

/** The return of a rejected payment. */
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
  // To ask about a refund is to send it, and one that waits for an operator must not leave this way.
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
  const outcome = await rail.ask(reference).catch((error: unknown) => {
    return { kind: 'unknown' as const, why: `the rail's code failed: ${whyOf(error)}` }
  })
  if (outcome.kind === 'absent') return notTheirs(deps, channel, reference)
  await receivePayout(deps, channel, reference, outcome)
  return outcome.kind
}

async function askPayment(deps: AskWorkerDeps, { channel: name, reference }: ClaimedAsk): Asked {
  const key = attemptOf(reference)
  const merNo = key && merNoOf(key.tradeNo)
  const attempt = key && merNo !== undefined ? await findAttempt(deps.db, { ...key, merNo }) : undefined
  const channel = attempt?.channel === name ? deps.channels.named(name, attempt.method) : undefined
  if (attempt === undefined || channel === undefined) return notTheirs(deps, name, reference)
  const { money, channelRef, action } = attempt
  const request = {
    reference,
    money,
    ...(channelRef !== undefined && { channelRef }),
    ...(action !== undefined && { action }),
  }
  const outcome = await orUnknown(channel.ask(request))
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
