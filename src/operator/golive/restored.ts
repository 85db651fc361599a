// Proves that a backup was restored. On the copy, "golive restored" verifies the books and makes a proof, a text that
// is authenticated with the master key. The live installation accepts a recent proof that was made with the same master
// key on a copy, and not on the live database itself.

import { findNewestOrder, hasOrder } from '../../money/order-queries/list-proven-channels.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { isEqualSecret, type Vault } from '../../platform/base/secret.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { selectIdentity } from './sql.ts'

const PURPOSE = 'restored backup'
const VALID_MS = 7 * 86_400_000

export type ProofDeps = { readonly db: Queryable; readonly vault: Vault; readonly clock: Clock }

/** Makes the proof, which contains the newest order of the copy. Undefined for a copy without orders. */
export async function makeProof({ db, vault, clock }: ProofDeps): Promise<string | undefined> {
  const newest = await findNewestOrder(db)
  if (newest === undefined) return undefined
  const text = `${clock.now().getTime()}.${newest}.${await selectIdentity(db)}`
  return `${text}.${vault.mac(PURPOSE, text)}`
}

/** Returns the problem with the proof and its remedy. Undefined if the proof is accepted. */
export async function proofProblem(
  { db, vault, clock }: ProofDeps,
  proof: string,
): Promise<string | undefined> {
  const [, text = '', at, tradeNo = '', identity, mac = ''] =
    /^((\d+)\.(\w+)\.(\w+))\.([\w-]+)$/.exec(proof.trim()) ?? []
  if (!isEqualSecret(mac, vault.mac(PURPOSE, text)))
    return 'this was not made with our master key: restore the key too, and copy the whole text that "golive restored" prints'
  if (Math.abs(clock.now().getTime() - Number(at)) > VALID_MS)
    return 'this is older than 7 days: restore a new backup, and run "golive restored" on it'
  if (identity === (await selectIdentity(db)))
    return 'this was made on the live database: restore a backup elsewhere, and run "golive restored" there'
  const isOurs = await hasOrder(db, merNoOf(tradeNo) ?? 0, tradeNo)
  return isOurs ? undefined : `this is of another database: ${tradeNo} is not here`
}
