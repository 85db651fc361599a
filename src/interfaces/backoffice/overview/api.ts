// The start page of a merchant's people: total and daily volumes, open work, currencies and methods.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, ofMerchant, orNull } from '../schemas.ts'
import { Currencies, Total } from './total.ts'

/** How a merchant's server answered its newest notifications of the last day. Replies list the worst server first. */
export const Endpoint = Type.Object({
  merNo: Type.Integer(),
  origin: Type.String(),
  attempts: Type.Integer(),
  acknowledged: Type.Integer(),
  lastAt: Moment,
  /** The HTTP status and the error of the last attempt. */
  status: orNull(Type.Integer()),
  error: orNull(Type.String()),
})

export const overviewApi = {
  'GET /overview': {
    access: 'overview.read',
    query: Type.Object(ofMerchant),
    reply: Type.Object({
      /** The totals of the last thirty days in the merchant's time zone. Null if these days have no orders. */
      total: orNull(Total),
      /** The current hour in the merchant's time zone. */
      hour: Type.Integer(),
      currencies: Currencies,
      balances: Type.Array(
        Type.Object({ currency: Type.String(), available: Money, unsettled: Money, margin: Money }),
      ),
      /** The sums of the thirty days by method and currency. The combination with the most orders comes first. */
      methods: Type.Array(
        Type.Object({
          method: Type.String(),
          currency: Type.String(),
          orders: Type.Integer(),
          paid: Type.Integer(),
          failed: Type.Integer(),
          volume: Money,
        }),
      ),
      declines: Type.Array(
        Type.Object({ reason: Type.String(), method: Type.String(), orders: Type.Integer() }),
      ),
      /** Open work. Counting stops at `mostCounted`, so this value means "this many or more". */
      attention: Type.Object({
        disputes: Type.Integer(),
        /**
         * The open disputes without evidence that have the earliest deadlines. Empty for people who may not see
         * disputes.
         */
        disputesDue: Type.Array(Type.Object({ tradeNo: Type.String(), money: Money, answerBy: Moment })),
        informationAsked: Type.Integer(),
        failedNotifications: Type.Integer(),
        /** Empty for people who may not see notifications. */
        endpoints: Type.Array(Endpoint),
        /** The merchant keys that end soon. Empty for people who may not see keys. */
        endingKeys: Type.Array(
          Type.Object({ keyId: Type.String(), retiresAt: Moment, usedAt: orNull(Moment) }),
        ),
        /**
         * The number of payouts, payout runs, beneficiaries and owners that wait for approval by the merchant's people.
         */
        approvals: Type.Integer(),
        /** The number of payouts that wait for approval by operators. */
        payoutsToApprove: Type.Integer(),
        refundsToApprove: Type.Integer(),
        mostCounted: Type.Integer(),
      }),
    }),
  },
} as const satisfies Routes
