// Checks of IBANs and BICs, for all rails.
import { countrySpecs, electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'

/** Accepts only the electronic form, without spaces. */
export function isIban(text: string): boolean {
  return isValidIBAN(text)
}

/** The electronic form of an IBAN: upper case, without spaces and dashes. */
export function normaliseIban(text: string): string {
  return electronicFormatIBAN(text) ?? ''
}

/** Whether a text begins like an IBAN of some country, so that it must be one. */
export function isIbanLike(text: string): boolean {
  const [, country = ''] = /^([A-Z]{2})\d{2}/.exec(normaliseIban(text)) ?? []
  return countrySpecs[country]?.chars !== undefined
}

export function isBic(text: string): boolean {
  return isValidBIC(text)
}
