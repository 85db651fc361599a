// Finds saved accounts. The stored fingerprint only finds a row, and the account in it decides: the fingerprint of a row that
// was saved before banks counted fits every bank, and stays until the row is saved again, because it takes the master key.
import type { Vault } from '../../base/secret.ts'
import type { Queryable } from '../../postgres/db.ts'
import {
  type Account,
  type Beneficiary,
  fingerprintOf,
  formerFingerprintOf,
  withFingerprint,
} from './beneficiary.ts'
import { selectByFingerprints } from './sql.ts'

export async function findSaved(
  { db, vault }: { readonly db: Queryable; readonly vault: Vault },
  merNo: number,
  accounts: readonly Account[],
): Promise<Beneficiary[]> {
  const wanted = new Set(accounts.map((one) => fingerprintOf(vault, one)))
  const former = accounts.map((one) => formerFingerprintOf(vault, one))
  const found = await selectByFingerprints(db, merNo, [...wanted, ...former])
  return found.map((one) => withFingerprint(vault, one)).filter(({ fingerprint }) => wanted.has(fingerprint))
}
