// The payer's form: which way was chosen, the card, and what the merchant did not send. Held to the interface's rules and the
// method's own. What was typed comes back with its problems, but a card's number and security code never do.
import type { CardDetails } from '../channels/contract.ts'
import { type Method, traitsOf } from '../channels/method.ts'
import { type AskedField, type Fields, isNeeded } from '../channels/traits.ts'
import type { Form } from '../pages/form.ts'
import type { Problem } from '../pages/words/en.ts'
import type { Filling, Problems, ReadEntered } from './filling.ts'
import { readCard } from './read-card.ts'
import type { MethodChoice } from './view.ts'

export type FormRules = {
  readonly readEntered: ReadEntered
  /** All that the merchant sent, personal numbers too. */
  readonly held: Fields
  readonly now: Date
}

export type Chosen = {
  readonly method: Method
  readonly card: CardDetails | undefined
  readonly details: Fields
  /** Sealed before they are stored. */
  readonly personal: Fields
}

export type ReadForm = {
  /** Undefined when something is wrong: the filling tells what. */
  readonly chosen: Chosen | undefined
  readonly filling: Filling
}

export function readForm(choices: readonly MethodChoice[], form: Form, rules: FormRules): ReadForm {
  const choice = choices.find(({ method }) => method === form.method)
  if (choice === undefined) return wrong({ values: {}, problems: {}, notice: 'unavailable' })
  const { method, asks } = choice
  const { details, personal, problems } = readAsked(choice, form, rules)
  const read = method === 'card' ? readCard(form, rules.readEntered, rules.now) : undefined
  const filling = { method, values: kept(asks, form), problems: { ...read?.problems, ...problems } }
  if (Object.keys(filling.problems).length > 0) return wrong(filling)
  const own = traitsOf(method).checkFields?.({ ...rules.held, ...details, ...personal })
  if (own !== undefined) return wrong({ ...filling, ...asProblem(asks, own.field) })
  return { chosen: { method, card: read?.card, details, personal }, filling }
}

function wrong(filling: Filling): ReadForm {
  return { chosen: undefined, filling }
}

type Entered = { readonly details: Fields; readonly personal: Fields; readonly problems: Problems }

function readAsked({ method, asks }: MethodChoice, form: Form, { readEntered, held }: FormRules): Entered {
  const known = { ...held, ...kept(asks, form) }
  const details: Record<string, unknown> = {}
  const personal: Record<string, unknown> = {}
  const problems: Record<string, Problem> = {}
  for (const asked of asks) {
    const text = (form[asked.name] ?? '').trim()
    if (text === '' && !isNeeded(asked, known)) continue
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

const named: Readonly<Record<string, Problem>> = {
  email: 'email',
  billingEmail: 'email',
  billingCountry: 'notListed',
  socialSecurityNumber: 'taxNumber',
  customerIdentification: 'document',
  network: 'network',
}

function problemNamed(field: string): Problem {
  return named[field] ?? 'invalid'
}

/** What the merchant sent wrongly the payer cannot put right: only another way helps. */
function asProblem(asks: readonly AskedField[], field: string): Partial<Filling> {
  const isAsked = asks.some(({ name }) => name === field)
  return isAsked ? { problems: { [field]: problemNamed(field) } } : { notice: 'unavailable' }
}

/** As it was typed. The card's expiry is no secret; number and code are none of the asked fields. */
function kept(asks: readonly AskedField[], form: Form): Form {
  const names = ['cardExpiry', ...asks.map(({ name }) => name)]
  return Object.fromEntries(names.map((name) => [name, form[name] ?? '']))
}
