// Codes of authenticator apps (RFC 6238): six digits, HMAC-SHA1, a new one every 30 seconds.
import { createHmac, randomBytes } from 'node:crypto'
import { isEqualSecret } from '../../base/secret.ts'

const STEP_MS = 30_000
/** Clocks of phones may be this many steps off. */
const DRIFT = 1
const SECRET_BYTES = 20
/** RFC 4648. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** In base 32, as apps take it. */
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

/** The time step that the code belongs to; undefined if it is wrong or too old. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, at) => stepAt(now) - DRIFT + at)
  return steps.filter((step) => isEqualSecret(totpCode(secret, step), code)).at(-1)
}

/** What an app scans. */
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
