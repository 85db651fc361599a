// What is particular to a pay-in method, declared in its folder and read from here by everyone: the merchant interface,
// limits, refunds, expiry, review and the payer's page.
import type { Terminal } from './terminal.ts'

export type MethodTraits = {
  /** Values of the `paymentType` header; the first is the one we print. */
  readonly paymentTypes: readonly string[]
  /** Other values that `paymentMode` of /cashier/checkStandPayment takes for it. */
  readonly paymentModes: readonly string[]
  /** 'any' means: whichever the merchant has. */
  readonly currencies: readonly string[] | 'any'
  /** The terminals that it serves, each in a way of its own; undefined: one way for all. */
  readonly terminals?: readonly Terminal[]
  /** User agents on phones that do not open its page for phones. */
  readonly noPhonePageIn?: RegExp
  /** Other codes that are taken for one of its currencies. */
  readonly currencyAliases?: Readonly<Record<string, string>>
  readonly refundable: boolean
  /** How long a payment waits for its payer. */
  readonly awaitsPayerMinutes: number
  /** Payments above this, in the method's own currency, are reviewed before they succeed. */
  readonly reviewAbove?: string
  /** Merchants are told whose account the money came from. */
  readonly tellsPayerAccount?: boolean
  /** What must be known of the payer: asked on our page where the merchant did not send it. A channel may ask for more. */
  readonly asks: readonly AskedField[]
  /** The method's own rules beyond types and lengths: the first that is broken. Fields that are empty are not its matter. */
  readonly checkFields?: (fields: Fields) => FieldProblem | undefined
  /** False when the chosen bank does not exist. */
  readonly knowsBank?: (fields: Fields) => boolean
}

export type Fields = Readonly<Record<string, unknown>>

/** `rule` completes the sentence "FIELD …", for example "must be a CPF or CNPJ with valid check digits". */
export type FieldProblem = { readonly field: string; readonly rule: string }

/** One question on the page. Its label is in the words of the pages, under its name. */
export type AskedField = {
  readonly name: string
  readonly maxLength: number
  /** Personal numbers: sealed before they are stored. */
  readonly personal?: boolean
  readonly numeric?: boolean
  readonly autocomplete?: string
  /** A choice instead of text. A label that is no proper name is in the words of the pages, under `name.value`. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** May stay empty where another field has one of these values. */
  readonly optionalWhere?: { readonly field: string; readonly values: readonly string[] }
}

/** Whether a field must be given, as far as the others are known. */
export function isNeeded({ optionalWhere }: AskedField, fields: Fields): boolean {
  return optionalWhere === undefined || !optionalWhere.values.includes(String(fields[optionalWhere.field]))
}

export const HALF_AN_HOUR = 30
export const THREE_DAYS = 3 * 24 * 60
