// A rule has conditions and an action. The rule applies to a payment if all its conditions hold and the action is
// possible for the method. This file also defines the result of a trial.
import { parseDecimal } from '../../platform/base/money.ts'
import { isObject } from '../../platform/base/object.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'

/** `challenge`: 3-D Secure is requested. `review`: an operator decides once the money has arrived. */
export const ruleActions = ['refuse', 'challenge', 'review'] as const
export type RuleAction = (typeof ruleActions)[number]

/** `watching`: the rule records its hits, and has no effect. */
export const ruleStates = ['draft', 'watching', 'on', 'off'] as const
export type RuleState = (typeof ruleStates)[number]

const countedBy = ['card', 'email', 'address', 'device', 'merchant'] as const
export type CountedBy = (typeof countedBy)[number]

export type Conditions = {
  readonly methods?: readonly string[]
  /** The condition holds if the payer's country is one of these. */
  readonly countries?: readonly string[]
  /** The condition holds if the card was issued in one of these countries, by the table of BINs. */
  readonly issuerCountries?: readonly string[]
  readonly bins?: readonly string[]
  /** The condition holds if the payment's value in US dollars exceeds this amount. */
  readonly above?: string
  /** If true, billing and shipping address must be in different countries. */
  readonly countriesDiffer?: boolean
  /** The condition holds if the card was not used within this number of days. */
  readonly newCardDays?: number
  readonly velocity?: Velocity
}

/** The condition holds if the payments within these minutes exceed `mostPayments` or `mostAmount`. */
type Velocity = {
  readonly per: CountedBy
  readonly minutes: number
  readonly mostPayments?: number
  /** An amount in US dollars. */
  readonly mostAmount?: string
}

/** The part of a rule that people change. */
export type RuleContent = {
  readonly name: string
  readonly action: RuleAction
  readonly conditions: Conditions
}

export type Rule = RuleContent & {
  /** The merchant number, or 0 for a rule that applies to every merchant. */
  readonly merNo: number
  readonly ruleId: string
  readonly state: RuleState
  readonly version: number
  readonly createdAt: Date
  readonly createdBy: string
  readonly changedAt: Date
  readonly changedBy: string
  readonly triedAt: Date | undefined
  readonly tried: Trial | undefined
}

export const MOST_DAYS = 30
const MOST_MINUTES = MOST_DAYS * 24 * 60
/**
 * The maximum number of rows that a count reads, newest first. `mostPayments` must be lower. If a key has more
 * payments, the counted sum is too low, so a rule with `mostAmount` may miss payments.
 */
export const MOST_COUNTED = 10_000
const MOST_LISTED = 500
const NAME_LENGTH = 100

/** Returns the checked content. Throws if the content is invalid. The message begins with the field's name. */
export function readRule({ name, action, conditions }: RuleContent): RuleContent {
  const plain = name.trim()
  if (plain === '' || plain.length > NAME_LENGTH || /\p{Cc}/u.test(plain))
    throw wrong('name', `give it a name of 1 to ${NAME_LENGTH} characters`)
  const read = readConditions(conditions)
  if (Object.keys(read).length === 0) throw wrong('conditions', 'give at least one condition')
  return { name: plain, action, conditions: read }
}

function readConditions(given: Conditions): Conditions {
  const { methods, countries, issuerCountries, bins, above, countriesDiffer, newCardDays, velocity } = given
  return {
    ...(isGiven(methods) && { methods: listed('methods', methods, /^[a-z_]{2,40}$/) }),
    ...(isGiven(countries) && { countries: listed('countries', countries.map(upper), /^[A-Z]{2}$/) }),
    ...(isGiven(issuerCountries) && {
      issuerCountries: listed('issuerCountries', issuerCountries.map(upper), /^[A-Z]{2}$/),
    }),
    ...(isGiven(bins) && { bins: listed('bins', bins, /^\d{6}$/) }),
    ...(above !== undefined && { above: dollars('above', above) }),
    ...(countriesDiffer === true && { countriesDiffer }),
    ...(newCardDays !== undefined && { newCardDays: within('newCardDays', newCardDays, MOST_DAYS) }),
    ...(velocity !== undefined && { velocity: readVelocity(velocity) }),
  }
}

function readVelocity({ per, minutes, mostPayments, mostAmount }: Velocity): Velocity {
  if (mostPayments === undefined && mostAmount === undefined)
    throw wrong('mostPayments', 'give a number of payments, an amount, or both')
  return {
    per,
    minutes: within('minutes', minutes, MOST_MINUTES),
    ...(mostPayments !== undefined && {
      mostPayments: within('mostPayments', mostPayments, MOST_COUNTED - 1),
    }),
    ...(mostAmount !== undefined && { mostAmount: dollars('mostAmount', mostAmount) }),
  }
}

function isGiven(list: readonly string[] | undefined): list is readonly string[] {
  return list !== undefined && list.length > 0
}

function upper(text: string): string {
  return text.toUpperCase()
}

const forms: Readonly<Record<string, string>> = {
  methods: 'name methods of the interface, as in card',
  countries: 'a country has two letters, as in DE',
  issuerCountries: 'a country has two letters, as in DE',
  bins: 'a BIN is the first six digits of a card',
}

function listed(field: string, values: readonly string[], form: RegExp): readonly string[] {
  const each = [...new Set(values)]
  if (each.length > MOST_LISTED) throw wrong(field, `name at most ${MOST_LISTED}`)
  if (!each.every((value) => form.test(value))) throw wrong(field, forms[field] ?? 'not valid')
  return each
}

function dollars(field: string, text: string): string {
  const amount = parseDecimal(text, 'USD')
  if (amount === undefined) throw wrong(field, 'give an amount in US dollars, as in 250.00')
  return text
}

function within(field: string, value: number, most: number): number {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw wrong(field, `give a whole number from 1 to ${most}`)
  return value
}

export class WrongRule extends OperatorRefusal {
  override readonly field: string
  readonly advice: string
  constructor(field: string, advice: string) {
    super(`${field}: ${advice}`, field)
    this.field = field
    this.advice = advice
  }
}

function wrong(field: string, advice: string): WrongRule {
  return new WrongRule(field, advice)
}

/** Reads conditions from the JSON of a command line. */
export function parseConditions(text: string): Conditions {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (!isObject(value)) throw wrong('conditions', 'give a JSON object, as in {"above":"500"}')
  const shape = shapeOf(value)
  const mistyped = Object.keys(value).find((name) => !(name in shape))
  if (mistyped !== undefined)
    throw wrong(mistyped, 'has another type: amounts are texts, numbers are numbers')
  return readConditions(shape)
}

const names = [
  'methods',
  'countries',
  'issuerCountries',
  'bins',
  'above',
  'countriesDiffer',
  'newCardDays',
  'velocity',
] as const

function shapeOf(value: Readonly<Record<string, unknown>>): Conditions {
  const unknown = Object.keys(value).find((name) => !names.some((one) => one === name))
  if (unknown !== undefined) throw wrong(unknown, `the conditions are ${names.join(', ')}`)
  const { velocity } = value
  return {
    ...texts('methods', value.methods),
    ...texts('countries', value.countries),
    ...texts('issuerCountries', value.issuerCountries),
    ...texts('bins', value.bins),
    ...(typeof value.above === 'string' && { above: value.above }),
    ...(value.countriesDiffer === true && { countriesDiffer: true }),
    ...(typeof value.newCardDays === 'number' && { newCardDays: value.newCardDays }),
    ...(isObject(velocity) && { velocity: velocityOf(velocity) }),
  }
}

function texts(name: 'methods' | 'countries' | 'issuerCountries' | 'bins', value: unknown): Conditions {
  return Array.isArray(value) ? { [name]: value.map(String) } : {}
}

function velocityOf({ per, minutes, mostPayments, mostAmount }: Readonly<Record<string, unknown>>): Velocity {
  const by = countedBy.find((one) => one === per)
  if (by === undefined) throw wrong('velocity', `count per ${countedBy.join(', ')}`)
  return {
    per: by,
    minutes: Number(minutes),
    ...(typeof mostPayments === 'number' && { mostPayments }),
    ...(typeof mostAmount === 'string' && { mostAmount }),
  }
}

// A trial shows what a rule would have done to the payments of some days. Trials run in the process that serves
// payments, so their memory is bounded. If the days have too many payments, the trial ends early and reports the time
// that it covers.

export const trialOutcomes = ['succeeded', 'refunded', 'chargedBack', 'failed', 'open'] as const
export type TrialOutcome = (typeof trialOutcomes)[number]

export type Trial = {
  readonly days: number
  /** The time that the trial covers. Set only if there were too many payments to cover all days. */
  readonly covers?: { readonly from: string; readonly until: string }
  /** The number of orders on which the rule was tried. */
  readonly orders: number
  readonly hits: number
  /** The value of the hits in US dollars. */
  readonly usd: string
  readonly outcomes: readonly { readonly name: TrialOutcome; readonly orders: number; readonly usd: string }[]
  /** The newest hits. */
  readonly examples: readonly {
    readonly tradeNo: string
    readonly merNo: number
    readonly at: string
    readonly method: string
    readonly money: { readonly amount: string; readonly currency: string }
    readonly outcome: TrialOutcome
  }[]
}
