// Why Stripe declined, in our words. A lost or stolen card is never named: the payer may be the thief.
import { type Fields, isObject } from '../../base/object.ts'
import type { Failed } from '../contract.ts'

const messages: ReadonlyMap<string, string> = new Map([
  ['insufficient_funds', 'Insufficient funds'],
  ['expired_card', 'The card has expired'],
  ['incorrect_cvc', 'The security code is wrong'],
  ['incorrect_number', 'The card number is not valid'],
  ['card_not_supported', 'The card does not allow this payment'],
  ['authentication_required', "The payer's bank wants the payer to confirm the payment"],
  ['payment_intent_authentication_failure', 'The payer did not confirm the payment'],
  ['processing_error', "The payer's bank could not process the payment"],
  ['issuer_not_available', "The payer's bank could not be reached"],
])

/** The networks forbid to try these cards again: the last one is the network's own word, whatever the reason. */
const never: readonly string[] = [
  'lost_card',
  'stolen_card',
  'pickup_card',
  'fraudulent',
  'invalid_account',
  'restricted_card',
  'stop_payment_order',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'do_not_try_again',
]

/** From `error` of a response, or `last_payment_error` of a payment; both have the same fields. */
export function declined(error: unknown, channelRef: string): Failed {
  const { code, decline_code: declineCode, advice_code: adviceCode }: Fields = isObject(error) ? error : {}
  const names = [declineCode, code, adviceCode].filter((one) => typeof one === 'string')
  const message = names.map((name) => messages.get(name)).find((text) => text !== undefined)
  return {
    kind: 'failed',
    cause: 'declined',
    message: message ?? 'The bank declined the payment',
    channelRef,
    ...adviceOf(names),
  }
}

function adviceOf(names: readonly string[]): Pick<Failed, 'advice'> {
  // First: a challenge would be another try.
  if (names.some((name) => never.includes(name))) return { advice: 'never' }
  return names.includes('authentication_required') ? { advice: 'challenge' } : {}
}
