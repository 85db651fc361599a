// The types of a sandbox bank. Amounts are digits in the currency's minor unit.
import type { Fields } from '../../src/platform/base/object.ts'

export type ChargeStatus = 'open' | 'paid' | 'declined' | 'cancelled'

/** `exact`: the payer approves the exact amount once. `deposits`: the payer transfers any amounts at any time. */
export type Takes = 'exact' | 'deposits'

/** The request that opens a charge. */
export type BankOrder = {
  /** The gateway's reference. */
  readonly reference: string
  readonly amount: string
  readonly currency: string
  /** The address that the payer's browser goes to after the payer's decision. */
  readonly returnUrl: string
  /** The address for callbacks; '' for no callbacks. */
  readonly callbackUrl: string
  readonly payee: string
  /** Further fields of the protocol, stored and returned unchanged. */
  readonly extra: Fields
}

/** The account that the payer pays to; wallets have none. */
export type Allotment = {
  readonly account?: string
  readonly payee?: string
  readonly bank?: string
  readonly bic?: string
  readonly paymentReference?: string
  /** Fields that are added to the order's extra fields. */
  readonly extra?: Fields
}

export type BankCharge = BankOrder &
  Omit<Allotment, 'payee' | 'extra'> & {
    readonly id: string
    readonly status: ChargeStatus
    /** The reason why the charge was declined or cancelled. */
    readonly reason: string
    readonly openedAt: Date
    readonly deposits: readonly BankDeposit[]
  }

export type BankPayment = {
  readonly amount: string
  /** The id of the transfer. A repeated id is the same money. A payment without an id gets a new id. */
  readonly id?: string | undefined
  readonly payerName?: string | undefined
  readonly payerAccount?: string | undefined
  readonly txHash?: string | undefined
  readonly gasFee?: string | undefined
}

export type BankDeposit = BankPayment & { readonly id: string; readonly currency: string; readonly at: Date }

export type RefundOrder = {
  readonly refundReference: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
}

export type BankRefund = RefundOrder & {
  readonly id: string
  readonly madeAt: Date
  readonly status: 'processing' | 'succeeded' | 'failed'
  readonly reason: string
}

/** A dispute in its current stage: the payer's bank asks for the money back, or has decided. */
export type BankDispute = {
  readonly id: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
  readonly stage: DisputeStage
  /** The time at which the dispute reached this stage. */
  readonly at: number
  readonly respondBy: number
}

export const disputeStages = ['inquiry', 'open', 'won', 'lost'] as const
export type DisputeStage = (typeof disputeStages)[number]

export function sumOf(amounts: readonly { readonly amount: string }[]): bigint {
  return amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}
