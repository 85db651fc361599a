// Makes the payouts of released runs, each by the use case that `/payout` calls. The order number is the line's own: if the
// process dies after the payout was accepted, the next try finds it by that number and does not pay again.
import type { Logger } from 'pino'
import { type Money, parseAmount } from '../../base/money.ts'
import { type ClaimJob, startClaimLoop } from '../../concurrency/claim-loop.ts'
import type { Gate } from '../../concurrency/gate.ts'
import type { PokedRepetition } from '../../concurrency/repeat.ts'
import { Refusal } from '../../errors/catalogue.ts'
import { type Merchant, mayDo } from '../../merchants/merchant.ts'
import { maskAccount } from '../../payouts/account.ts'
import { findPayout } from '../../payouts/find-payout.ts'
import { makePayout, type PayoutDeps } from '../../payouts/make-payout.ts'
import { type PayoutRequested, type PrepareDeps, preparePayout } from '../../payouts/prepare-payout.ts'
import type { Db } from '../../postgres/db.ts'
import { claimLines, type DueLine, decideLine, type LineResult } from './line-sql.ts'
import { openLine } from './start-run.ts'

export type PayoutRunDeps = PayoutDeps &
  PrepareDeps & {
    readonly db: Db
    readonly log: Logger
    readonly gate: Gate
    findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
  }

const POLL_MS = 500
/** Longer than a payout takes with its rail. */
const LEASE_MS = 120_000
/** Payouts of one merchant that are made at the same time. */
const MAX_PER_MERCHANT = 8

export function startPayoutRuns(deps: PayoutRunDeps): PokedRepetition {
  return startClaimLoop(payoutRunJob(deps), {
    clock: deps.clock,
    everyMs: POLL_MS,
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
    const prepared = await preparePayout(deps, merchant, requested)
    await deps.gate.countOf(line.merNo, () => makePayout(deps, prepared))
    return { state: 'made', tradeNo: prepared.payout.tradeNo }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const earlier = await findMade(deps, line.merNo, requested)
    return earlier ?? { state: 'refused', problem: error.message }
  }
}

/** The payout of an earlier try: same number, same money, same account. */
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
  // Peru's currency may be written PER.
  const isSame = currency === currencyCode || (currency === 'PEN' && currencyCode === 'PER')
  return isSame && parseAmount(sourceAmount, currency) === amount
}
