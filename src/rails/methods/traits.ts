// The traits of a pay-in method. The merchant API, limits, refunds, expiry, reviews and payer pages depend on them.
import type { ListName } from '../../platform/reference/list.ts'
import type { Reference } from '../../platform/reference/reference.ts'
import type { Terminal } from './terminal.ts'

export type MethodTraits = {
  /** The values of the `paymentType` header. If there are several, our own output has the first one. */
  readonly paymentTypes: readonly string[]
  /** The values of `paymentMode` in /cashier/checkStandPayment, in addition to those of `paymentTypes`. */
  readonly paymentModes: readonly string[]
  readonly currencies: readonly string[] | 'any'
  /** The terminals that the method distinguishes. Undefined if the method works in the same way on all terminals. */
  readonly terminals?: readonly Terminal[]
  /** Matches the user agents of phone browsers that cannot open the method's phone page. */
  readonly noPhonePageIn?: RegExp
  readonly currencyAliases?: Readonly<Record<string, string>>
  /**
   * The name of the wallet on whose own page the payer confirms. For such a method, the texts and the brand mark are
   * made from this name, and the example and the bridge channel have defaults. The method may replace each of these by
   * its own.
   */
  readonly confirmedAt?: string
  readonly refundable: boolean
  readonly awaitsPayerMinutes: number
  /**
   * True if the payer transfers the money to an account. The sum of the transfers may then be less or more than the
   * amount.
   */
  readonly paidByTransfer?: boolean
  /** The amount, in the method's currency, above which payments are reviewed before they succeed. */
  readonly reviewAbove?: string
  /** True if notifications contain the payer's account. */
  readonly reportsPayerAccount?: boolean
  /** The fields that our page asks for if the merchant did not send them. A channel may add fields. */
  readonly asks: readonly AskedField[]
  /**
   * The values that the method serves, by field, such as its coins and networks. A channel may serve other values than
   * its method.
   */
  readonly serves?: Readonly<Record<string, readonly string[]>>
  /**
   * Returns the first problem by the method's own rules. Types and lengths were checked before. The fields in `asks`
   * may be empty.
   */
  readonly checkFields?: (fields: Fields) => FieldProblem | undefined
  readonly bank?: BankField
}

export type Fields = Readonly<Record<string, unknown>>

export type BankField = { readonly field: string; readonly list: ListName }

/**
 * True if the bank in the fields is on the list. Merchants send the bank code as a number, and our pages send it as
 * text.
 */
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

/** A field that our page asks the payer for. The texts of the page contain its label, under the field's name. */
export type AskedField = {
  readonly name: string
  readonly maxLength: number
  /** True if the value is stored encrypted. */
  readonly personal?: boolean
  readonly numeric?: boolean
  readonly autocomplete?: string
  /**
   * The choices, if the payer does not type a text. The texts of the page contain a translated label under
   * `name.value`, unless the label is a proper name.
   */
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
