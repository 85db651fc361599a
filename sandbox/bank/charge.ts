// What a bank or wallet of the sandbox knows of a payment. Money is in the currency's minor unit, as digits.
import type { Fields } from '../../src/base/object.ts'

export type ChargeStatus = 'open' | 'paid' | 'declined' | 'cancelled'

/** exact: the payer approves just the amount, once. deposits: payers send what they send, whenever they do. */
export type Takes = 'exact' | 'deposits'

/** What is asked for when a charge is opened. */
export type BankOrder = {
  /** The merchant's side names it; whoever writes it first decides. */
  readonly reference: string
  readonly amount: string
  readonly currency: string
  /** Where the payer's browser goes when it is done. */
  readonly returnUrl: string
  /** Where changes are told; '' nowhere. */
  readonly callbackUrl: string
  /** Whom the payer pays. */
  readonly payee: string
  /** Whatever else came, told back as it came. */
  readonly extra: Fields
}

/** Where the payer pays to; a wallet needs none. */
export type Allotment = {
  readonly account?: string
  readonly payee?: string
  readonly bank?: string
  readonly bic?: string
  readonly paymentReference?: string
  /** Added to the order's own. */
  readonly extra?: Fields
}

export type BankCharge = BankOrder &
  Omit<Allotment, 'payee' | 'extra'> & {
    readonly id: string
    readonly status: ChargeStatus
    /** Why it was declined or cancelled. */
    readonly reason: string
    readonly openedAt: Date
    readonly deposits: readonly BankDeposit[]
  }

/** One payment by a payer. */
export type BankPayment = {
  readonly amount: string
  /** Told again, it is the same money; unset: one of its own. */
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
  readonly status: 'processing' | 'succeeded' | 'failed'
  readonly reason: string
}

export function sumOf(amounts: readonly { readonly amount: string }[]): bigint {
  return amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}
