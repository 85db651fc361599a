// A payment link: what it sells, to whom it is still open, and which amounts it takes. Pure rules.
import { formatAmount, type Money, parseAmount } from '../base/money.ts'
import type { Method } from '../channels/method.ts'
import { State, type StateNumber } from '../orders/order.ts'

export type LinkKey = { readonly merNo: number; readonly linkId: string }

export type PaymentLink = LinkKey & {
  readonly title: string
  readonly currency: string
  /** Undefined: the payer enters it. */
  readonly amount: bigint | undefined
  /** Bounds of an amount that the payer enters. */
  readonly least: bigint | undefined
  readonly most: bigint | undefined
  /** Undefined: the payer chooses. */
  readonly method: Method | undefined
  /** `one`: at most one order of it is paid. */
  readonly uses: 'one' | 'many'
  readonly expiresAt: Date | undefined
  /** A language tag; '': that of the payer's browser. */
  readonly language: string
  /** The merchant's own words for it, which payers do not see. */
  readonly reference: string
  /** Where its orders are reported to; '': nowhere. */
  readonly notifyUrl: string
  /** `off`: the merchant's people switched it off. `stopped`: an operator did, and only operators let it go on. */
  readonly state: 'active' | 'off' | 'stopped'
  /** The latest order of a link for one use. */
  readonly claim: Claim | undefined
  readonly createdBy: string
  readonly createdAt: Date
}

export type Claim = { readonly tradeNo: string; readonly state: StateNumber; readonly money: Money }

/** `claimed`: it is for one use, and its order waits for its payer. */
export type LinkStatus = 'active' | 'claimed' | 'paid' | 'expired' | 'off' | 'stopped'

export function statusOf(link: PaymentLink, now: Date): LinkStatus {
  const { claim } = link
  if (claim !== undefined && isPaid(claim.state)) return 'paid'
  if (link.state !== 'active') return link.state
  if (link.expiresAt !== undefined && link.expiresAt <= now) return 'expired'
  return claim !== undefined && !endedUnpaid(claim.state) ? 'claimed' : 'active'
}

/** These states are final, except that an operator may still accept late money. */
function endedUnpaid(state: StateNumber): boolean {
  return state === State.failed || state === State.cancelled
}

/** Money that is in review has not been accepted yet. */
const undecided: readonly StateNumber[] = [State.processing, State.informationAsked, State.inReview]

export function isPaid(state: StateNumber): boolean {
  return !endedUnpaid(state) && !undecided.includes(state)
}

/** The amount that a payer typed, with a point or a comma; undefined if the link does not take it. */
export function readAmount(link: PaymentLink, typed: string): bigint | undefined {
  const [, units = '', decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  const wire = `${units.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`
  const amount = parseAmount(wire, link.currency)
  if (amount === undefined) return undefined
  const isWithin = (link.least ?? amount) <= amount && amount <= (link.most ?? amount)
  return isWithin ? amount : undefined
}

/** As the order's fields write it: with two decimals, also where the currency has three. */
export function wireAmount({ amount, currency }: Money): string {
  return formatAmount(amount, currency).replace(/(\.\d\d)0+$/, '$1')
}
