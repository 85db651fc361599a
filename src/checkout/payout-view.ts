// What the pages of a CheckOut payout show.
import type { Money } from '../base/money.ts'
import type { AccountKind } from '../channels/payout/contract.ts'
import type { Form } from '../pages/form.ts'
import type { Notice } from '../pages/words/en.ts'
import type { Problems } from './filling.ts'
import type { Brand } from './view.ts'

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
  /** How it can be paid, the usual way first. */
  readonly kinds: readonly AccountKind[]
  /** The merchant's address with the signed result; '' when it gave none. */
  readonly returnUrl: string
  /** As the merchant asked for it: a language tag, or ''. */
  readonly language: string
}

/** What is being filled in. */
export type Filling = {
  readonly kind: AccountKind
  readonly values: Form
  readonly problems: Problems
  readonly notice?: Notice | undefined
}
