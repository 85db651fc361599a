// The six-digit codes of authenticator apps (RFC 6238). A code is computed with HMAC-SHA1 from a secret and the number
// of the 30-second step.
import { createHmac, randomBytes } from 'node:crypto'
import { isEqualSecret, type Vault } from '../../platform/base/secret.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { type Person, updateTotpSecret } from '../users/store-users.ts'

const STEP_MS = 30_000
/** The number of steps by which a phone's clock may be wrong. */
const DRIFT = 1
const SECRET_BYTES = 20
/** The base 32 alphabet of RFC 4648. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function makeTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / STEP_MS)
}

/** Returns the time step of the code. Undefined for a wrong code, or a code of a step too far from now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, at) => stepAt(now) - DRIFT + at)
  return steps.filter((step) => isEqualSecret(totpCode(secret, step), code)).at(-1)
}

export function totpUri(secret: string, account: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/**
 * Stores the secret, encrypted. `step` is the time step of the code that confirmed the secret. That code cannot be used
 * again.
 */
export async function enrolTotp(
  tx: Tx,
  vault: Vault,
  person: Person,
  secret: string,
  step: number | null = null,
): Promise<void> {
  await updateTotpSecret(tx, person, vault.seal(secret, totpContext(person.userId)), step)
}

/** The context by which the vault binds the secret to its owner. */
export function totpContext(userId: string): string {
  return `totp:${userId}`
}
