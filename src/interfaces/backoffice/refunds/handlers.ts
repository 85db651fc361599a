import { pageRefunds } from '../../../money/refunds/find-refund.ts'
import { refundStates, returnCostOf } from '../../../money/refunds/refund.ts'
import { listedMerchant } from '../../../people/roles/caller.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { refundsApi } from './api.ts'

export type RefundHandlerDeps = { readonly db: Queryable }

export function createRefundHandlers({ db }: RefundHandlerDeps): Handlers<typeof refundsApi> {
  return {
    async 'GET /refunds'({ caller, query: { merNo, state, after } }) {
      const wanted = refundStates.find((one) => one === state)
      const page = { merNo: listedMerchant(caller, merNo), state: wanted, after, limit: PAGE_ROWS + 1 }
      const found = await pageRefunds(db, page)
      return pageFrom(found.map(toRow), ({ refundNo }) => refundNo)
    },
  }
}

function toRow(refund: Awaited<ReturnType<typeof pageRefunds>>[number]) {
  const { refundNo, merNo, tradeNo, merOrderNo, state, money, fee, message, remark, createdAt, decidedAt } =
    refund
  const returnCost = returnCostOf(refund)
  return {
    refundNo,
    merNo,
    tradeNo,
    merOrderNo,
    state,
    money: toMoney(money),
    fee: toMoney({ amount: fee, currency: money.currency }),
    ...(returnCost !== undefined && { returnCost: toMoney(returnCost) }),
    message,
    remark,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}
