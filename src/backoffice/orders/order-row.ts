import type { Static } from 'typebox'
import { formatAmount } from '../../base/money.ts'
import type { FoundOrder } from '../../order-queries/search/found-order.ts'
import type { OrderRow } from './schemas.ts'

export function money(amount: bigint, currency: string) {
  return { amount: formatAmount(amount, currency), currency }
}

/** As lists, exports and the order's own page show it. Channels are the operators' business. */
export function toRow(found: FoundOrder, forOperator: boolean): Static<typeof OrderRow> {
  const { currency, cardBrand, cardLast4, handlingFee, processingFee } = found
  const isCharged = handlingFee !== null || processingFee !== null
  return {
    merNo: Number(found.merNo),
    tradeNo: found.tradeNo,
    merOrderNo: found.merOrderNo,
    createdAt: found.createdAt.toISOString(),
    state: found.state,
    method: found.method,
    money: money(found.amount, currency),
    ...(found.refunded > 0n && { refunded: money(found.refunded, currency) }),
    ...(found.chargedBack > 0n && { chargedBack: money(found.chargedBack, currency) }),
    ...(isCharged && { fees: money((handlingFee ?? 0n) + (processingFee ?? 0n), currency) }),
    settled: found.settled,
    ...(found.settleAmount !== null && { settleMoney: money(found.settleAmount, found.settleCurrency) }),
    message: found.message,
    email: found.email,
    payerName: found.payerName,
    ...(cardLast4 !== null && { card: { brand: cardBrand ?? '', last4: cardLast4 } }),
    ...(found.reference !== null && { reference: found.reference }),
    ...(forOperator && found.channel !== null && { channel: found.channel }),
  }
}
