// Payout accounts that pass every check.
export const CCI = '00219119184091600051'
export const CLABE = '032180000118359719'
export const IBAN = 'DE89370400440532013000'

export const home = {
  addressLine: 'Av. Arequipa 1000',
  city: 'Lima',
  countryCode: 'PE',
  beneficiaryType: 'individual',
}

export const identity = {
  accountType: '01',
  customerIdentificationType: '00',
  customerIdentification: '45678912',
}
