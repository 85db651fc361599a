// dLocal's signature: an HMAC over login, time and body, on our requests and on its notifications.
import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../../base/secret.ts'
import type { Callback } from '../contract.ts'

export type Signer = { readonly login: string; readonly secretKey: string }

export function signatureOf({ login, secretKey }: Signer, date: string, body: string): string {
  const signature = createHmac('sha256', secretKey).update(`${login}${date}${body}`).digest('hex')
  return `V2-HMAC-SHA256, Signature: ${signature}`
}

/** Its age is not checked: dLocal repeats notifications for days, and one only makes us ask. */
export function isFromDlocal({ headers, body }: Callback, signer: Signer): boolean {
  const { 'x-date': date = '', 'x-login': login = signer.login, authorization = '' } = headers
  return login === signer.login && isEqualSecret(authorization, signatureOf(signer, date, body))
}
