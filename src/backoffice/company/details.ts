// What a company says about itself, at registration and later in its settings.
import { isMailAddress } from '../../mail/mail.ts'
import { readSite } from '../../merchants/site.ts'
import { countries } from '../../pages/countries.ts'
import type { FieldProblems } from '../problem.ts'

export type Details = {
  /** The contact's name. */
  readonly contact: string
  readonly email: string
  readonly website: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** The details as they are stored, and what is wrong with what was typed. */
export function readDetails(typed: Details): { readonly details: Details; readonly wrong: FieldProblems } {
  const { contact, website, country } = typed
  const email = typed.email.trim().toLowerCase()
  const site = readSite(hostOf(website))
  const wrong: FieldProblems = {
    ...(/\p{C}/u.test(contact) && { contact: 'Use letters, digits and signs only.' }),
    ...(!isMailAddress(email) && { email: 'Enter an e-mail address such as name@company.example.' }),
    ...((site === undefined || site.startsWith('*')) && { website: 'Enter a website such as shop.example.' }),
    ...(!countries('en').some(({ value }) => value === country) && { country: 'Choose a country.' }),
  }
  return { details: { contact: contact.trim(), email, website: site ?? '', country }, wrong }
}

/** People paste whole addresses. */
function hostOf(website: string): string {
  const text = website.trim()
  return /^https?:\/\//i.test(text) ? (URL.parse(text)?.host ?? '') : text.replace(/\/.*$/, '')
}
