import { failureOf, type MadePayout, type MakeDeps, makePayout } from '../../../money/payouts/make-payout.ts'
import { AWAITS_ACCOUNT_MS, hasMoneyBack } from '../../../money/payouts/payout.ts'
import { type PrepareDeps, preparePayout } from '../../../money/payouts/prepare-payout.ts'
import { interfaceApprovalAbove } from '../../../money/payouts/settings.ts'
import { requestedBy } from '../fields/read-payout.ts'
import type { Answer, Handler } from '../frame.ts'

export type PayoutHandlerDeps = MakeDeps &
  PrepareDeps & {
    readonly payoutPageUrl: (tradeNo: string, expiresAt: Date) => string
  }

/**
 * The time for which the page is still available after the beneficiary's deadline, so that the beneficiary can see the
 * result.
 */
const PAGE_OUTLIVES_MS = 3_600_000

export function createPayoutHandler(deps: PayoutHandlerDeps): Handler {
  return async (request) => {
    const { merchant } = request
    const ownApprovalAbove = await interfaceApprovalAbove(deps.db, merchant.merNo)
    const prepared = await preparePayout(deps, merchant, requestedBy(request), { ownApprovalAbove })
    const { kind, tradeNo, merOrderNo, createdAt } = prepared.payout
    const made = await makePayout(deps, prepared)
    const until = new Date(createdAt.getTime() + AWAITS_ACCOUNT_MS + PAGE_OUTLIVES_MS)
    // Nothing else identifies the beneficiary, so anybody who has this link decides where the money goes. Therefore
    // only the merchant gets the link, and must send it only to the beneficiary.
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
