import { audited } from '../../audit-log/audited-db.ts'
import type { Clock } from '../../base/clock.ts'
import { approvePayout, rejectPayout } from '../../payouts/approve-payout.ts'
import { listPayouts } from '../../payouts/list-payouts.ts'
import type { Db } from '../../postgres/db.ts'
import { approveRefund, rejectRefund } from '../../refunds/approve-refund.ts'
import { listWaiting } from '../../refunds/find-refund.ts'
import type { Caller } from '../caller.ts'
import { lineAbout } from '../line-about.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import type { releasesApi } from './api.ts'

export type ReleaseHandlerDeps = { readonly db: Db; readonly clock: Clock; readonly pokeDelivery: () => void }

type Rejection = { readonly reason: string; readonly auditReason?: string }

export function createReleaseHandlers({
  db,
  clock,
  pokeDelivery,
}: ReleaseHandlerDeps): Handlers<typeof releasesApi> {
  const written = (caller: Caller, action: string, id: string, reason: string) =>
    audited(db, lineAbout(caller, clock, { id, action, reason }))
  /** With a reason of its own, the line also says what the merchant was told, as after the command. */
  const rejected = (caller: Caller, action: string, id: string, { reason, auditReason }: Rejection) =>
    auditReason === undefined
      ? written(caller, action, id, reason)
      : audited(db, lineAbout(caller, clock, { id, action, reason: auditReason, after: { reason } }))
  return {
    async 'GET /refunds/waiting'({ query }) {
      const found = await listWaiting(db, query.merNo)
      return {
        rows: found.map(({ refundNo, merNo, tradeNo, merOrderNo, money, remark, createdAt }) => ({
          refundNo,
          merNo,
          tradeNo,
          merOrderNo,
          money: toMoney(money),
          remark,
          createdAt: createdAt.toISOString(),
        })),
      }
    },

    async 'POST /refunds/:refundNo/approve'({ caller, params: { refundNo }, body: { reason } }) {
      await approveRefund(written(caller, 'refund.approve', refundNo, reason), refundNo, clock.now())
      return {}
    },

    async 'POST /refunds/:refundNo/reject'({ caller, params: { refundNo }, body }) {
      const to = rejected(caller, 'refund.reject', refundNo, body)
      await rejectRefund(to, refundNo, body.reason, clock.now())
      pokeDelivery()
      return {}
    },

    async 'GET /payouts/waiting'({ query }) {
      const found = await listPayouts(db, { state: 'awaiting_approval', merNo: query.merNo })
      return {
        rows: found.map((payout) => {
          const { tradeNo, merNo, merchant, merOrderNo, kind, account, beneficiary, createdAt } = payout
          const money = { amount: payout.amount, currency: payout.currency }
          return { tradeNo, merNo, merchant, merOrderNo, kind, money, account, beneficiary, createdAt }
        }),
      }
    },

    async 'POST /payouts/:tradeNo/approve'({ caller, params: { tradeNo }, body: { reason } }) {
      await approvePayout(written(caller, 'payout.approve', tradeNo, reason), tradeNo, clock.now())
      return {}
    },

    async 'POST /payouts/:tradeNo/reject'({ caller, params: { tradeNo }, body }) {
      const to = rejected(caller, 'payout.reject', tradeNo, body)
      await rejectPayout(to, tradeNo, body.reason, clock.now())
      pokeDelivery()
      return {}
    },
  }
}
