// The form of a company that wants to take payments. Until the address is confirmed there is one expiring row, and nothing in
// the reply tells whether the address has an account.
import type { Static } from 'typebox'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { readDetails } from '../company/details.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { PLATFORM } from '../permissions.ts'
import { type FieldProblems, Problem } from '../problem.ts'
import type { Browser } from '../route.ts'
import { takeTries } from '../session/throttle.ts'
import { selectActiveUser } from '../sql.ts'
import { linkAddress, linkIdOf, makeLinkToken } from '../users/links.ts'
import type { registrationApi } from './api.ts'
import { type Company, countUnconfirmed, upsertUnconfirmed } from './sql.ts'

type Form = Static<(typeof registrationApi)['POST /registration']['body']>

const LASTS_MS = 24 * 3_600_000
/** However many addresses a flood comes from, it stores no more than this. */
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
