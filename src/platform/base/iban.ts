// IBANs and BICs.
import { countrySpecs, electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'

/** True for an IBAN in electronic form, which has no spaces. */
export const isIban: (text: string) => boolean = isValidIBAN

/** Returns the electronic form: upper case, without spaces and dashes. */
export function normaliseIban(text: string): string {
  return electronicFormatIBAN(text) ?? ''
}

/** True if the text begins with a country code and two digits, and the country has IBANs. */
export function isIbanLike(text: string): boolean {
  const [, country = ''] = /^([A-Z]{2})\d{2}/.exec(normaliseIban(text)) ?? []
  return countrySpecs[country]?.chars !== undefined
}

export const isBic: (text: string) => boolean = isValidBIC
