import { type MethodTraits, THREE_DAYS } from './traits.ts'

export const vnBank = {
  paymentTypes: ['VN_BANK'],
  paymentModes: [],
  currencies: ['VND'],
  refundable: true,
  awaitsPayerMinutes: THREE_DAYS,
  paidByTransfer: true,
  asks: [
    {
      name: 'paymentMethodStr',
      maxLength: 6,
      choices: [
        { value: 'qrcode', label: 'QR code' },
        { value: 'va', label: 'Bank transfer' },
      ],
    },
    { name: 'vaBankId', maxLength: 6, choicesFrom: 'banks/vietnam' },
  ],
  bank: { field: 'vaBankId', list: 'banks/vietnam' },
} as const satisfies MethodTraits
