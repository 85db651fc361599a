// A company registers by a form, and confirms its e-mail address by a link. Before the confirmation only an expiring
// row and the mail are stored, and the reply does not reveal whether the address has an account. A confirmed company
// becomes a merchant with its first owner, and waits for approval.
import { createMerchant } from '../../money/merchants/create-merchant.ts'
import { readOptions } from '../../money/merchants/options.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { makeId } from '../../platform/base/id.ts'
import { type FieldProblems, Problem } from '../../platform/errors/problem.ts'
import { enqueueMail } from '../../platform/mail/enqueue-mail.ts'
import { isTaken, type Queryable } from '../../platform/postgres/db.ts'
import { isOfSandbox } from '../../platform/runtime/open-database.ts'
import { actorOf, type PeopleDeps } from '../roles/caller.ts'
import { PLATFORM } from '../roles/permissions.ts'
import { type Browser, beginWithPassword, type NextStep } from '../sessions/begin-session.ts'
import { takeTries } from '../sessions/throttle.ts'
import { linkAddress, linkIdOf, makeLinkToken } from '../users/links.ts'
import { insertUser, lockUser, selectActiveUser } from '../users/store-users.ts'
import { readDetails } from './company-details.ts'
import {
  type Company,
  countUnconfirmed,
  type Details,
  deleteExpiredRows,
  insertRegistered,
  takeUnconfirmed,
  upsertUnconfirmed,
} from './sql.ts'

type Form = Details & { readonly company: string; readonly language?: string }

const LASTS_MS = 24 * 3_600_000
/** The maximum number of unconfirmed registrations, which limits a flood from many addresses. */
const MAX_UNCONFIRMED = 10_000

export async function registerCompany(deps: PeopleDeps, form: Form, browser: Browser): Promise<void> {
  const { db, vault, clock, baseUrl } = deps
  const company = readForm(form)
  await takeTries(deps, { 'mail-from': browser.address, 'mail-to': company.email })
  if ((await countUnconfirmed(db, MAX_UNCONFIRMED)) > MAX_UNCONFIRMED)
    throw new Problem('too-many', 'Too many companies are registering. Try again tomorrow.', undefined, 3_600)
  const known = await selectActiveUser(db, company.email)
  const now = clock.now()
  const mail = { merNo: PLATFORM, to: company.email, now }
  await db.transaction(async (tx) => {
    if (known !== undefined) {
      const { language } = known
      await enqueueMail(tx, vault, { ...mail, template: 'already-registered', language, values: {} })
      return
    }
    const token = makeLinkToken()
    const expiresAt = new Date(now.getTime() + LASTS_MS)
    await upsertUnconfirmed(tx, { ...company, linkId: linkIdOf(token), now, expiresAt })
    const values = { company: company.company }
    const link = linkAddress(baseUrl, token)
    const { language } = company
    await enqueueMail(tx, vault, { ...mail, template: 'registration', language, values, link })
  })
}

function readForm({ company, language = 'en', ...form }: Form): Company {
  const { details, wrong } = readDetails(form)
  const all: FieldProblems = {
    ...(/\p{C}/u.test(company) && { company: 'Use letters, digits and signs only.' }),
    ...wrong,
  }
  if (Object.keys(all).length > 0) throw new Problem('invalid', 'Check the marked fields.', all)
  return { ...details, company: company.trim(), language }
}

export async function confirmCompany(
  { db, vault, clock }: PeopleDeps,
  { token, hash: passwordHash }: { token: string; hash: string },
  browser: Browser,
): Promise<NextStep> {
  try {
    return await db.transaction(async (tx) => {
      const now = clock.now()
      const row = await takeUnconfirmed(tx, linkIdOf(token), now)
      if (row === undefined)
        throw new Problem('not-found', 'This link was used or has expired. Register again.')
      const { company, contact: name, email, website, country, language } = row
      const options = readOptions({ name: company })
      const hasOpeningBalances = await isOfSandbox(tx)
      const wanted = { options, pending: true, askedSite: website, hasOpeningBalances, now }
      const { merNo } = await createMerchant(tx, vault, wanted)
      const userId = makeId('U', merNo, now)
      const owner = { merNo, userId, email, name, role: 'owner', passwordHash, language, createdAt: now }
      await insertUser(tx, owner)
      await insertRegistered(tx, merNo, row, now)
      const actor = actorOf({ email, address: browser.address })
      const entry = { merNo, at: now, actor, subject: String(merNo), after: { company, website, country } }
      await writeAudit(tx, { ...entry, action: 'merchant.register' })
      const user = await lockUser(tx, merNo, userId)
      if (user === undefined) throw new Error('the new owner is not there')
      return beginWithPassword(tx, { vault, at: now }, user, browser)
    })
  } catch (error) {
    if (isTaken(error, 'users_email_unique'))
      throw new Problem('refused', 'This address has an account meanwhile. Sign in with it.')
    throw error
  }
}

export function deleteExpiredRegistrations(db: Queryable, now: Date, limit: number): Promise<number> {
  return deleteExpiredRows(db, now, limit)
}
