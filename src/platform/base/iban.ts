// Checks of IBANs and BICs, for all rails.
import { countrySpecs, electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'

/** True if the text is a valid IBAN in the electronic form, which has no spaces. */
export function isIban(text: string): boolean {
  return isValidIBAN(text)
}

/** Returns the electronic form of an IBAN: upper case, without spaces and dashes. */
export function normaliseIban(text: string): string {
  return electronicFormatIBAN(text) ?? ''
}

/** True if the text begins like an IBAN: with the code of a country that has IBANs, and two digits. */
export function isIbanLike(text: string): boolean {
  const [, country = ''] = /^([A-Z]{2})\d{2}/.exec(normaliseIban(text)) ?? []
  return countrySpecs[country]?.chars !== undefined
}

export function isBic(text: string): boolean {
  return isValidBIC(text)
}
