import { isAskedBy } from '../../../money/approvals/may-approve.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { type ApprovePayoutDeps, approvePayout, rejectPayout } from '../../../money/payouts/approve-payout.ts'
import { listPayouts } from '../../../money/payouts/find-payout.ts'
import type { RailDeps } from '../../../money/payouts/prepare-payout.ts'
import { approveRefund, rejectRefund } from '../../../money/refunds/approve-refund.ts'
import { listWaiting } from '../../../money/refunds/find-refund.ts'
import { actorOf, approverOf, type Caller } from '../../../people/roles/caller.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Channels } from '../../../rails/routing/routing.ts'
import { lineAbout } from '../audit-lines.ts'
import { toMoney } from '../money.ts'
import { briefsOf, orderIn } from '../orders/brief-order.ts'
import { withNewness } from '../payouts/payees.ts'
import type { Handlers } from '../route.ts'
import type { releasesApi } from './api.ts'

export type ReleaseHandlerDeps = Omit<ApprovePayoutDeps, 'routing'> &
  RailDeps & {
    readonly clock: Clock
    readonly channels: Channels
    readonly pokeDelivery: () => void
    findMerchant(merNo: number): Promise<Merchant | undefined>
  }

type Rejection = { readonly reason: string; readonly auditReason?: string }

export function createReleaseHandlers(deps: ReleaseHandlerDeps): Handlers<typeof releasesApi> {
  const { db, clock, pokeDelivery } = deps
  const decider = (caller: Caller) => ({ by: approverOf(caller), at: clock.now() })
  const written = (caller: Caller, action: string, id: string, reason: string) =>
    audited(db, lineAbout(caller, clock, { id, action, reason }))
  /**
   * Writes the reason for the audit log into the audit line and, if it differs, also the reason that the merchant
   * reads. The command line writes the same line.
   */
  const rejected = (caller: Caller, action: string, id: string, { reason, auditReason }: Rejection) =>
    auditReason === undefined
      ? written(caller, action, id, reason)
      : audited(db, lineAbout(caller, clock, { id, action, reason: auditReason, after: { reason } }))
  return {
    async 'GET /refunds/waiting'({ caller, query }) {
      const found = await listWaiting(db, query.merNo)
      const briefs = await briefsOf(db, caller, found)
      return {
        rows: found.map((refund) => ({
          refundNo: refund.refundNo,
          merNo: refund.merNo,
          tradeNo: refund.tradeNo,
          merOrderNo: refund.merOrderNo,
          ...orderIn(briefs, refund.tradeNo),
          money: toMoney(refund.money),
          remark: refund.remark,
          ...(refund.askedBy && { askedBy: refund.askedBy.name }),
          isOwn: isAskedBy(refund, actorOf(caller)),
          createdAt: refund.createdAt.toISOString(),
        })),
      }
    },

    async 'POST /refunds/:refundNo/approve'({ caller, params: { refundNo }, body: { reason } }) {
      const to = { ...deps, db: written(caller, 'refund.approve', refundNo, reason) }
      await approveRefund(to, refundNo, decider(caller))
      return {}
    },

    async 'POST /refunds/:refundNo/reject'({ caller, params: { refundNo }, body }) {
      const to = rejected(caller, 'refund.reject', refundNo, body)
      await rejectRefund(to, refundNo, { ...decider(caller), reason: body.reason })
      pokeDelivery()
      return {}
    },

    async 'GET /payouts/waiting'({ query }) {
      const found = await listPayouts(db, {
        state: 'awaiting_approval',
        merNo: query.merNo,
        awaits: 'platform',
      })
      return {
        rows: (await withNewness(deps, found)).map((payout) => {
          const { tradeNo, merNo, merchant, merOrderNo, kind, account, beneficiary, createdAt } = payout
          const { country, isNew } = payout
          return {
            ...{ tradeNo, merNo, merchant, merOrderNo, kind, account, beneficiary, createdAt },
            money: { amount: payout.amount, currency: payout.currency },
            ...(country !== undefined && { country }),
            ...(isNew !== undefined && { isNew }),
          }
        }),
      }
    },

    async 'POST /payouts/:tradeNo/approve'({ caller, params: { tradeNo }, body: { reason } }) {
      const to = { ...deps, db: written(caller, 'payout.approve', tradeNo, reason), routing: deps }
      await approvePayout(to, tradeNo, decider(caller))
      return {}
    },

    async 'POST /payouts/:tradeNo/reject'({ caller, params: { tradeNo }, body }) {
      const to = rejected(caller, 'payout.reject', tradeNo, body)
      await rejectPayout(to, tradeNo, { ...decider(caller), why: body.reason })
      pokeDelivery()
      return {}
    },
  }
}
