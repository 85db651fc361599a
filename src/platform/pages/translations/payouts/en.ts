// The English texts of the page where the beneficiary of a CheckOut payout enters an account.

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
    accountType: 'Account type',
  },
  hints: {
    bankCode: 'Not needed with an IBAN',
    pix: 'CPF, CNPJ, email, phone or random key',
    per_transfer: '20 digits',
    spei: '18 digits',
  },
  way: { title: 'On its way', heading: 'Your money is on its way' },
  wayTo: (end: string) => `It is going to the account ending in ${end}. This page updates automatically.`,
  leave: 'It is safe to leave this page: there is nothing more for you to do.',
  sent: { title: 'Paid', heading: 'Your money was sent' },
  sentTo: (end: string) => `It was sent to the account ending in ${end}.`,
  failed: { title: 'Not paid', heading: 'The money could not be sent' },
  sendAgain: (merchant: string) => `${merchant} has been notified and can send it again.`,
  goTo: (merchant: string) => `Go to ${merchant}`,
  missing: {
    title: 'Page not found',
    heading: 'This payout page does not exist',
    text: 'The link is incomplete or has expired. Ask the sender for a new one.',
  },
  broken: 'Reload this page in a moment. The money is never sent twice.',
}

export type PayoutWords = typeof enPayouts
