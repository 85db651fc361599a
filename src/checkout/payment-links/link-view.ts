// What the page behind a payment link shows.
import type { Money } from '../../base/money.ts'
import type { Problem } from '../../pages/translations/en.ts'
import type { LinkStatus } from '../../payment-links/payment-link.ts'
import type { Brand } from '../view.ts'

export type LinkView = {
  readonly merchant: Brand
  readonly title: string
  readonly status: LinkStatus
  readonly currency: string
  /** Undefined: the payer enters the amount. */
  readonly money: Money | undefined
  readonly least: Money | undefined
  readonly most: Money | undefined
  readonly expiresAt: Date | undefined
  /** A language tag; '': that of the payer's browser. */
  readonly language: string
  /** The sources of sites that may show the page in a frame. */
  readonly frameAncestors: readonly string[]
}

export type LinkFormState = {
  readonly amount: string
  readonly problem?: Problem | undefined
  readonly notice?: 'tooManyAttempts'
}
