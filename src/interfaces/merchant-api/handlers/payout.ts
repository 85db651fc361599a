// `/payout`: builds a payout from checked fields, and the response from its state.
import { failureOf, type MadePayout, type MakeDeps, makePayout } from '../../payouts/make-payout.ts'
import { AWAITS_ACCOUNT_MS, hasMoneyBack } from '../../payouts/payout.ts'
import { type PrepareDeps, preparePayout } from '../../payouts/prepare-payout.ts'
import { requestedBy } from '../fields/read-payout.ts'
import type { Answer, Handler } from '../frame.ts'

export type PayoutHandlerDeps = MakeDeps &
  PrepareDeps & {
    /** Address of the beneficiary's page of a CheckOut payout. */
    readonly payoutPageUrl: (tradeNo: string, expiresAt: Date) => string
  }

/** The page shows the result for this time after the beneficiary's time is over. */
const PAGE_OUTLIVES_MS = 3_600_000

export function createPayoutHandler(deps: PayoutHandlerDeps): Handler {
  return async (request) => {
    const prepared = await preparePayout(deps, request.merchant, requestedBy(request))
    const { kind, tradeNo, merOrderNo, createdAt } = prepared.payout
    const made = await makePayout(deps, prepared)
    const until = new Date(createdAt.getTime() + AWAITS_ACCOUNT_MS + PAGE_OUTLIVES_MS)
    const payUrl = kind === 'checkout' ? { payUrl: deps.payoutPageUrl(tradeNo, until) } : {}
    return answerOf(made, { tradeNo, merOrderNo, merorderNo: merOrderNo, ...payUrl })
  }
}

function answerOf(made: MadePayout, payout: Readonly<Record<string, string>>): Answer {
  const failure = failureOf(made)
  if (failure !== undefined) return { failure }
  const payCode = made.state === 'succeeded' ? 0 : hasMoneyBack(made.state) ? 1 : 2
  return { data: { ...payout, payCode, message: made.message } }
}
