import { type MethodTraits, THREE_DAYS } from '../traits.ts'
import { chosenBank, vnBanks } from './banks.ts'

export const vnBank = {
  paymentTypes: ['VN_BANK'],
  paymentModes: [],
  currencies: ['VND'],
  refundable: true,
  awaitsPayerMinutes: THREE_DAYS,
  asks: [
    {
      name: 'paymentMethodStr',
      maxLength: 6,
      choices: [
        { value: 'qrcode', label: 'QR code' },
        { value: 'va', label: 'Bank transfer' },
      ],
    },
    {
      name: 'vaBankId',
      maxLength: 6,
      choices: vnBanks.map(({ bin, name }) => ({ value: bin, label: name })),
    },
  ],
  knowsBank: (fields) => chosenBank(fields) !== undefined,
} as const satisfies MethodTraits
