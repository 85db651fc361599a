// Reads the card fields as payers type them: spaces and dashes in the number, month and year in one field. The length of the
// security code depends on the card brand; the merchant interface always takes three digits.
import { securityCodeDigits } from '../../base/card-number.ts'
import type { CardDetails } from '../../channels/contract.ts'
import type { Form } from '../../pages/form.ts'
import type { Problem } from '../../pages/translations/en.ts'
import type { Problems, ReadEntered } from './form-state.ts'

export type ReadCard = { readonly card: CardDetails; readonly problems: Problems }

export function readCard(form: Form, readEntered: ReadEntered, now: Date): ReadCard {
  const number = (form.cardNo ?? '').replace(/[ -]/g, '')
  const securityCode = (form.cardSecurityCode ?? '').trim()
  const expiry = readExpiry(form.cardExpiry ?? '')
  const passes = (name: string, text: string) =>
    readEntered('card', { name, maxLength: 16 }, text) !== undefined
  const digits = securityCodeDigits(number)
  const codeProblem = digits === 4 ? 'securityCodeInFront' : 'securityCode'
  const problems = {
    cardNo: problemOf(number, passes('cardNo', number), 'cardNumber'),
    cardExpiry:
      problemOf(form.cardExpiry ?? '', expiry !== undefined, 'expiry') ?? expiredProblem(expiry, now),
    cardSecurityCode: problemOf(securityCode, isSecurityCode(securityCode, digits), codeProblem),
  }
  const { month: expiryMonth = '', year: expiryYear = '' } = expiry ?? {}
  return { card: { number, expiryMonth, expiryYear, securityCode }, problems: present(problems) }
}

function isSecurityCode(text: string, digits: number): boolean {
  return /^\d+$/.test(text) && text.length === digits
}

function problemOf(text: string, passes: boolean, problem: Problem): Problem | undefined {
  if (text.trim() === '') return 'missing'
  return passes ? undefined : problem
}

type Expiry = { readonly month: string; readonly year: string }

/** 8/29, 08/29, 0829, 08 / 2029. */
function readExpiry(text: string): Expiry | undefined {
  const parts = /^(0?[1-9]|1[0-2])\s*[/.-]\s*(?:20)?(\d\d)$|^(0[1-9]|1[0-2])(?:20)?(\d\d)$/.exec(text.trim())
  const month = parts?.[1] ?? parts?.[3]
  const year = parts?.[2] ?? parts?.[4]
  return month === undefined || year === undefined
    ? undefined
    : { month: month.padStart(2, '0'), year: `20${year}` }
}

const DAY_MS = 86_400_000

/** A card is valid to the end of its month in the last time zone on earth. */
function expiredProblem(expiry: Expiry | undefined, now: Date): Problem | undefined {
  if (expiry === undefined) return undefined
  const yesterday = new Date(now.getTime() - DAY_MS).toISOString()
  return `${expiry.year}-${expiry.month}` < yesterday.slice(0, 7) ? 'expired' : undefined
}

function present(problems: Readonly<Record<string, Problem | undefined>>): Problems {
  const found: Record<string, Problem> = {}
  for (const [name, problem] of Object.entries(problems)) if (problem !== undefined) found[name] = problem
  return found
}
