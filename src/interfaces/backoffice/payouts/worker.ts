// Makes the payouts of released runs with the same use case as `/payout`. Each line has its own order number. If the
// process stops after a payout was accepted, the retry finds the payout by its order number and does not pay again. A
// second worker rejects the lines of runs that nobody approved in time.
import type { Logger } from 'pino'
import { expiredUntil } from '../../../money/approvals/approval.ts'
import { type Merchant, mayDo } from '../../../money/merchants/merchant.ts'
import { maskAccount } from '../../../money/payouts/account.ts'
import { findPayout } from '../../../money/payouts/find-payout.ts'
import { makePayout, type PayoutDeps } from '../../../money/payouts/make-payout.ts'
import {
  type PayoutRequested,
  type PrepareDeps,
  preparePayout,
} from '../../../money/payouts/prepare-payout.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { type Money, parseAmount } from '../../../platform/base/money.ts'
import { type ClaimJob, startClaimLoop } from '../../../platform/concurrency/claim-loop.ts'
import type { Gate } from '../../../platform/concurrency/gate.ts'
import {
  type Interval,
  type PokedRepetition,
  type Repetition,
  repeat,
} from '../../../platform/concurrency/repeat.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { claimLines, type DueLine, decideLine, endExpiredLines, type LineResult } from './sql.ts'
import { openLine } from './start-run.ts'

type PayoutRunDeps = PayoutDeps &
  PrepareDeps & {
    readonly db: Db
    readonly log: Logger
    readonly gate: Gate
    findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
  }

/** The lease of a line. The lease is longer than a call to the rail. */
const LEASE_MS = 120_000
const MAX_PER_MERCHANT = 8

export function startPayoutRuns(deps: PayoutRunDeps & Interval): PokedRepetition {
  return startClaimLoop(payoutRunJob(deps), {
    clock: deps.clock,
    everyMs: deps.everyMs,
    maxPerChannel: MAX_PER_MERCHANT,
  })
}

export function payoutRunJob(deps: PayoutRunDeps): ClaimJob<DueLine> {
  const { db, log } = deps
  return {
    leaseMs: LEASE_MS,
    claim: (claim) => claimLines(db, claim),
    channelOf: ({ merNo }) => String(merNo),
    run: async (line) => decideLine(db, line, await makeLine(deps, line)),
    rowFailed: (error, { runId, lineNo }) =>
      log.error({ err: error, runId, lineNo }, 'a payout of a run could not be made; it is tried again'),
    claimFailed: (error) => log.error({ err: error }, 'payouts of runs could not be claimed'),
  }
}

async function makeLine(deps: PayoutRunDeps, line: DueLine): Promise<LineResult> {
  const requested = openLine(deps.vault, line.runId, line.lineNo, line.sealed)
  try {
    const merchant = await deps.findMerchant(line.merNo)
    if (merchant === undefined || !mayDo(merchant.state, 'pay')) throw new Refusal('10005')
    const askedBy = { kind: 'user', name: line.createdBy } as const
    const prepared = await preparePayout(deps, merchant, requested, { askedBy })
    await deps.gate.countOf(line.merNo, () => makePayout(deps, prepared))
    return { state: 'made', tradeNo: prepared.payout.tradeNo }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const earlier = await findMade(deps, line.merNo, requested)
    return earlier ?? { state: 'refused', problem: error.message }
  }
}

/**
 * Finds the payout that an earlier try made. The payout must have the same order number, kind, money and masked
 * account.
 */
async function findMade(
  { db }: PayoutRunDeps,
  merNo: number,
  requested: PayoutRequested,
): Promise<LineResult | undefined> {
  const { merOrderNo, kind, account, sourceAmount, currencyCode } = requested
  const found = await findPayout(db, { merNo, merOrderNo })
  if (found === undefined || found.kind !== kind || kind === 'checkout') return undefined
  const { money, accountMasked, tradeNo } = found
  const isOurs =
    accountMasked === maskAccount(kind, account) && isSameMoney(money, sourceAmount, currencyCode)
  return isOurs ? { state: 'made', tradeNo } : undefined
}

function isSameMoney({ amount, currency }: Money, sourceAmount: string, currencyCode: string): boolean {
  // A request may name Peru's currency PEN by the code PER.
  const isSame = currency === currencyCode || (currency === 'PEN' && currencyCode === 'PER')
  return isSame && parseAmount(sourceAmount, currency) === amount
}

// The payouts of an expired run are never made, so their accounts are deleted.

type RunExpiryDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

export function startRunExpiry(deps: RunExpiryDeps & Interval): Repetition {
  return repeat({
    everyMs: deps.everyMs,
    work: () => endExpiredRuns(deps),
    failed: (error) => deps.log.error({ err: error }, 'expired runs of payouts could not be ended'),
  })
}

export function endExpiredRuns({ db, clock }: Omit<RunExpiryDeps, 'log'>): Promise<void> {
  return endExpiredLines(db, expiredUntil(clock.now()))
}
