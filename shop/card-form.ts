// The shop's own card form. The card goes through this server to the gateway and is not stored. If an order must be
// sent again, the customer enters the card again.
import type { Form } from '../src/platform/pages/form.ts'

export type Card = {
  readonly cardNo: string
  readonly cardExpireMonth: string
  readonly cardExpireYear: string
  readonly cardSecurityCode: string
}

export type CardProblems = { readonly [Field in 'cardNo' | 'expiry' | 'code']?: string }

/** Returns the card, or the problems by field. */
export function readCard(form: Form): { readonly card: Card } | { readonly problems: CardProblems } {
  const cardNo = (form.cardNo ?? '').replace(/[\s-]/g, '')
  const code = (form.code ?? '').trim()
  const expiry = /^(0[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d\d)$/.exec((form.expiry ?? '').trim())
  const problems: CardProblems = {
    ...(!/^\d{12,19}$/.test(cardNo) && {
      cardNo: 'Enter the digits of a card, such as 4242 4242 4242 4242.',
    }),
    ...(expiry === null && { expiry: 'Enter month and year, such as 12/30.' }),
    ...(!(/^\d+$/.test(code) && code.length === codeDigits(cardNo)) && {
      code: `Enter ${codeDigits(cardNo)} digits: any will do here.`,
    }),
  }
  if (expiry === null || Object.keys(problems).length > 0) return { problems }
  const [, month = '', year = ''] = expiry
  return {
    card: { cardNo, cardExpireMonth: month, cardExpireYear: `20${year}`, cardSecurityCode: code },
  }
}

/** The length of the security code: four digits for American Express, and three for all other cards. */
function codeDigits(cardNo: string): 3 | 4 {
  return /^3[47]/.test(cardNo) ? 4 : 3
}

/** The cards that the sandbox knows. */
export const sandboxCards: readonly { readonly number: string; readonly does: string }[] = [
  { number: '4242424242424242', does: 'succeeds' },
  { number: '378282246310005', does: 'succeeds: American Express, with a code of four digits' },
  { number: '4000000000003220', does: 'asks for the code 123456, then succeeds' },
  { number: '4000000000000002', does: 'is declined' },
  { number: '4000000000009995', does: 'is declined: not enough money' },
  { number: '4000008400001629', does: 'asks for a code, then is declined' },
  { number: '4000000000000259', does: 'succeeds, with a chargeback a minute later' },
  { number: '4000000000000119', does: 'is charged, but the bank does not answer in time' },
  { number: '4000000000006975', does: 'is not charged, and the bank does not answer in time' },
]
