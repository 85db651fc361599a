// Looks at open payouts when their time has come: asks the rail about what is under way, sends what it never saw, ends
// what waited in vain. Any number of nodes may run it: a claim skips what another holds, and moves the time on by a lease,
// so that a node that dies delays its claims by no more than that.

import type { Logger } from 'pino'
import type { PayoutOutcome, PayoutRail } from '../channels/payout/contract.ts'
import type { PayoutRails } from '../channels/payout/registry.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import type { OrderKey } from '../orders/keys.ts'
import type { Db } from '../postgres/db.ts'
import { type PayoutDeps, report, sendSurely } from './make-payout.ts'
import type { PayoutEvent, PayoutState } from './payout.ts'
import { claimDue, type DueRow } from './sql.ts'

export type PayoutWorkerDeps = Omit<PayoutDeps, 'gate'> & {
  readonly db: Db
  readonly rails: PayoutRails
  readonly log: Logger
}

const POLL_MS = 500
const CLAIM_LIMIT = 50

export function startPayoutWorker(deps: PayoutWorkerDeps): Repetition {
  return repeat({
    everyMs: POLL_MS,
    work: () => lookAtPayouts(deps),
    failed: (error) => deps.log.error({ err: error }, 'payouts could not be looked at'),
  })
}

/** Looks once; how many payouts were due. */
export async function lookAtPayouts(deps: PayoutWorkerDeps): Promise<number> {
  const now = deps.clock.now()
  // Asking and then sending are two calls.
  const leaseMs = 2 * deps.rails.longestTimeoutMs + CALL_GRACE_MS
  const due = await claimDue(deps.db, now, new Date(now.getTime() + leaseMs), CLAIM_LIMIT)
  await Promise.all(due.map((row) => resolve(deps, row)))
  return due.length
}

async function resolve(deps: PayoutWorkerDeps, due: DueRow): Promise<void> {
  const key = { merNo: Number(due.mer_no), tradeNo: due.trade_no }
  try {
    const event = await eventOf(deps, due, key)
    if (event === undefined) return
    const changed = await report(deps, key, event)
    deps.log.info({ tradeNo: key.tradeNo, event: event.kind, state: changed.state }, 'a payout was due')
  } catch (error) {
    deps.log.error({ err: error, tradeNo: key.tradeNo }, 'a payout could not be looked at; it is due again')
  }
}

async function eventOf(deps: PayoutWorkerDeps, due: DueRow, key: OrderKey): Promise<PayoutEvent | undefined> {
  const ended = ends[due.state]
  if (ended !== undefined) return ended
  const rail = deps.rails.named(due.rail)
  if (rail === undefined) {
    deps.log.error({ tradeNo: key.tradeNo, rail: due.rail }, 'an open payout names a rail that is not set up')
    return undefined
  }
  return { kind: 'outcome', outcome: await askOrSend(deps, rail, due, key) }
}

/** The card number was in memory only: it went with whoever had it, and nothing was sent. */
const ends: Readonly<Partial<Record<PayoutState, PayoutEvent>>> = {
  tokenising: { kind: 'not-sent', why: 'The card could not be handed to the payout rail' },
  awaiting_account: { kind: 'expired' },
}

async function askOrSend(
  deps: PayoutWorkerDeps,
  rail: PayoutRail,
  due: DueRow,
  key: OrderKey,
): Promise<PayoutOutcome> {
  const told = await askSurely(rail, due.reference)
  if (told.kind !== 'absent') return told
  const { account_kind: kind, account_masked: masked, sealed, beneficiary } = due
  const account = kind === null || sealed === null ? undefined : { kind, masked, sealed, beneficiary }
  const money = { amount: due.amount, currency: due.currency }
  const outcome = await sendSurely(deps.vault, rail, { ...key, money, reference: due.reference, account })
  // An earlier call may still be on its way, so a line that is down now proves nothing.
  const isCertain = outcome.kind !== 'failed' || outcome.cause !== 'unreachable'
  return isCertain ? outcome : { kind: 'unknown', why: outcome.message }
}

function askSurely(rail: PayoutRail, reference: string): ReturnType<PayoutRail['ask']> {
  return rail.ask(reference).catch((error: Error) => ({
    kind: 'unknown',
    why: `the rail's code failed: ${error.message}`,
  }))
}
