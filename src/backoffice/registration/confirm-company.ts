// The address is confirmed: the company becomes a merchant that waits for approval, with its first owner.
import { writeAudit } from '../../audit-log/write-entry.ts'
import { makeId } from '../../base/id.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { readOptions } from '../../merchants/options.ts'
import { isTaken, type Queryable } from '../../postgres/db.ts'
import { actorOf } from '../caller.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { Problem } from '../problem.ts'
import type { Browser } from '../route.ts'
import type { NextStep } from '../session/next-step.ts'
import { beginWithPassword } from '../session/sign-in.ts'
import { insertUser, lockUser } from '../sql.ts'
import { linkIdOf } from '../users/links.ts'
import { insertRegistered, selectUnconfirmed, takeUnconfirmed, type UnconfirmedRow } from './sql.ts'

export function findUnconfirmed(
  db: Queryable,
  token: string,
  now: Date,
): Promise<UnconfirmedRow | undefined> {
  return selectUnconfirmed(db, linkIdOf(token), now)
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
      const { merNo } = await createMerchant(tx, vault, { options, pending: true, askedSite: website, now })
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
