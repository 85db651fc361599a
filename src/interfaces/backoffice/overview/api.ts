// The start page of a merchant's people: balances, today's sums compared with earlier days, trends, and open work.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, ofMerchant, orNull } from '../schemas.ts'

const Day = Type.Object({
  day: Type.String(),
  orders: Type.Integer(),
  paid: Type.Integer(),
  failed: Type.Integer(),
  volume: Money,
})

/** How the server of a merchant answered the notifications of the last day. The worst server comes first. */
export const Endpoint = Type.Object({
  merNo: Type.Integer(),
  origin: Type.String(),
  attempts: Type.Integer(),
  acknowledged: Type.Integer(),
  lastAt: Moment,
  /** The status and the error of the last attempt. */
  status: orNull(Type.Integer()),
  error: orNull(Type.String()),
})

export const overviewApi = {
  'GET /overview': {
    access: 'overview.read',
    query: Type.Object(ofMerchant),
    reply: Type.Object({
      timezone: Type.String(),
      balances: Type.Array(
        Type.Object({ currency: Type.String(), available: Money, unsettled: Money, margin: Money }),
      ),
      /** The days before today count only up to the end of the current hour. `lastWeek` is the day a week ago. */
      today: Type.Array(Type.Object({ currency: Type.String(), today: Day, yesterday: Day, lastWeek: Day })),
      /** The first and the last of the thirty days in `days`, in the merchant's time zone. */
      from: Type.String(),
      to: Type.String(),
      days: Type.Array(
        Type.Object({
          day: Type.String(),
          method: Type.String(),
          currency: Type.String(),
          orders: Type.Integer(),
          paid: Type.Integer(),
          failed: Type.Integer(),
          cancelled: Type.Integer(),
          volume: Money,
        }),
      ),
      declines: Type.Array(
        Type.Object({ reason: Type.String(), method: Type.String(), orders: Type.Integer() }),
      ),
      /** Empty for people who may not see notifications. */
      endpoints: Type.Array(Endpoint),
      /** The counts of open work. Counting stops at `mostCounted`, so that value means "this many or more". */
      attention: Type.Object({
        disputes: Type.Integer(),
        informationAsked: Type.Integer(),
        failedNotifications: Type.Integer(),
        /** The payouts, payout runs, beneficiaries and owners that the merchant's people have to approve. */
        approvals: Type.Integer(),
        /** The payouts and refunds that operators have to approve. */
        payoutsToApprove: Type.Integer(),
        refundsToApprove: Type.Integer(),
        mostCounted: Type.Integer(),
      }),
    }),
  },
} as const satisfies Routes
