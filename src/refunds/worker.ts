// Hands accepted refunds to their channels, and asks again about those that are not decided: for a refund both is the same
// call with the same reference, so a crash, a lost answer and a slow bank need no other rule. Any number of nodes may run
// it: a claim skips what another holds, and moves the asking time on by a lease. Each channel has its own bound on calls
// under way, so that one that does not answer leaves the others their room.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { RefundOutcome, RefundRequest } from '../channels/contract.ts'
import type { Channels } from '../channels/registry.ts'
import { createCallSlots } from '../concurrency/call-slots.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { attemptReference } from '../orders/keys.ts'
import type { Db } from '../postgres/db.ts'
import type { RefundBatches } from './batches.ts'
import { type Refund, refundReference } from './refund.ts'
import { claimDue, type OpenCounts, selectOpenCounts } from './sql.ts'

export type RefundWorkerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly channels: Channels
  readonly refundBatches: Pick<RefundBatches, 'record'>
  readonly log: Logger
  /** Something that people must look at. */
  readonly alarm: (tradeNo: string, what: string) => void
}

export type RefundWorker = {
  /** Looks now rather than at the next poll. */
  poke(): void
  /** Stops looking and waits for what is under way. */
  stop(): Promise<void>
}

const POLL_MS = 500
const CLAIM_LIMIT = 50
const MOST_AT_A_CHANNEL = 100

export function startRefundWorker(deps: RefundWorkerDeps): RefundWorker {
  const slots = createCallSlots({ mostPerChannel: MOST_AT_A_CHANNEL, onFree: poke })
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let again = false
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    do {
      again = false
      const calls = await callDue(deps, CLAIM_LIMIT, slots.busy())
      for (const { channel, done } of calls) slots.follow(channel, done)
      if (calls.length === CLAIM_LIMIT) again = true
    } while (again && !stopped)
  }

  function poke(): void {
    again = true
    if (looking !== undefined || stopped) return
    clearTimeout(timer)
    looking = look()
      .catch((error: Error) => deps.log.error({ err: error }, 'the refund worker could not look'))
      .then(() => {
        looking = undefined
        if (!stopped) timer = setTimeout(poke, POLL_MS)
      })
  }
  poke()

  return {
    poke,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      await slots.idle()
    },
  }
}

/** `done` once its outcome is recorded; it never rejects. */
export type DueCall = { readonly channel: string; readonly done: Promise<void> }

/** Claims what is due, at channels that are not busy, and calls for each. */
export async function callDue(
  deps: RefundWorkerDeps,
  limit: number,
  busy: readonly string[] = [],
): Promise<DueCall[]> {
  const now = deps.clock.now()
  const leaseUntil = new Date(now.getTime() + deps.channels.longestTimeoutMs + CALL_GRACE_MS)
  const due = await claimDue(deps.db, { now, leaseUntil, limit, busy })
  return due.map((refund) => ({ channel: refund.payment.channel, done: callAndRecord(deps, refund) }))
}

async function callAndRecord(deps: RefundWorkerDeps, refund: Refund): Promise<void> {
  const { merNo, refundNo, tradeNo } = refund
  try {
    const outcome = await call(deps, refund)
    const report = { merNo, refundNo, tradeNo, outcome, at: deps.clock.now() }
    const { state, alarm } = await deps.refundBatches.record.submit(report)
    if (alarm !== undefined) deps.alarm(tradeNo, alarm)
    const why = outcome.kind === 'unknown' ? outcome.why : undefined
    deps.log.info({ tradeNo, refundNo, outcome: outcome.kind, why, state }, 'called a refund')
  } catch (error) {
    deps.log.error({ err: error, tradeNo, refundNo }, 'a refund could not be recorded; it is called again')
  }
}

async function call({ channels }: RefundWorkerDeps, refund: Refund): Promise<RefundOutcome> {
  const channel = channels.named(refund.payment.channel)
  if (channel === undefined) return { kind: 'unknown', why: 'the channel is not set up' }
  try {
    return await channel.refund(toRequest(refund))
  } catch (error) {
    // A channel that breaks its promise and throws has told nothing.
    return { kind: 'unknown', why: `the channel's code failed: ${String(error)}` }
  }
}

function toRequest({ refundNo, tradeNo, money, payment }: Refund): RefundRequest {
  return {
    reference: attemptReference(tradeNo, payment.attemptNo),
    ...(payment.channelRef !== undefined && { channelRef: payment.channelRef }),
    money: { amount: payment.amount, currency: money.currency },
    refundReference: refundReference(refundNo),
    refund: money,
  }
}

/** Refunds that the channel has not decided, and those that an operator has not. */
export function countOpenRefunds(db: Db): Promise<OpenCounts> {
  return selectOpenCounts(db)
}
