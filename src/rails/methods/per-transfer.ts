import { type FieldProblem, type Fields, type MethodTraits, THREE_DAYS } from './traits.ts'

/**
 * A kind of identification in Peru. Only the tax number (RUC) has a published check digit. For the other kinds,
 * stricter patterns would refuse documents of older series and of other countries.
 */
type Kind = { readonly isValid: (number: string) => boolean; readonly rule: string }

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['00', shaped(/^\d{8}$/, 'must be the 8 digits of an identity card')],
  ['01', shaped(/^[A-Za-z0-9]{8,12}$/, "must be the 8 to 12 letters and digits of a foreigner's card")],
  ['02', { isValid: isRuc, rule: 'must be a tax number of 11 digits with a valid check digit' }],
  ['03', shaped(/^[A-Za-z0-9]{5,12}$/, 'must be the 5 to 12 letters and digits of a passport')],
])

function shaped(pattern: RegExp, rule: string): Kind {
  return { isValid: (number) => pattern.test(number), rule }
}

export function checkIdentification(fields: Fields): FieldProblem | undefined {
  const { customerIdentificationType: type, customerIdentification: number } = fields
  if (typeof type !== 'string' || typeof number !== 'string' || number === '') return undefined
  const kind = kinds.get(type)
  if (kind === undefined || kind.isValid(number)) return undefined
  return { field: 'customerIdentification', rule: kind.rule }
}

const RUC_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

/**
 * True for a valid tax number. The number of a person begins with 10, 15, 16 or 17, and the number of a company with
 * 20.
 */
function isRuc(number: string): boolean {
  if (!/^(10|15|16|17|20)\d{9}$/.test(number)) return false
  let sum = 0
  for (const [at, weight] of RUC_WEIGHTS.entries()) sum += Number(number[at]) * weight
  return Number(number[10]) === (11 - (sum % 11)) % 10
}

export const perTransfer = {
  paymentTypes: ['PER_TRANSFER'],
  paymentModes: ['19'],
  currencies: ['PEN'],
  currencyAliases: { PER: 'PEN' },
  refundable: false,
  awaitsPayerMinutes: THREE_DAYS,
  paidByTransfer: true,
  asks: [
    {
      name: 'customerIdentificationType',
      maxLength: 2,
      choices: [
        { value: '00', label: 'Identity card' },
        { value: '01', label: "Foreigner's card" },
        { value: '02', label: 'Tax number' },
        { value: '03', label: 'Passport' },
      ],
    },
    { name: 'customerIdentification', maxLength: 12, personal: true },
  ],
  checkFields: checkIdentification,
} as const satisfies MethodTraits
