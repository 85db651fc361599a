// A recovery code replaces a lost second factor, and can be used once. Only keyed hashes of the codes are stored.
import { randomBytes } from 'node:crypto'
import type { Vault } from '../../platform/base/secret.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { replaceRecoveryCodes, takeRecoveryCode } from './sql.ts'

const CODES = 10
const LENGTH = 10
/** The characters of a code, without letters and digits that look alike. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

type Person = { readonly merNo: number; readonly userId: string }

/** Makes new codes, which replace all earlier codes. The codes cannot be shown again later. */
export async function makeRecoveryCodes(tx: Tx, vault: Vault, person: Person, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode)
  await replaceRecoveryCodes(
    tx,
    person,
    codes.map((code) => hashOf(vault, person, code)),
    now,
  )
  return codes
}

/** Uses up a code. Returns how many codes are left; undefined if this code does not exist or was used. */
export function useRecoveryCode(
  tx: Tx,
  vault: Vault,
  person: Person,
  code: string,
  now: Date,
): Promise<number | undefined> {
  return takeRecoveryCode(tx, person, hashOf(vault, person, code), now)
}

function makeCode(): string {
  // The alphabet has 31 characters. Bytes from 248 (8 × 31) upwards would favour the first characters of the alphabet.
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
