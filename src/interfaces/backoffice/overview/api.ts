// The start page of a merchant's people: the total and the volumes of the days, open work, currencies and methods.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, ofMerchant, orNull } from '../schemas.ts'
import { Currencies, Total } from './total.ts'

/** How a merchant's server answered the newest notifications of the last day. The worst server comes first. */
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
      /** The last thirty days in the merchant's time zone. Null if these days have no orders. */
      total: orNull(Total),
      /** The current hour in the merchant's time zone. */
      hour: Type.Integer(),
      currencies: Currencies,
      balances: Type.Array(
        Type.Object({ currency: Type.String(), available: Money, unsettled: Money, margin: Money }),
      ),
      /** The sums of the thirty days by method and currency. The pair with the most orders comes first. */
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
      /** Counting open work stops at `mostCounted`, so that value means "this many or more". */
      attention: Type.Object({
        disputes: Type.Integer(),
        /** The open disputes without evidence that have to be answered next. Empty for people who may not see them. */
        disputesDue: Type.Array(Type.Object({ tradeNo: Type.String(), money: Money, answerBy: Moment })),
        informationAsked: Type.Integer(),
        failedNotifications: Type.Integer(),
        /** Empty for people who may not see notifications. */
        endpoints: Type.Array(Endpoint),
        /** The merchant keys that end soon, for people who may see keys. */
        endingKeys: Type.Array(
          Type.Object({ keyId: Type.String(), retiresAt: Moment, usedAt: orNull(Moment) }),
        ),
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
