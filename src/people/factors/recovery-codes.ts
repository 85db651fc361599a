// Recovery codes stand in for a lost second factor, each once. Only keyed hashes are stored.
import { randomBytes } from 'node:crypto'
import type { Vault } from '../../base/secret.ts'
import type { Tx } from '../../postgres/db.ts'
import { replaceRecoveryCodes, takeRecoveryCode } from './sql.ts'

const CODES = 10
const LENGTH = 10
/** Without letters that look like digits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

type Person = { readonly merNo: number; readonly userId: string }

/** They are shown only now. Earlier ones no longer count. */
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

/** How many are left; undefined if this one does not count. */
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
  // 31 letters: bytes beyond the last multiple of 31 would favour the first ones.
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
