// A payment link: its content, its status, and the amounts that it accepts. The functions are pure.
import { type Money, parseAmount } from '../../platform/base/money.ts'
import type { Method } from '../../rails/methods/methods.ts'
import { State, type StateNumber } from '../orders/order.ts'

export type LinkKey = { readonly merNo: number; readonly linkId: string }

export type PaymentLink = LinkKey & {
  readonly title: string
  readonly currency: string
  readonly amount: bigint | undefined
  /** The minimum (`least`) and maximum (`most`) of the amount that the payer may enter. */
  readonly least: bigint | undefined
  readonly most: bigint | undefined
  readonly method: Method | undefined
  /** `one`: at most one order of the link is paid. */
  readonly uses: 'one' | 'many'
  readonly expiresAt: Date | undefined
  /** A language tag, or '' for the language of the payer's browser. */
  readonly language: string
  /** The merchant's own description of the link, which payers do not see. */
  readonly reference: string
  /** The address for notifications of the link's orders, or '' for none. */
  readonly notifyUrl: string
  /**
   * `off`: the merchant's people switched the link off. `stopped`: an operator stopped the link, and only operators can
   * reactivate it.
   */
  readonly state: 'active' | 'off' | 'stopped'
  /** The latest order of a single-use link. Undefined before the first order, and for a link with many uses. */
  readonly claim: Claim | undefined
  readonly createdBy: string
  readonly createdAt: Date
}

export type Claim = { readonly tradeNo: string; readonly state: StateNumber; readonly money: Money }

/** The status that people see. `claimed`: the order of a single-use link is not decided yet. */
export type LinkStatus = 'active' | 'claimed' | 'paid' | 'expired' | 'off' | 'stopped'

export function statusOf(link: PaymentLink, now: Date): LinkStatus {
  const { claim } = link
  if (claim !== undefined && isPaid(claim.state)) return 'paid'
  if (link.state !== 'active') return link.state
  if (link.expiresAt !== undefined && link.expiresAt <= now) return 'expired'
  return claim !== undefined && !endedUnpaid(claim.state) ? 'claimed' : 'active'
}

/** True if the order ended unpaid. The order stays unpaid, except that an operator may still accept late money. */
function endedUnpaid(state: StateNumber): boolean {
  return state === State.failed || state === State.cancelled
}

/** The states of an order that waits for the payer, or whose money is in review. */
const undecided: readonly StateNumber[] = [State.processing, State.informationAsked, State.inReview]

export function isPaid(state: StateNumber): boolean {
  return !endedUnpaid(state) && !undecided.includes(state)
}

/** Parses an amount that a payer typed, with a decimal point or comma. Undefined if the link refuses the amount. */
export function readAmount(link: PaymentLink, typed: string): bigint | undefined {
  const [, units = '', decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  const wire = `${units.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`
  const amount = parseAmount(wire, link.currency)
  if (amount === undefined) return undefined
  const isWithin = (link.least ?? amount) <= amount && amount <= (link.most ?? amount)
  return isWithin ? amount : undefined
}
