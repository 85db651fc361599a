// The first page: balances, today beside earlier days, trends, and what waits for somebody.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Money, ofMerchant } from '../schemas.ts'

const Day = Type.Object({
  day: Type.String(),
  orders: Type.Integer(),
  paid: Type.Integer(),
  failed: Type.Integer(),
  volume: Money,
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
      /** By currency. Yesterday and last week are counted until the same hour as today. */
      today: Type.Array(Type.Object({ currency: Type.String(), today: Day, yesterday: Day, lastWeek: Day })),
      /** The first and the last of thirty local days. */
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
      /** Numbers up to `mostCounted`, which means that many or more. */
      attention: Type.Object({
        disputes: Type.Integer(),
        informationAsked: Type.Integer(),
        failedNotifications: Type.Integer(),
        /** Payouts and accounts that a second person of the company has to approve. */
        approvals: Type.Integer(),
        /** What operators have to approve. */
        payoutsToApprove: Type.Integer(),
        refundsToApprove: Type.Integer(),
        mostCounted: Type.Integer(),
      }),
    }),
  },
} as const satisfies Routes
