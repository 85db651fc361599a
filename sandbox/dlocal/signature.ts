// dLocal's headers: X-Login, X-Trans-Key, X-Date, and a signature over the login, the date and the body.
import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../src/platform/base/secret.ts'

export type Keys = { readonly login: string; readonly transKey: string; readonly secretKey: string }

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request whose time differs from ours by more than this is refused. */
const TOLERANCE_MS = 15 * 60_000

export function sign({ login, secretKey }: Keys, date: string, body: string): string {
  const hmac = createHmac('sha256', secretKey)
  hmac.update(login + date + body)
  return `V2-HMAC-SHA256, Signature: ${hmac.digest('hex')}`
}

export function isSigned(keys: Keys, headers: Headers, body: string, now: Date): boolean {
  const text = (name: string) => String(headers[name] ?? '')
  const date = text('x-date')
  const isTimely = Math.abs(now.getTime() - new Date(date).getTime()) <= TOLERANCE_MS
  const isKnown = text('x-login') === keys.login && isEqualSecret(text('x-trans-key'), keys.transKey)
  return isTimely && isKnown && isEqualSecret(text('authorization'), sign(keys, date, body))
}
