// Processes due payouts: asks the rail about sent ones, sends those that the rail does not know, and ends those that waited
// too long. An approved payout is sent by the rail that serves it best now; after that it stays with its rail.
import type { Logger } from 'pino'
import { whyOf } from '../base/why.ts'
import type { PayoutOutcome, PayoutRail } from '../channels/payout/contract.ts'
import type { PayoutRails } from '../channels/payout/registry.ts'
import { type ClaimJob, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { Repetition } from '../concurrency/repeat.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { CALL_GRACE_MS, isRenewed } from '../orders/ask-again.ts'
import type { OrderKey } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
import { maySend, type PayoutDeps, report, type Sendable, send, sendOrUnknown } from './make-payout.ts'
import type { PayoutEvent, PayoutState } from './payout.ts'
import { isServed, leaseMs } from './prepare-payout.ts'
import { claimDue, type DueRow, renewLease } from './sql.ts'

export type PayoutWorkerDeps = PayoutDeps & {
  readonly db: Db
  readonly rails: PayoutRails
  readonly log: Logger
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

const POLL_MS = 500

export function startPayoutWorker(deps: PayoutWorkerDeps): Repetition {
  return startClaimLoop(payoutJob(deps), { clock: deps.clock, everyMs: POLL_MS })
}

export function payoutJob(deps: PayoutWorkerDeps): ClaimJob<DueRow> {
  const { db, rails, log } = deps
  return {
    // A payout may need two calls: one to ask and one to send.
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
  const changed = await report(deps, key, event)
  const outcome = event.kind === 'outcome' ? event.outcome : undefined
  const why = outcome?.kind === 'unknown' ? outcome.why : undefined
  const about = { tradeNo: key.tradeNo, event: event.kind, outcome: outcome?.kind, why, state: changed.state }
  deps.log.info(about, 'a payout was due')
}

/** Nothing sends a payout that needs approval before it is claimed for the first time. */
function isUnsent({ state, needs_approval: needsApproval, asks }: DueRow): boolean {
  return state === 'sending' && needsApproval && asks === 1
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

/** Payouts that end without a call. A card number is only in memory: when its process dies, nothing was sent. */
const ends: Readonly<Partial<Record<PayoutState, PayoutEvent>>> = {
  tokenising: { kind: 'not-sent', why: 'The card could not be handed to the payout rail' },
  awaiting_account: { kind: 'expired' },
}

/** The rail is chosen now: since acceptance it may have been paused, or fail. */
async function sendApproved(deps: PayoutWorkerDeps, due: DueRow, key: OrderKey): Promise<void> {
  const rails = await railsFor(deps, due, key)
  const claims = due.asks
  if (!isServed(rails)) {
    await report(deps, key, { kind: 'waits', claims })
    deps.log.warn({ tradeNo: key.tradeNo }, 'an approved payout waits: no rail can send it now')
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

async function isRouted(
  deps: PayoutDeps,
  rail: PayoutRail,
  key: OrderKey,
  event: PayoutEvent,
): Promise<boolean> {
  const changed = await report(deps, key, event)
  return changed.applied && maySend(deps, rail, changed)
}

async function railsFor(
  deps: PayoutWorkerDeps,
  { account_kind: kind, currency, amount, rail, beneficiary: details }: DueRow,
  { merNo }: OrderKey,
): Promise<readonly PayoutRail[]> {
  if (kind === null) return []
  if (kind !== 'card') {
    const merchant = await deps.findMerchant(merNo)
    const needs = { kinds: [kind], currency, amount, hasExpiry: false, details }
    const rails = deps.payoutRouting.pick(needs, merchant?.routes)
    if (rails.length > 0) return rails
    // Bounds of amounts that came after its acceptance do not hold it up.
    return deps.payoutRouting.pick({ ...needs, amount: undefined, only: rail }, merchant?.routes)
  }
  const own = deps.rails.named(rail)
  return own === undefined || deps.payoutRouting.isPaused(rail) ? [] : [own]
}

/** Undefined if somebody else has the payout meanwhile: then it is not sent, as the money may have been given back. */
async function askOrSend(
  deps: PayoutWorkerDeps,
  rail: PayoutRail,
  due: DueRow,
  key: OrderKey,
): Promise<PayoutOutcome | undefined> {
  const answer = await askOrUnknown(rail, due.reference)
  if (answer.kind !== 'absent') return answer
  // An earlier call may still arrive, so it stays with this rail.
  if (deps.payoutRouting.isPaused(rail.name)) return { kind: 'unknown', why: 'the rail is paused' }
  if (!(await isRenewed(deps.clock, rail, (until) => renewLease(deps.db, due, until)))) return undefined
  return sendOrUnknown(deps, rail, sendableOf(due, key))
}

function sendableOf(due: DueRow, key: OrderKey): Sendable {
  const { account_kind: kind, account_masked: masked, sealed, beneficiary, reference } = due
  const account = kind === null || sealed === null ? undefined : { kind, masked, sealed, beneficiary }
  return { ...key, money: { amount: due.amount, currency: due.currency }, reference, account }
}

function askOrUnknown(rail: PayoutRail, reference: string): ReturnType<PayoutRail['ask']> {
  return rail.ask(reference).catch((error: unknown) => ({
    kind: 'unknown',
    why: `the rail's code failed: ${whyOf(error)}`,
  }))
}
