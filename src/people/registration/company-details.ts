// The details that a company enters about itself, at its registration and later in its settings.
import { readSite } from '../../money/merchants/site.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { type FieldProblems, Problem } from '../../platform/errors/problem.ts'
import { isMailAddress } from '../../platform/mail/mail.ts'
import { countries } from '../../platform/pages/countries.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { actorOf, type Caller, type PeopleDeps } from '../roles/caller.ts'
import { type Details, type StoredDetails, selectDetails, writeDetails } from './sql.ts'

/**
 * Returns the company's details. Until the first change, these are the details of the registration, or empty details.
 */
export function companyDetails(db: Queryable, merNo: number): Promise<StoredDetails> {
  return selectDetails(db, merNo)
}

/** Changes the details of the caller's own company. Returns the new version. */
export async function changeDetails(
  { db, clock }: Pick<PeopleDeps, 'db' | 'clock'>,
  caller: Caller,
  { version, ...typed }: StoredDetails,
): Promise<number> {
  const { details, wrong } = readDetails(typed)
  if (Object.keys(wrong).length > 0) throw new Problem('invalid', 'Check the marked fields.', wrong)
  const { merNo } = caller
  const at = clock.now()
  return db.transaction(async (tx) => {
    const { version: _, ...before } = await selectDetails(tx, merNo)
    const written = await writeDetails(tx, merNo, { ...details, version }, at)
    if (written === undefined)
      throw new Problem('conflict', 'Somebody changed this meanwhile. Load it again, then repeat it.')
    const line = { merNo, at, actor: actorOf(caller), subject: String(merNo) }
    await writeAudit(tx, { ...line, action: 'company.edit', before, after: details })
    return written
  })
}

/** Returns the details in their stored form, and the problems of the typed fields. */
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

/** The host of the typed website. People often paste a whole address. */
function hostOf(website: string): string {
  const text = website.trim()
  return /^https?:\/\//i.test(text) ? (URL.parse(text)?.host ?? '') : text.replace(/\/.*$/, '')
}
