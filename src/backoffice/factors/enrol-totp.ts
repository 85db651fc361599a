import type { Vault } from '../../base/secret.ts'
import type { Tx } from '../../postgres/db.ts'
import { updateTotpSecret } from '../sql.ts'

/** `step`: of the code that confirmed it, which then counts no more. */
export async function enrolTotp(
  tx: Tx,
  vault: Vault,
  person: { readonly merNo: number; readonly userId: string },
  secret: string,
  step: number | null = null,
): Promise<void> {
  await updateTotpSecret(tx, person, vault.seal(secret, totpContext(person.userId)), step)
}

/** The vault binds the secret to its owner. */
export function totpContext(userId: string): string {
  return `totp:${userId}`
}
