// Reads the payer's form by the rules of the merchant interface and of the method. `formState` has the entered values
// and their problems, but never the card number or the security code.

import { securityCodeDigits } from '../../../platform/base/card-number.ts'
import type { Form } from '../../../platform/pages/form.ts'
import type { Problem } from '../../../platform/pages/translations/en.ts'
import type { CardDetails } from '../../../rails/contract/channel.ts'
import { type Method, methods } from '../../../rails/methods/methods.ts'
import { type AskedField, type Fields, isNeeded } from '../../../rails/methods/traits.ts'
import type { FormState, MethodChoice, Problems, ReadEntered } from '../view.ts'

type FormRules = {
  readonly readEntered: ReadEntered
  /** All fields that the merchant sent, including personal numbers. */
  readonly merchantFields: Fields
  readonly now: Date
}

export type Chosen = {
  readonly method: Method
  readonly card: CardDetails | undefined
  readonly details: Fields
  /** The personal fields, which are encrypted before they are stored. */
  readonly personal: Fields
}

type ReadForm = {
  /** The chosen method and its fields. Undefined if the form has problems. `formState` then contains the problems. */
  readonly chosen: Chosen | undefined
  readonly formState: FormState
}

export function readForm(choices: readonly MethodChoice[], form: Form, rules: FormRules): ReadForm {
  const choice = choices.find(({ method }) => method === form.method)
  if (choice === undefined) return invalid({ values: {}, problems: {}, notice: 'unavailable' })
  const { method, asks } = choice
  const { details, personal, problems } = readAsked(choice, form, rules)
  const read = method === 'card' ? readCard(form, rules.readEntered, rules.now) : undefined
  const formState = { method, values: typedValues(asks, form), problems: { ...read?.problems, ...problems } }
  if (Object.keys(formState.problems).length > 0) return invalid(formState)
  const own = methods[method].checkFields?.({ ...rules.merchantFields, ...details, ...personal })
  if (own !== undefined) return invalid({ ...formState, ...asProblem(asks, own.field) })
  return { chosen: { method, card: read?.card, details, personal }, formState }
}

function invalid(formState: FormState): ReadForm {
  return { chosen: undefined, formState }
}

type Entered = { readonly details: Fields; readonly personal: Fields; readonly problems: Problems }

function readAsked(
  { method, asks }: MethodChoice,
  form: Form,
  { readEntered, merchantFields }: FormRules,
): Entered {
  const fields = { ...merchantFields, ...typedValues(asks, form) }
  const details: Record<string, unknown> = {}
  const personal: Record<string, unknown> = {}
  const problems: Record<string, Problem> = {}
  for (const asked of asks) {
    const text = (form[asked.name] ?? '').trim()
    if (text === '' && !isNeeded(asked, fields)) continue
    const read = readEntered(method, asked, text)
    const problem = problemOf(asked, text) ?? (read === undefined ? problemNamed(asked.name) : undefined)
    if (problem !== undefined) problems[asked.name] = problem
    else if (asked.personal === true) personal[asked.name] = read?.value
    else details[asked.name] = read?.value
  }
  return { details, personal, problems }
}

function problemOf({ maxLength, choices }: AskedField, text: string): Problem | undefined {
  if (text === '') return 'missing'
  if (choices !== undefined && !choices.some(({ value }) => value === text)) return 'notListed'
  return Array.from(text).length > maxLength || /[\p{Cc}\p{Cs}]/u.test(text) ? 'tooLong' : undefined
}

const problemsByField: Readonly<Record<string, Problem>> = {
  email: 'email',
  billingEmail: 'email',
  billingCountry: 'notListed',
  socialSecurityNumber: 'taxNumber',
  customerIdentification: 'document',
  network: 'network',
}

function problemNamed(field: string): Problem {
  return problemsByField[field] ?? 'invalid'
}

/**
 * Converts a broken rule to a problem of the form. The payer cannot correct a field that the merchant sent. For such a
 * field, the page says that the method is unavailable.
 */
function asProblem(asks: readonly AskedField[], field: string): Partial<FormState> {
  const isAsked = asks.some(({ name }) => name === field)
  return isAsked ? { problems: { [field]: problemNamed(field) } } : { notice: 'unavailable' }
}

/**
 * Returns the entered values, which fill in the form if it is shown again. The card number and the security code are
 * left out.
 */
function typedValues(asks: readonly AskedField[], form: Form): Form {
  const names = ['cardExpiry', ...asks.map(({ name }) => name)]
  return Object.fromEntries(names.map((name) => [name, form[name] ?? '']))
}

// Reads the card fields as payers type them. The number may have spaces and dashes, and month and year are in one
// field. The length of the security code depends on the card brand.

type ReadCard = { readonly card: CardDetails; readonly problems: Problems }

function readCard(form: Form, readEntered: ReadEntered, now: Date): ReadCard {
  const number = (form.cardNo ?? '').replace(/[ -]/g, '')
  const securityCode = (form.cardSecurityCode ?? '').trim()
  const expiry = readExpiry(form.cardExpiry ?? '')
  const passes = (name: string, text: string) =>
    readEntered('card', { name, maxLength: 19 }, text) !== undefined
  const digits = securityCodeDigits(number)
  const codeProblem = digits === 4 ? 'securityCodeInFront' : 'securityCode'
  const problems = {
    cardNo: cardProblem(number, passes('cardNo', number), 'cardNumber'),
    cardExpiry:
      cardProblem(form.cardExpiry ?? '', expiry !== undefined, 'expiry') ?? expiredProblem(expiry, now),
    cardSecurityCode: cardProblem(securityCode, isSecurityCode(securityCode, digits), codeProblem),
  }
  const { month: expiryMonth = '', year: expiryYear = '' } = expiry ?? {}
  return { card: { number, expiryMonth, expiryYear, securityCode }, problems: present(problems) }
}

function isSecurityCode(text: string, digits: number): boolean {
  return /^\d+$/.test(text) && text.length === digits
}

function cardProblem(text: string, passes: boolean, problem: Problem): Problem | undefined {
  if (text.trim() === '') return 'missing'
  return passes ? undefined : problem
}

type Expiry = { readonly month: string; readonly year: string }

/** Reads an expiry date such as 8/29, 08/29, 0829 or 08 / 2029. */
function readExpiry(text: string): Expiry | undefined {
  const parts = /^(0?[1-9]|1[0-2])\s*[/.-]\s*(?:20)?(\d\d)$|^(0[1-9]|1[0-2])(?:20)?(\d\d)$/.exec(text.trim())
  const month = parts?.[1] ?? parts?.[3]
  const year = parts?.[2] ?? parts?.[4]
  return month === undefined || year === undefined
    ? undefined
    : { month: month.padStart(2, '0'), year: `20${year}` }
}

const DAY_MS = 86_400_000

/**
 * Accepts a card for one more day after the end of its month in UTC, because the month ends later in some time zones.
 */
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
