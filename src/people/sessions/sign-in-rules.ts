// A company decides whether all its people need a second factor. Operators always need one.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { actorOf, type Caller, type PeopleDeps } from '../roles/caller.ts'
import { PLATFORM } from '../roles/permissions.ts'
import { demandFactors, selectRules, upsertRules } from './sql.ts'

export type SignInRules = { readonly factorRequired: boolean; readonly version: number }

export async function readSignInRules(db: Queryable, merNo: number): Promise<SignInRules> {
  const { factor_required, version } = await selectRules(db, merNo)
  return { factorRequired: merNo === PLATFORM || factor_required, version }
}

/**
 * Changes the rules. If a second factor becomes required, the open sessions of people without a second factor become
 * incomplete. These people must first set up a second factor.
 */
export async function changeSignInRules(
  { db, clock }: Pick<PeopleDeps, 'db' | 'clock'>,
  caller: Caller,
  merNo: number,
  { factorRequired, version }: SignInRules,
): Promise<SignInRules> {
  if (merNo === PLATFORM)
    throw new Problem('refused', 'Operators always need a second factor. This cannot be changed.')
  await db.transaction(async (tx) => {
    if (!(await upsertRules(tx, { merNo, factorRequired, version })))
      throw new Problem('conflict', 'Somebody changed this meanwhile. Reload the page.')
    if (factorRequired) await demandFactors(tx, merNo)
    const entry = { merNo, at: clock.now(), actor: actorOf(caller), subject: String(merNo) }
    await writeAudit(tx, { ...entry, action: 'sign-in-rules.edit', after: { factorRequired } })
  })
  return { factorRequired, version: version + 1 }
}
