// The fields of the beneficiary's form, by kind of account. The pages find the texts of labels and choices by the names
// of the fields.
import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import type { Form } from '../../../platform/pages/form.ts'
import type { Problem } from '../../../platform/pages/translations/en.ts'
import type { InterfaceAccount } from '../../../rails/contract/payout-rail.ts'
import type { Problems } from '../view.ts'

export type PageField = {
  readonly name: string
  readonly optional?: true
  readonly choices?: readonly string[]
  readonly numeric?: true
  readonly half?: true
  readonly autocomplete?: string
  /** True if the value is encrypted together with the account. */
  readonly personal?: true
  /** True if the value is never written back into a page. */
  readonly secret?: true
}

export type PayoutForm = { readonly fields: readonly PageField[] }

export const payoutForms: Readonly<Record<InterfaceAccount, PayoutForm>> = {
  card: { fields: [{ name: 'account', numeric: true, autocomplete: 'cc-number', secret: true }] },
  bank_account: {
    fields: [
      { name: 'account' },
      { name: 'bankCode', optional: true },
      { name: 'beneficiaryType', choices: ['individual', 'business'] },
      { name: 'addressLine', autocomplete: 'address-line1' },
      { name: 'city', autocomplete: 'address-level2', half: true },
      {
        name: 'countryCode',
        choices: Object.keys(iso31661Alpha2ToAlpha3),
        autocomplete: 'country',
        half: true,
      },
    ],
  },
  pix: { fields: [{ name: 'account' }] },
  per_transfer: {
    fields: [
      { name: 'account', numeric: true },
      { name: 'accountType', choices: ['00', '01'] },
      { name: 'customerIdentificationType', choices: ['00', '01', '02', '03'], half: true },
      { name: 'customerIdentification', personal: true, half: true },
    ],
  },
  spei: { fields: [{ name: 'account', numeric: true }] },
}

export type ReadPayoutForm = { readonly values: Form; readonly problems: Problems }

const MAX_CHARACTERS = 255

/** Reads the form. Removes spaces around values, and spaces and dashes in numbers. */
export function readPayoutForm(kind: InterfaceAccount, form: Form): ReadPayoutForm {
  const values: Record<string, string> = {}
  const problems: Record<string, Problem> = {}
  for (const field of payoutForms[kind].fields) {
    const value = (form[field.name] ?? '').trim()
    values[field.name] = field.numeric === true ? value.replace(/[ -]/g, '') : value
    const problem = problemOf(field, value)
    if (problem !== undefined) problems[field.name] = problem
  }
  return { values, problems }
}

function problemOf({ optional, choices }: PageField, value: string): Problem | undefined {
  if (value === '') return optional === true ? undefined : 'missing'
  if (value.length > MAX_CHARACTERS || /[\p{Cc}\p{Cs}]/u.test(value)) return 'tooLong'
  return choices === undefined || choices.includes(value) ? undefined : 'notListed'
}
