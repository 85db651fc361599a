import type { Money } from '../base/money.ts'
import type { StateNumber } from '../orders/order.ts'
import type { PayoutKind, PayoutState } from './payout.ts'

/** One payout as merchants and beneficiaries may see it. */
export type FoundPayout = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly orderState: StateNumber
  readonly message: string
  readonly returnUrl: string
  readonly kind: PayoutKind
  readonly state: PayoutState
  readonly rail: string
  readonly fee: bigint
  readonly accountMasked: string
  readonly beneficiary: Readonly<Record<string, unknown>>
}
