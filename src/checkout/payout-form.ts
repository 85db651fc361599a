// What the beneficiary's page asks for, by how the money is to come, as data; and how its form is read.
import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import type { AccountKind } from '../channels/payout/contract.ts'
import type { Form } from '../pages/form.ts'

export type Choice = readonly [value: string, label: string]

export type PageField = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly optional?: true
  readonly choices?: readonly Choice[]
  readonly numeric?: true
  readonly autocomplete?: string
  /** Sealed with the account. */
  readonly personal?: true
  /** Never written back into a page. */
  readonly secret?: true
}

export type PayoutForm = {
  /** As one is asked to choose it. */
  readonly label: string
  /** What is not valid when the account is not. */
  readonly account: string
  readonly fields: readonly PageField[]
}

const names = new Intl.DisplayNames('en', { type: 'region' })
const countries: readonly Choice[] = Object.keys(iso31661Alpha2ToAlpha3)
  .map((code): Choice => [code, names.of(code) ?? code])
  .sort(([, one], [, other]) => one.localeCompare(other, 'en'))

const people: readonly Choice[] = [
  ['individual', 'A person'],
  ['business', 'A business'],
]
const accountTypes: readonly Choice[] = [
  ['00', 'Current account'],
  ['01', 'Savings account'],
]
const documents: readonly Choice[] = [
  ['00', 'Identity card'],
  ['01', "Foreigner's card"],
  ['02', 'Tax number'],
  ['03', 'Passport'],
]

export const payoutForms: Readonly<Record<AccountKind, PayoutForm>> = {
  card: {
    label: 'Card',
    account: 'card number',
    fields: [
      { name: 'account', label: 'Card number', numeric: true, autocomplete: 'cc-number', secret: true },
    ],
  },
  bank_account: {
    label: 'Bank account',
    account: 'IBAN or account number',
    fields: [
      { name: 'account', label: 'IBAN or account number' },
      { name: 'bankCode', label: 'BIC (SWIFT code)', hint: 'Not needed with an IBAN', optional: true },
      { name: 'beneficiaryType', label: 'The account belongs to', choices: people },
      { name: 'addressLine', label: 'Address', autocomplete: 'address-line1' },
      { name: 'city', label: 'City', autocomplete: 'address-level2' },
      { name: 'countryCode', label: 'Country', choices: countries, autocomplete: 'country' },
    ],
  },
  pix: {
    label: 'Pix',
    account: 'Pix key',
    fields: [{ name: 'account', label: 'Pix key', hint: 'CPF, CNPJ, e-mail, phone or random key' }],
  },
  per_transfer: {
    label: 'Bank account in Peru',
    account: 'CCI',
    fields: [
      { name: 'account', label: 'CCI', hint: '20 digits', numeric: true },
      { name: 'accountType', label: 'Account', choices: accountTypes },
      { name: 'customerIdentificationType', label: 'Document', choices: documents },
      { name: 'customerIdentification', label: 'Number of the document', personal: true },
    ],
  },
  spei: {
    label: 'Bank account in Mexico',
    account: 'CLABE',
    fields: [{ name: 'account', label: 'CLABE', hint: '18 digits', numeric: true }],
  },
}

export type Problems = Readonly<Record<string, string>>

export type ReadForm = { readonly values: Form; readonly problems: Problems }

const MOST_CHARACTERS = 255

/** Spaces around a value are the typist's; all else is as it was typed. */
export function readPayoutForm(kind: AccountKind, form: Form): ReadForm {
  const values: Record<string, string> = {}
  const problems: Record<string, string> = {}
  for (const field of payoutForms[kind].fields) {
    const value = (form[field.name] ?? '').trim()
    values[field.name] = field.numeric === true ? value.replace(/[ -]/g, '') : value
    const problem = problemOf(field, value)
    if (problem !== undefined) problems[field.name] = problem
  }
  return { values, problems }
}

function problemOf({ optional, choices }: PageField, value: string): string | undefined {
  if (value === '') return optional === true ? undefined : 'Fill this in'
  if (value.length > MOST_CHARACTERS || /[\p{Cc}\p{Cs}]/u.test(value)) return 'Write it shorter and plainer'
  if (choices !== undefined && !choices.some(([known]) => known === value)) return 'Choose one of the list'
  return undefined
}
