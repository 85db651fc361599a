// Stripe's test cards, and the two cards that never get a response.

export type CardResult =
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'disputed' }
  | { readonly kind: 'declines'; readonly code: string; readonly declineCode?: string }
  /** The payer decides on a page. `approved` is the result after an approval. */
  | { readonly kind: 'asks'; readonly approved: 'succeeds' | 'declines' }
  /** The card is declined, unless the payer confirms on a page. */
  | { readonly kind: 'wants-challenge' }
  | { readonly kind: 'lost' | 'ignored' }

const declines = (declineCode: string): CardResult => ({
  kind: 'declines',
  code: 'card_declined',
  declineCode,
})

const results: ReadonlyMap<string, CardResult> = new Map([
  ['4242424242424242', { kind: 'succeeds' }],
  ['5555555555554444', { kind: 'succeeds' }],
  ['378282246310005', { kind: 'succeeds' }],
  ['6205500000000000004', { kind: 'succeeds' }],
  ['4000000000000002', declines('generic_decline')],
  ['4000000000009995', declines('insufficient_funds')],
  ['4000000000009987', declines('lost_card')],
  ['4000000000009979', declines('stolen_card')],
  ['4000000000000069', { kind: 'declines', code: 'expired_card' }],
  ['4000000000000127', { kind: 'declines', code: 'incorrect_cvc' }],
  ['4000000000003220', { kind: 'asks', approved: 'succeeds' }],
  ['4000008400001629', { kind: 'asks', approved: 'declines' }],
  ['4000002760003184', { kind: 'wants-challenge' }],
  ['4000000000000259', { kind: 'disputed' }],
  ['4000000000000119', { kind: 'lost' }],
  ['4000000000006975', { kind: 'ignored' }],
] as const)

export function resultOf(number: string, isChallenged: boolean): CardResult {
  const result = results.get(number) ?? { kind: 'declines', code: 'incorrect_number' }
  const mayChallenge = result.kind === 'succeeds' || result.kind === 'wants-challenge'
  return isChallenged && mayChallenge ? { kind: 'asks', approved: 'succeeds' } : result
}
