// What the pages of a CheckOut payout show.
import type { Money } from '../../base/money.ts'
import type { InterfaceAccount } from '../../channels/payout/contract.ts'
import type { Form } from '../../pages/form.ts'
import type { Notice } from '../../pages/translations/en.ts'
import type { Problems } from '../form/form-state.ts'
import type { Brand } from '../view.ts'

export type PayoutView = {
  readonly merchant: Brand
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly beneficiary: string
  readonly money: Money
  readonly status: 'asks-account' | 'processing' | 'succeeded' | 'failed'
  /** Why it failed. */
  readonly message: string
  readonly accountMasked: string
  /** The kinds of account that can receive it, the usual one first. */
  readonly kinds: readonly InterfaceAccount[]
  /** The merchant's address with the signed result; '' if the merchant sent none. */
  readonly returnUrl: string
  /** The language tag that the merchant sent, or ''. */
  readonly language: string
}

export type PayoutFormState = {
  readonly kind: InterfaceAccount
  readonly values: Form
  readonly problems: Problems
  readonly notice?: Notice | undefined
}
