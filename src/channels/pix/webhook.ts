// The bank's webhook for received Pix. Its messages are not signed, so the address contains a secret proof. A message only
// triggers a query: we trust the response to our own request.
import { createHmac } from 'node:crypto'
import { isObject } from '../../base/object.ts'
import { isEqualSecret } from '../../base/secret.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Callback } from '../contract.ts'

/** A longer message is certainly not from the bank. */
const MAX_CHARGES = 100

/** The bank appends /pix. */
export function webhookUrl(callbackUrl: string, secret: string): string {
  return `${callbackUrl}/${proofOf(secret)}`
}

function proofOf(secret: string): string {
  return createHmac('sha256', secret).update('tollgate pix webhook').digest('base64url')
}

export function isFromBank({ path }: Callback, secret: string): boolean {
  const proof =
    path
      .replace(/\/pix$/, '')
      .split('/')
      .at(-1) ?? ''
  return isEqualSecret(proof, proofOf(secret))
}

/** The txids in the message; undefined when it is malformed. */
export function txidsIn({ body }: Callback): readonly string[] | undefined {
  const message = parseJson(body)
  if (!isObject(message) || !Array.isArray(message.pix) || message.pix.length > MAX_CHARGES) return undefined
  const all: readonly unknown[] = message.pix.map((pix: unknown) => (isObject(pix) ? pix.txid : undefined))
  // A Pix without a charge has no txid and is not ours.
  const txids = all.filter((txid) => typeof txid === 'string' && /^[a-zA-Z0-9]{26,35}$/.test(txid))
  return [...new Set(txids.map(String))]
}
