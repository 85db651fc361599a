// The sandbox cards and their behaviour. Expiry dates are checked, but security codes are not.
import cardValidator from 'card-validator'

export type Card = {
  readonly number: string
  readonly expiryMonth: number
  readonly expiryYear: number
}

export type Behaviour =
  | { readonly kind: 'capture' }
  | { readonly kind: 'decline'; readonly reason: string }
  /** The card is declined without a challenge. With a challenge, the payer must enter a code. */
  | { readonly kind: 'soft-decline' }
  /** The payer must enter a code. `passed` is the result after the right code. The bank's page may refuse frames. */
  | { readonly kind: 'challenge'; readonly passed: 'captured' | 'declined'; readonly refusesFrames?: boolean }
  | { readonly kind: 'capture-then-chargeback' }
  /** The card is charged, but the response never arrives. */
  | { readonly kind: 'capture-silently' }
  /** The card is not charged, and no response arrives. */
  | { readonly kind: 'silence' }

const capture: Behaviour = { kind: 'capture' }
const decline = (reason: string): Behaviour => ({ kind: 'decline', reason })

const STOLEN = 'The card was reported stolen'
export const SOFT_DECLINE = 'The bank wants the payer to confirm the payment'

/** The issuer's advice to the merchant, by the reason of the decline. */
export const adviceByReason: ReadonlyMap<string, 'challenge' | 'never'> = new Map([
  [SOFT_DECLINE, 'challenge'],
  [STOLEN, 'never'],
])

const behaviours: ReadonlyMap<string, Behaviour> = new Map([
  ['4242424242424242', capture],
  ['5555555555554444', capture],
  ['378282246310005', capture],
  ['6205500000000000004', capture],
  ['4000000000000002', decline('The bank declined the payment')],
  ['4000000000009995', decline('Insufficient funds')],
  ['4000000000000069', decline('The card has expired')],
  ['4000000000000127', decline('The security code is wrong')],
  ['4000002500003155', { kind: 'soft-decline' }],
  ['4000000000009979', decline(STOLEN)],
  ['4000000000003220', { kind: 'challenge', passed: 'captured' }],
  ['4000000000003253', { kind: 'challenge', passed: 'captured', refusesFrames: true }],
  ['4000008400001629', { kind: 'challenge', passed: 'declined' }],
  ['4000000000000259', { kind: 'capture-then-chargeback' }],
  ['4000000000000119', { kind: 'capture-silently' }],
  ['4000000000006975', { kind: 'silence' }],
])

export const sandboxCards: readonly string[] = [...behaviours.keys()]

/** Declines every card that is not a sandbox card, so that no real card ever succeeds. */
export function decideCard(card: Card, now: Date): Behaviour {
  const behaviour = behaviours.get(card.number)
  if (behaviour === undefined) return unknownCard(card.number)
  return isExpired(card, now) ? decline('The card has expired') : behaviour
}

function unknownCard(number: string): Behaviour {
  return cardValidator.number(number).isValid
    ? decline('Not a sandbox card: use one of the documented sandbox cards')
    : decline('The card number is not valid')
}

/** A card is valid until the end of its month. */
function isExpired(card: Card, now: Date): boolean {
  return Date.UTC(card.expiryYear, card.expiryMonth) <= now.getTime()
}
