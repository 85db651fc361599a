import type { Vault } from '../base/secret.ts'
import type { Queryable } from '../postgres/db.ts'
import { selectOldKeys } from './key-sql.ts'
import { sealContext } from './keys.ts'

const MOST = 5

/** The last merchant keys whose time is over. Only for the signature debugger: they open nothing any more. */
export async function findOldKeys(db: Queryable, vault: Vault, merNo: number, now: Date): Promise<string[]> {
  const rows = await selectOldKeys(db, merNo, now, MOST)
  return rows.map(({ keyId, sealed }) => vault.open(sealed, sealContext(merNo, 'md5', keyId)))
}
