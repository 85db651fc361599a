// The resolver: asks channels again about attempts whose outcome is open. Unknown outcomes, calls that a crash cut off, and
// payers who never came all end here. Any number of nodes may run it. A slow channel delays its own attempts only: nobody
// waits here for a call, and each channel has a bound of its own.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { AttemptRef, Channel, Outcome } from '../channels/contract.ts'
import type { Channels } from '../channels/registry.ts'
import { createCallSlots } from '../concurrency/call-slots.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { attemptReference } from '../orders/keys.ts'
import { claimAttempts, type OpenAttempt } from '../orders/open-attempts.ts'
import type { Db } from '../postgres/db.ts'
import { type RecordingDeps, recordOutcome, surely } from './call-channels.ts'

export type ResolverDeps = RecordingDeps & {
  readonly db: Db
  readonly channels: Channels
  readonly clock: Clock
  readonly log: Logger
}

const POLL_MS = 500
const CLAIM_LIMIT = 50
const MOST_AT_A_CHANNEL = 100

export function startResolver(deps: ResolverDeps): Repetition {
  const slots = createCallSlots({ mostPerChannel: MOST_AT_A_CHANNEL })

  async function look(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const due = await claim(deps, slots.busy())
      for (const attempt of due) slots.follow(attempt.channel, resolve(deps, attempt))
      isMore = due.length === CLAIM_LIMIT
    }
  }

  const looking = repeat({
    everyMs: POLL_MS,
    work: look,
    failed: (error) => deps.log.error({ err: error }, 'the resolver could not look'),
  })
  return {
    async stop() {
      await looking.stop()
      await slots.idle()
    },
  }
}

/** Ends once the outcome is recorded, and never throws. */
async function resolve(deps: ResolverDeps, due: OpenAttempt): Promise<void> {
  const channel = deps.channels.named(due.channel)
  if (channel === undefined) {
    deps.log.error(
      { tradeNo: due.tradeNo, channel: due.channel },
      'an open attempt names a channel that is not set up',
    )
    return
  }
  try {
    const outcome = await surely(askOrCancel(channel, due))
    const recorded = await recordOutcome(deps, channel, due, outcome, ifFailed(due))
    deps.log.info({ tradeNo: due.tradeNo, outcome: outcome.kind, state: recorded.orderState }, 'asked again')
  } catch (error) {
    deps.log.error(
      { err: error, tradeNo: due.tradeNo },
      'an outcome could not be recorded; it is asked for again',
    )
  }
}

/** One that is still pending has waited for its payer long enough. */
function askOrCancel(channel: Channel, due: OpenAttempt): Promise<Outcome> {
  const request: AttemptRef = {
    reference: attemptReference(due.tradeNo, due.attemptNo),
    money: due.money,
    ...(due.channelRef !== undefined && { channelRef: due.channelRef }),
    ...(due.action !== undefined && { action: due.action }),
  }
  return due.state === 'pending' ? channel.cancel(request) : channel.ask(request)
}

/** One that was never opened leaves the payer the tries that are left; a payer who did not come gets no other. */
function ifFailed({ state }: OpenAttempt): { readonly keepsOrder?: true } {
  return state === 'pending' ? {} : { keepsOrder: true }
}

/** Claimed for longer than any call takes, so that two nodes do not ask about the same attempt at once. */
function claim({ db, clock, channels }: ResolverDeps, busyChannels: readonly string[]) {
  const now = clock.now()
  const until = new Date(now.getTime() + channels.longestTimeoutMs + CALL_GRACE_MS)
  return claimAttempts(db, { now, until, limit: CLAIM_LIMIT, busyChannels })
}
