// The words of the page of a CheckOut payout.

export const enPayouts = {
  title: 'Receive your money',
  heading: 'Where should the money go?',
  button: (amount: string) => `Receive ${amount}`,
  kinds: {
    card: 'Card',
    bank_account: 'Bank account',
    pix: 'Pix',
    per_transfer: 'Bank account in Peru',
    spei: 'Bank account in Mexico',
  },
  accounts: {
    card: 'Card number',
    bank_account: 'IBAN or account number',
    pix: 'Pix key',
    per_transfer: 'CCI',
    spei: 'CLABE',
  },
  fields: {
    bankCode: 'BIC (SWIFT code)',
    beneficiaryType: 'The account belongs to',
    addressLine: 'Address',
    city: 'City',
    countryCode: 'Country',
    accountType: 'Kind of account',
  },
  hints: {
    bankCode: 'Not needed with an IBAN',
    pix: 'CPF, CNPJ, email, phone or random key',
    per_transfer: '20 digits',
    spei: '18 digits',
  },
  way: { title: 'On its way', heading: 'Your money is on its way' },
  wayTo: (end: string) => `It goes to the account that ends in ${end}. This page changes by itself.`,
  leave: 'It is safe to leave: nothing more is needed from you.',
  sent: { title: 'Paid', heading: 'Your money was sent' },
  sentTo: (end: string) => `It went to the account that ends in ${end}.`,
  failed: { title: 'Not paid', heading: 'The money could not be sent' },
  anew: (merchant: string) => `${merchant} knows, and can send it anew.`,
  goTo: (merchant: string) => `Go to ${merchant}`,
  missing: {
    title: 'Page not found',
    heading: 'This payout page does not exist',
    text: 'The link is incomplete or too old. Ask whoever sent it to you for a new one.',
  },
  broken: 'Load this page again in a moment. You are never paid to two accounts, and never twice.',
}

export type PayoutWords = typeof enPayouts
