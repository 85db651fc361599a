// Asks channels about payments that they have learned something about, such as a transfer on a chain or in a bank's file, and
// records the outcome.
import type { Logger } from 'pino'
import { merNoOf } from '../base/id.ts'
import { type ClaimedAsk, claimAsked, endAsk } from '../channels/asks.ts'
import type { Channels } from '../channels/routing.ts'
import { type ClaimJob, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { Repetition } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { findAttempt } from '../orders/open-attempts.ts'
import { attemptOf } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
import { orUnknown, type RecordingDeps, recordOutcome } from './make-payment.ts'

export type AskWorkerDeps = RecordingDeps & {
  readonly db: Db
  readonly channels: Channels
  readonly log: Logger
}

const POLL_MS = 500

export function startAsking(deps: AskWorkerDeps): Repetition {
  return startClaimLoop(askJob(deps), { clock: deps.clock, everyMs: POLL_MS })
}

export function askJob(deps: AskWorkerDeps): ClaimJob<ClaimedAsk> {
  const { db, channels, log } = deps
  return {
    get leaseMs() {
      return channels.longestTimeoutMs + CALL_GRACE_MS
    },
    claim: (claim) => claimAsked(db, claim),
    channelOf: ({ channel }) => channel,
    run: (due) => ask(deps, due),
    rowFailed: (error, { reference }) =>
      log.error({ err: error, reference }, 'an outcome could not be recorded; the channel is asked again'),
    claimFailed: (error) => log.error({ err: error }, 'the payments to ask about could not be claimed'),
  }
}

async function ask(deps: AskWorkerDeps, due: ClaimedAsk): Promise<void> {
  const { channel: name, reference } = due
  const key = attemptOf(reference)
  const merNo = key && merNoOf(key.tradeNo)
  const attempt = key && merNo !== undefined ? await findAttempt(deps.db, { ...key, merNo }) : undefined
  const channel = attempt?.channel === name ? deps.channels.named(name, attempt.method) : undefined
  if (attempt === undefined || channel === undefined) {
    deps.alarm(reference, `channel ${name} has news of an attempt that it does not have`)
    return endAsk(deps.db, due)
  }
  const { money, channelRef, action } = attempt
  const request = {
    reference,
    money,
    ...(channelRef !== undefined && { channelRef }),
    ...(action !== undefined && { action }),
  }
  const outcome = await orUnknown(channel.ask(request))
  const recorded = await recordOutcome(deps, channel, attempt, outcome)
  // Without an answer the row is claimed again when its lease ends.
  if (outcome.kind !== 'unknown') await endAsk(deps.db, due)
  deps.log.info(
    { tradeNo: attempt.tradeNo, outcome: outcome.kind, state: recorded.orderState },
    'asked again',
  )
}
