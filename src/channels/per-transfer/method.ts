import { type MethodTraits, THREE_DAYS } from '../traits.ts'
import { checkIdentification } from './identification.ts'

export const perTransfer = {
  paymentTypes: ['PER_TRANSFER'],
  paymentModes: ['19'],
  currencies: ['PEN'],
  currencyAliases: { PER: 'PEN' },
  refundable: false,
  awaitsPayerMinutes: THREE_DAYS,
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
