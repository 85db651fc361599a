// The traits of a pay-in method, which the merchant API, limits, refunds, expiry, reviews and payer pages read.
import type { ListName } from '../../platform/reference/list.ts'
import type { Reference } from '../../platform/reference/reference.ts'
import type { Terminal } from './terminal.ts'

export type MethodTraits = {
  /** The values of the `paymentType` header. Our own output uses the first value. */
  readonly paymentTypes: readonly string[]
  /** Further values of `paymentMode` in /cashier/checkStandPayment. */
  readonly paymentModes: readonly string[]
  readonly currencies: readonly string[] | 'any'
  /** Undefined if the method works the same on all terminals. */
  readonly terminals?: readonly Terminal[]
  /** Matches the user agents of phone browsers that cannot open the phone page. */
  readonly noPhonePageIn?: RegExp
  readonly currencyAliases?: Readonly<Record<string, string>>
  /** The wallet on whose page the payer confirms. Texts, brand mark, example and bridge channel follow from it. */
  readonly confirmedAt?: string
  readonly refundable: boolean
  readonly awaitsPayerMinutes: number
  /** True if the payer transfers the money to an account: the transfers may be less or more than the amount. */
  readonly paidByTransfer?: boolean
  /** In the method's currency: larger payments are reviewed before they succeed. */
  readonly reviewAbove?: string
  /** True if notifications contain the payer's account. */
  readonly reportsPayerAccount?: boolean
  /** The fields that our page asks for if the merchant did not send them. A channel may add fields. */
  readonly asks: readonly AskedField[]
  /** The values that the method serves, by field, such as its coins and networks. A channel may serve other values. */
  readonly serves?: Readonly<Record<string, readonly string[]>>
  /** Checks rules beyond types and lengths, and ignores empty fields. */
  readonly checkFields?: (fields: Fields) => FieldProblem | undefined
  readonly bank?: BankField
}

export type Fields = Readonly<Record<string, unknown>>

export type BankField = { readonly field: string; readonly list: ListName }

/** Merchants send the bank code as a number, our pages as text. */
export function knowsBank(
  reference: Pick<Reference, 'has'>,
  { field, list }: BankField,
  fields: Fields,
): boolean {
  const code = fields[field]
  return (typeof code === 'number' || typeof code === 'string') && reference.has(list, String(code))
}

/** `rule` completes the sentence "FIELD …", such as "must be a CPF". */
export type FieldProblem = { readonly field: string; readonly rule: string }

/** Our pages have a label under the field's name. */
export type AskedField = {
  readonly name: string
  readonly maxLength: number
  /** True if the value is stored encrypted. */
  readonly personal?: boolean
  readonly numeric?: boolean
  readonly autocomplete?: string
  /** The pages' words translate a label under `name.value`, unless it is a proper name. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** The reference list whose items are the choices. */
  readonly choicesFrom?: ListName
  /** The field is optional if the other field has one of these values. */
  readonly optionalWhere?: { readonly field: string; readonly values: readonly string[] }
}

export function isNeeded({ optionalWhere }: AskedField, fields: Fields): boolean {
  return optionalWhere === undefined || !optionalWhere.values.includes(String(fields[optionalWhere.field]))
}

export const HALF_AN_HOUR = 30
export const THREE_DAYS = 3 * 24 * 60
