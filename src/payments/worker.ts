// The resolver: asks again about attempts whose outcome is open when their time has come. Unknown outcomes, calls that a
// crash cut off, and payers who never came all end here. Any number of nodes may run it: a claim skips what another holds,
// and moves the asking time on by a lease, so that a node that dies delays its claims by no more than that.
// A slow channel holds up its own attempts only: nobody waits here for a call, and each channel has a bound of its own.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { AttemptRef, Channel, Outcome, PayerAction } from '../channels/contract.ts'
import type { Channels } from '../channels/registry.ts'
import { createCallSlots } from '../concurrency/call-slots.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import { type AttemptState, attemptReference, CALL_GRACE_MS } from '../orders/order.ts'
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

type Due = {
  readonly mer_no: bigint
  readonly trade_no: string
  readonly attempt_no: number
  readonly channel: string
  readonly channel_ref: string | null
  readonly action: PayerAction | null
  readonly state: AttemptState
  readonly currency: string
  readonly amount: bigint
}

/** Ends once the outcome is recorded, and never throws. */
async function resolve(deps: ResolverDeps, due: Due): Promise<void> {
  const channel = deps.channels.named(due.channel)
  if (channel === undefined) {
    deps.log.error(
      { tradeNo: due.trade_no, channel: due.channel },
      'an open attempt names a channel that is not set up',
    )
    return
  }
  try {
    const outcome = await surely(askOrCancel(channel, due))
    const key = { merNo: Number(due.mer_no), tradeNo: due.trade_no, attemptNo: due.attempt_no }
    const recorded = await recordOutcome(deps, channel, key, outcome, ifFailed(due))
    deps.log.info({ tradeNo: due.trade_no, outcome: outcome.kind, state: recorded.orderState }, 'asked again')
  } catch (error) {
    deps.log.error(
      { err: error, tradeNo: due.trade_no },
      'an outcome could not be recorded; it is asked for again',
    )
  }
}

/** Whoever was pending until now has waited for a payer long enough. */
function askOrCancel(channel: Channel, due: Due): Promise<Outcome> {
  const request: AttemptRef = {
    reference: attemptReference(due.trade_no, due.attempt_no),
    money: { amount: due.amount, currency: due.currency },
    ...(due.channel_ref !== null && { channelRef: due.channel_ref }),
    ...(due.action !== null && { action: due.action }),
  }
  return due.state === 'pending' ? channel.cancel(request) : channel.ask(request)
}

/** What turns out never to have been opened leaves the payer the tries that are left; who did not come had them. */
function ifFailed({ state }: Due): { readonly keepsOrder?: true } {
  return state === 'pending' ? {} : { keepsOrder: true }
}

/** Claimed for longer than any call takes, so that two nodes do not ask about the same attempt at once. */
function claim({ db, clock, channels }: ResolverDeps, busy: readonly string[]): Promise<Due[]> {
  const now = clock.now()
  const leaseMs = channels.longestTimeoutMs + CALL_GRACE_MS
  return db.query<Due>({
    name: 'attempts.claim',
    text: claimText,
    values: [now, new Date(now.getTime() + leaseMs), CLAIM_LIMIT, busy],
  })
}

const claimText = `
  with due as (
    select mer_no, trade_no, attempt_no from attempts
    where ask_at <= $1 and channel <> all($4::text[])
    order by ask_at
    limit $3
    for update skip locked
  )
  update attempts a set ask_at = $2, asks = a.asks + 1
  from due join orders o using (mer_no, trade_no)
  where a.mer_no = due.mer_no and a.trade_no = due.trade_no and a.attempt_no = due.attempt_no
  returning a.mer_no, a.trade_no, a.attempt_no, a.channel, a.channel_ref, a.action, a.state, o.currency, o.amount`

/** How many attempts wait for an answer. */
export async function countUnknown(db: Db): Promise<number> {
  const [row] = await db.query<{ unknown: bigint }>({
    text: `select count(*) as unknown from attempts where ask_at is not null and state = 'unknown'`,
  })
  return Number(row?.unknown ?? 0)
}
