// Reads the payer's form: the chosen method, the card, and the fields that the merchant did not send. It applies the rules of
// the merchant interface and of the method. Typed values are returned with their problems, but never card number and code.
import type { CardDetails } from '../../channels/contract.ts'
import { type Method, methods } from '../../channels/method.ts'
import { type AskedField, type Fields, isNeeded } from '../../channels/traits.ts'
import type { Form } from '../../pages/form.ts'
import type { Problem } from '../../pages/translations/en.ts'
import type { MethodChoice } from '../view.ts'
import type { FormState, Problems, ReadEntered } from './form-state.ts'
import { readCard } from './read-card.ts'

export type FormRules = {
  readonly readEntered: ReadEntered
  /** All fields that the merchant sent, including personal numbers. */
  readonly merchantFields: Fields
  readonly now: Date
}

export type Chosen = {
  readonly method: Method
  readonly card: CardDetails | undefined
  readonly details: Fields
  /** Encrypted before they are stored. */
  readonly personal: Fields
}

export type ReadForm = {
  /** Undefined if the form has problems; `formState` names them. */
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

/** The payer cannot correct what the merchant sent: only another method helps. */
function asProblem(asks: readonly AskedField[], field: string): Partial<FormState> {
  const isAsked = asks.some(({ name }) => name === field)
  return isAsked ? { problems: { [field]: problemNamed(field) } } : { notice: 'unavailable' }
}

/** The values as typed. The expiry date is not secret; card number and code are not among the asked fields. */
function typedValues(asks: readonly AskedField[], form: Form): Form {
  const names = ['cardExpiry', ...asks.map(({ name }) => name)]
  return Object.fromEntries(names.map((name) => [name, form[name] ?? '']))
}
