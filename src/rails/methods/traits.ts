// The traits of a pay-in method, declared in its folder. The merchant interface, limits, refunds, expiry, reviews and payer
// pages read them.
import type { ListName } from '../reference/list.ts'
import type { Reference } from '../reference/reference.ts'
import type { Terminal } from './terminal.ts'

export type MethodTraits = {
  /** Values of the `paymentType` header; we print the first. */
  readonly paymentTypes: readonly string[]
  /** Further values of `paymentMode` in /cashier/checkStandPayment. */
  readonly paymentModes: readonly string[]
  /** 'any': all currencies of the merchant. */
  readonly currencies: readonly string[] | 'any'
  /** The terminals that it distinguishes; undefined: it works the same on all. */
  readonly terminals?: readonly Terminal[]
  /** User agents on phones that cannot open its phone page. */
  readonly noPhonePageIn?: RegExp
  /** Other accepted codes for its currencies. */
  readonly currencyAliases?: Readonly<Record<string, string>>
  readonly refundable: boolean
  /** How long a payment waits for its payer. */
  readonly awaitsPayerMinutes: number
  /** Payments above this, in the method's currency, are reviewed before they succeed. */
  readonly reviewAbove?: string
  /** Notifications carry the payer's account. */
  readonly reportsPayerAccount?: boolean
  /** Fields that our page asks the payer for if the merchant did not send them. A channel may add more. */
  readonly asks: readonly AskedField[]
  /** The values of fields that it serves, such as the coins of one network. A channel may serve others. */
  readonly serves?: Readonly<Record<string, readonly string[]>>
  /** The method's own rules beyond types and lengths. Returns the first problem; ignores empty fields. */
  readonly checkFields?: (fields: Fields) => FieldProblem | undefined
  /** The field that names a bank, and the list that the bank must be on. */
  readonly bank?: BankField
}

export type Fields = Readonly<Record<string, unknown>>

export type BankField = { readonly field: string; readonly list: ListName }

/** Merchants send a number; pages send it as text. */
export function knowsBank(
  reference: Pick<Reference, 'has'>,
  { field, list }: BankField,
  fields: Fields,
): boolean {
  const code = fields[field]
  return (typeof code === 'number' || typeof code === 'string') && reference.has(list, String(code))
}

/** `rule` completes the sentence "FIELD …", for example "must be a CPF or CNPJ with valid check digits". */
export type FieldProblem = { readonly field: string; readonly rule: string }

/** One question on the page. The page words contain its label under its name. */
export type AskedField = {
  readonly name: string
  readonly maxLength: number
  /** Stored encrypted. */
  readonly personal?: boolean
  readonly numeric?: boolean
  readonly autocomplete?: string
  /** A choice instead of a text. The page words translate labels under `name.value`, except proper names. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** The choices are the items of this reference list. */
  readonly choicesFrom?: ListName
  /** Optional if another field has one of these values. */
  readonly optionalWhere?: { readonly field: string; readonly values: readonly string[] }
}

/** Whether a field is required, given the other fields. */
export function isNeeded({ optionalWhere }: AskedField, fields: Fields): boolean {
  return optionalWhere === undefined || !optionalWhere.values.includes(String(fields[optionalWhere.field]))
}

export const HALF_AN_HOUR = 30
export const THREE_DAYS = 3 * 24 * 60
