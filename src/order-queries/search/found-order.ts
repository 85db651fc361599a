import type { StateNumber } from '../../orders/order.ts'

/** An order as lists show it. */
export type FoundOrder = {
  readonly merNo: bigint
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly createdAt: Date
  readonly state: StateNumber
  readonly method: string
  readonly currency: string
  readonly amount: bigint
  readonly refunded: bigint
  readonly chargedBack: bigint
  readonly received: bigint | null
  readonly handlingFee: bigint | null
  readonly processingFee: bigint | null
  readonly settled: boolean
  readonly settleCurrency: string
  readonly settleAmount: bigint | null
  readonly message: string
  readonly email: string
  readonly payerName: string
  readonly cardBrand: string | null
  readonly cardLast4: string | null
  readonly channel: string | null
  readonly reference: string | null
}

/** A place in the list: the order with this time and number, or the gap before it. */
export type Position = { readonly createdAt: Date; readonly tradeNo: string }
