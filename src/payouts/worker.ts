// Processes due payouts: asks the rail about sent ones, sends those that the rail does not know, and ends those that waited
// too long.
import type { Logger } from 'pino'
import type { PayoutOutcome, PayoutRail } from '../channels/payout/contract.ts'
import type { PayoutRails } from '../channels/payout/registry.ts'
import { type ClaimJob, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { Repetition } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import type { OrderKey } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
import { type PayoutDeps, report, sendOrUnknown } from './make-payout.ts'
import type { PayoutEvent, PayoutState } from './payout.ts'
import { claimDue, type DueRow } from './sql.ts'

export type PayoutWorkerDeps = PayoutDeps & {
  readonly db: Db
  readonly rails: PayoutRails
  readonly log: Logger
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
  const event = await eventOf(deps, due, key)
  if (event === undefined) return
  const changed = await report(deps, key, event)
  deps.log.info({ tradeNo: key.tradeNo, event: event.kind, state: changed.state }, 'a payout was due')
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

/** Payouts that end without a call. A card number is only in memory: when its process dies, nothing was sent. */
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
  const answer = await askOrUnknown(rail, due.reference)
  if (answer.kind !== 'absent') return answer
  const { account_kind: kind, account_masked: masked, sealed, beneficiary } = due
  const account = kind === null || sealed === null ? undefined : { kind, masked, sealed, beneficiary }
  const money = { amount: due.amount, currency: due.currency }
  return sendOrUnknown(deps.vault, rail, { ...key, money, reference: due.reference, account })
}

function askOrUnknown(rail: PayoutRail, reference: string): ReturnType<PayoutRail['ask']> {
  return rail.ask(reference).catch((error: Error) => ({
    kind: 'unknown',
    why: `the rail's code failed: ${error.message}`,
  }))
}
