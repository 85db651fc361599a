// Owns recovery_codes. A recovery code replaces a lost second factor once. Only keyed hashes of codes are stored.
import { randomBytes } from 'node:crypto'
import type { Vault } from '../../platform/base/secret.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { itself, listOf, text } from '../../platform/postgres/lists.ts'
import type { Person } from '../users/store-users.ts'

const CODES = 10
const LENGTH = 10
/** The characters of a code. Letters and digits that look alike are left out. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** Makes codes, which replace all earlier codes. Only hashes are stored, so the codes cannot be shown again. */
export async function makeRecoveryCodes(tx: Tx, vault: Vault, person: Person, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode)
  const hashed = hashes.values(codes.map((code) => hashOf(vault, person, code)))
  await deleteRecoveryCodes(tx, person)
  await tx.query({
    text: `
      insert into recovery_codes (mer_no, user_id, code_hash, created_at)
      select $1::bigint, $2::text, code_hash, $3::timestamptz from ${hashes.text}`,
    values: [person.merNo, person.userId, now, ...hashed],
  })
  return codes
}

const hashes = listOf({ code_hash: text<string>(itself) }, 4)

/** Uses up a code. Returns how many codes are left. Undefined for an unknown or used code. */
export async function useRecoveryCode(
  tx: Tx,
  vault: Vault,
  person: Person,
  code: string,
  now: Date,
): Promise<number | undefined> {
  const taken = await tx.query({
    text: `
      update recovery_codes set used_at = $4
      where mer_no = $1 and user_id = $2 and code_hash = $3 and used_at is null returning code_hash`,
    values: [person.merNo, person.userId, hashOf(vault, person, code), now],
  })
  return taken.length === 0 ? undefined : countRecoveryCodes(tx, person)
}

export async function countRecoveryCodes(db: Queryable, { merNo, userId }: Person): Promise<number> {
  const [row] = await db.query<{ left: number }>({
    text: `
      select count(*)::int as left from recovery_codes
      where mer_no = $1 and user_id = $2 and used_at is null`,
    values: [merNo, userId],
  })
  return row?.left ?? 0
}

export async function deleteRecoveryCodes(tx: Tx, { merNo, userId }: Person): Promise<void> {
  await tx.query({
    text: 'delete from recovery_codes where mer_no = $1 and user_id = $2',
    values: [merNo, userId],
  })
}

function makeCode(): string {
  // The alphabet has 31 characters. Bytes from 248 (8 × 31) on are skipped, because they would favour the first
  // characters of the alphabet.
  let code = ''
  while (code.length < LENGTH)
    for (const byte of randomBytes(LENGTH))
      if (byte < 248 && code.length < LENGTH) code += alphabet[byte % 31]
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

function hashOf(vault: Vault, { merNo, userId }: Person, code: string): string {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return vault.mac('recovery-code', `${merNo}:${userId}:${plain}`)
}
