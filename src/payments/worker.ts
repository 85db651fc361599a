// The resolver: asks the channel again about attempts whose outcome is open. Unknown outcomes, calls that a crash cut off,
// and payers who never came all end here. The loop, its leases and its bound per channel are in concurrency/claim-loop.ts.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { AttemptRef, Channel, Outcome, PayerAction } from '../channels/contract.ts'
import type { Channels } from '../channels/registry.ts'
import { type Claim, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { Repetition } from '../concurrency/repeat.ts'
import type { Db } from '../postgres/db.ts'
import { givenArray, itself, text } from '../postgres/lists.ts'
import { type RecordingDeps, recordOutcome, surely } from './call-channels.ts'
import { type AttemptState, attemptReference, CALL_GRACE_MS } from './payment.ts'

export type ResolverDeps = RecordingDeps & {
  readonly db: Db
  readonly channels: Channels
  readonly clock: Clock
  readonly log: Logger
}

const POLL_MS = 500

export function startResolver(deps: ResolverDeps): Repetition {
  const { db, clock, channels, log } = deps
  const job = {
    leaseMs: channels.longestTimeoutMs + CALL_GRACE_MS,
    claim: (claim: Claim) => claimDue(db, claim),
    channelOf: ({ channel }: Due) => channel,
    run: (due: Due) => resolve(deps, due),
    rowFailed: (error: unknown, { trade_no: tradeNo }: Due) =>
      log.error({ err: error, tradeNo }, 'an outcome could not be recorded; the channel is asked again'),
    claimFailed: (error: unknown) => log.error({ err: error }, 'due attempts could not be claimed'),
  }
  return startClaimLoop(job, { clock, everyMs: POLL_MS })
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

async function resolve(deps: ResolverDeps, due: Due): Promise<void> {
  const channel = deps.channels.named(due.channel)
  if (channel === undefined) {
    deps.log.error(
      { tradeNo: due.trade_no, channel: due.channel },
      'an open attempt names a channel that is not set up',
    )
    return
  }
  const outcome = await surely(askOrCancel(channel, due))
  const key = { merNo: Number(due.mer_no), tradeNo: due.trade_no, attemptNo: due.attempt_no }
  const recorded = await recordOutcome(deps, channel, key, outcome, ifFailed(due))
  deps.log.info({ tradeNo: due.trade_no, outcome: outcome.kind, state: recorded.orderState }, 'asked again')
}

/** A pending attempt that is due has waited for its payer long enough. */
function askOrCancel(channel: Channel, due: Due): Promise<Outcome> {
  const request: AttemptRef = {
    reference: attemptReference(due.trade_no, due.attempt_no),
    money: { amount: due.amount, currency: due.currency },
    ...(due.channel_ref !== null && { channelRef: due.channel_ref }),
    ...(due.action !== null && { action: due.action }),
  }
  return due.state === 'pending' ? channel.cancel(request) : channel.ask(request)
}

/** An attempt that was never opened leaves the payer the remaining tries. A payer who did not come had their chance. */
function ifFailed({ state }: Due): { readonly keepsOrder?: true } {
  return state === 'pending' ? {} : { keepsOrder: true }
}

function claimDue(db: Db, due: Claim): Promise<Due[]> {
  const values = [due.now, due.leaseUntil, due.limit, busy.value(due.busy)]
  return db.query<Due>({ name: 'attempts.claim', text: claimText, values })
}

const busy = givenArray(text<string>(itself), 4)

const claimText = `
  with due as (
    select mer_no, trade_no, attempt_no from attempts
    where ask_at <= $1 and channel <> all (${busy.text})
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
