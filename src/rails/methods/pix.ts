import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj'
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf'
import { type FieldProblem, type Fields, HALF_AN_HOUR, type MethodTraits } from './traits.ts'

export const pix = {
  paymentTypes: ['PIX'],
  paymentModes: ['7'],
  currencies: ['BRL'],
  refundable: true,
  awaitsPayerMinutes: HALF_AN_HOUR,
  asks: [
    { name: 'name', maxLength: 200, autocomplete: 'name' },
    { name: 'socialSecurityNumber', maxLength: 18, personal: true },
    { name: 'email', maxLength: 255, autocomplete: 'email' },
  ],
  checkFields,
} as const satisfies MethodTraits

function checkFields({ socialSecurityNumber: text }: Fields): FieldProblem | undefined {
  if (typeof text !== 'string' || text === '' || taxNumberOf(text) !== undefined) return undefined
  return { field: 'socialSecurityNumber', rule: 'must be a CPF or CNPJ with valid check digits' }
}

export type TaxNumber = { readonly cpf: string } | { readonly cnpj: string }

/** Returns a tax number without punctuation. Undefined if its format or its check digits are wrong. */
export function taxNumberOf(text: string): TaxNumber | undefined {
  const plain = text.replace(/[.\-/\s]/g, '').toUpperCase()
  if (/^\d{11}$/.test(plain) && isValidCpf(plain)) return { cpf: plain }
  // Version 2 of the check also accepts numbers with letters, which have been issued since July 2026.
  if (/^[0-9A-Z]{12}\d\d$/.test(plain) && isValidCnpj(plain, { version: 2 })) return { cnpj: plain }
  return undefined
}
