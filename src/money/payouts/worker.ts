// Processes due payouts: sends approved payouts, asks the rail about sent payouts, sends payouts that the rail does not
// know, and ends payouts that waited too long for an account or a token. The rail of an approved payout is chosen when
// the payout is first sent. Another rail is tried only if the chosen rail certainly did not take the payout. All later
// calls go to the same rail.
import type { Logger } from 'pino'
import { type ClaimJob, startClaimLoop } from '../../platform/concurrency/claim-loop.ts'
import type { Interval, Repetition } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { PayoutOutcome } from '../../rails/contract/payout-outcome.ts'
import type { PayoutRail } from '../../rails/contract/payout-rail.ts'
import type { PayoutRails } from '../../rails/routing/payout-routing.ts'
import { isExpired } from '../approvals/approval.ts'
import { findWaitingApproval } from '../approvals/list-approvals.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { CALL_GRACE_MS, isRenewed, orUnknown } from '../orders/call-lease.ts'
import type { OrderKey } from '../orders/order.ts'
import { changePayout } from './change-payouts.ts'
import { maySend, type PayoutDeps, type Sendable, send, sendOrUnknown } from './make-payout.ts'
import type { PayoutEvent, PayoutState } from './payout.ts'
import { isServed, leaseMs, railsOfAccepted } from './prepare-payout.ts'
import { claimDue, type DueRow, renewLease } from './sql.ts'

export type PayoutWorkerDeps = PayoutDeps & {
  readonly db: Db
  readonly rails: PayoutRails
  readonly log: Logger
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function startPayoutWorker(deps: PayoutWorkerDeps & Interval): Repetition {
  return startClaimLoop(payoutJob(deps), { clock: deps.clock, everyMs: deps.everyMs })
}

export function payoutJob(deps: PayoutWorkerDeps): ClaimJob<DueRow> {
  const { db, rails, log } = deps
  return {
    // A payout may need two calls: one that asks the rail about the payout, and one that sends it.
    get leaseMs() {
      return 2 * rails.longestTimeoutMs + CALL_GRACE_MS
    },
    claim: (claim) => claimDue(db, claim),
    channelOf: ({ rail }) => rail,
    run: (due) => resolve(deps, due),
    rowFailed: (error, { trade_no: tradeNo }) =>
      log.error({ err: error, tradeNo }, 'a payout could not be recorded; the rail is asked again'),
    claimFailed: (error) => log.error({ err: error }, 'due payouts could not be claimed'),
  }
}

async function resolve(deps: PayoutWorkerDeps, due: DueRow): Promise<void> {
  const key = { merNo: Number(due.mer_no), tradeNo: due.trade_no }
  if (isUnsent(due)) return sendApproved(deps, due, key)
  const event = await eventOf(deps, due, key)
  if (event === undefined) return
  const changed = await changePayout(deps, key, event)
  const outcome = event.kind === 'outcome' ? event.outcome : undefined
  const why = outcome?.kind === 'unknown' ? outcome.why : undefined
  const about = { tradeNo: key.tradeNo, event: event.kind, outcome: outcome?.kind, why, state: changed.state }
  deps.log.info(about, 'a payout was due')
}

/**
 * True for the first claim of a payout that needed approval. Only the worker sends an approved payout, so the payout is
 * unsent at its first claim.
 */
function isUnsent({ state, needs_approval, needs_merchant_approval, asks }: DueRow): boolean {
  return state === 'sending' && (needs_approval || needs_merchant_approval) && asks === 1
}

async function eventOf(deps: PayoutWorkerDeps, due: DueRow, key: OrderKey): Promise<PayoutEvent | undefined> {
  const ended = ends[due.state]
  if (ended !== undefined) return ended
  const rail = deps.rails.named(due.rail)
  if (rail === undefined) {
    deps.log.error({ tradeNo: key.tradeNo, rail: due.rail }, 'an open payout names a rail that is not set up')
    return undefined
  }
  const outcome = await askOrSend(deps, rail, due, key)
  return outcome && { kind: 'outcome', outcome, asks: due.asks }
}

/**
 * The events that end a payout without a call. A card number is in the memory of only one process. If that process dies
 * before the card has a token, the payout was not sent.
 */
const ends: Readonly<Partial<Record<PayoutState, PayoutEvent>>> = {
  tokenising: { kind: 'not-sent', why: 'The card could not be handed to the payout rail' },
  awaiting_account: { kind: 'expired' },
}

/**
 * Sends an approved payout. The rail is chosen again, because the rail that was chosen at acceptance may be paused or
 * failing now.
 */
async function sendApproved(deps: PayoutWorkerDeps, due: DueRow, key: OrderKey): Promise<void> {
  const rails = await railsFor(deps, due, key)
  const claims = due.asks
  const isHeld = await isBeingDecided(deps, key)
  if (isHeld || !isServed(rails)) {
    await changePayout(deps, key, { kind: 'waits', claims })
    const why = isHeld ? HELD : 'no rail can send it now'
    deps.log.warn({ tradeNo: key.tradeNo }, `an approved payout waits: ${why}`)
    return
  }
  const [rail] = rails
  const to = { rail: rail.name, leaseMs: leaseMs(rail) }
  const isOurs =
    rail.name === due.rail
      ? await isRenewed(deps.clock, rail, (until) => renewLease(deps.db, due, until))
      : await isRouted(deps, rail, key, { kind: 'routed', to, claims })
  if (!isOurs) return
  const { state } = await send(deps, rails, sendableOf(due, key), claims)
  deps.log.info({ tradeNo: key.tradeNo, rail: rail.name, state }, 'an approved payout was sent')
}

/**
 * True if an operator asked to decide the payout by hand, and the request waits for a second person. The payout is not
 * sent meanwhile, because both people must decide on the payout as it was when the first of them asked.
 */
async function isBeingDecided(
  { db, clock }: PayoutWorkerDeps,
  { merNo, tradeNo }: OrderKey,
): Promise<boolean> {
  const approval = await findWaitingApproval(db, { merNo, kind: 'outcome', subject: tradeNo })
  return approval !== undefined && !isExpired(approval, clock.now())
}

const HELD = 'an operator asked to decide its outcome'

async function isRouted(
  deps: PayoutDeps,
  rail: PayoutRail,
  key: OrderKey,
  event: PayoutEvent,
): Promise<boolean> {
  const changed = await changePayout(deps, key, event)
  return changed.applied && maySend(deps, rail, changed)
}

async function railsFor(
  deps: PayoutWorkerDeps,
  due: DueRow,
  { merNo }: OrderKey,
): Promise<readonly PayoutRail[]> {
  const { account_kind: kind, currency, amount, rail, beneficiary: details } = due
  if (kind === null) return []
  const merchant = await deps.findMerchant(merNo)
  return railsOfAccepted(deps, { kind, money: { amount, currency }, rail, details }, merchant?.routes)
}

/**
 * Asks the rail about the payout, and sends the payout if the rail does not know it. If the lease cannot be renewed,
 * the payout is not sent and the result is undefined, because the payout may have been decided meanwhile and its money
 * given back.
 */
async function askOrSend(
  deps: PayoutWorkerDeps,
  rail: PayoutRail,
  due: DueRow,
  key: OrderKey,
): Promise<PayoutOutcome | undefined> {
  const answer = await orUnknown('rail', () => rail.ask(due.reference))
  if (answer.kind !== 'absent') return answer
  // While the rail is paused, the payout waits. No other rail is tried, because an earlier call may still reach this
  // rail.
  if (deps.payoutRouting.isPaused(rail.name)) return { kind: 'unknown', why: 'the rail is paused' }
  if (await isBeingDecided(deps, key)) return { kind: 'unknown', why: HELD }
  if (!(await isRenewed(deps.clock, rail, (until) => renewLease(deps.db, due, until)))) return undefined
  return sendOrUnknown(deps, rail, sendableOf(due, key))
}

function sendableOf(due: DueRow, key: OrderKey): Sendable {
  const { account_kind: kind, account_masked: masked, sealed, beneficiary, reference } = due
  const account = kind === null || sealed === null ? undefined : { kind, masked, sealed, beneficiary }
  return { ...key, money: { amount: due.amount, currency: due.currency }, reference, account }
}
