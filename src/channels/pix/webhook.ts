// How the bank tells by itself that money came. Its message carries no signature, so its address carries a proof that
// only the bank was told; and it is only a hint to ask, for money is believed from the answer to a question of ours.
import { createHmac } from 'node:crypto'
import { isObject } from '../../base/object.ts'
import { isSame } from '../../base/secret.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Callback } from '../contract.ts'

/** A message names the Pix of a moment; more than this would be none of a bank. */
const MAX_CHARGES = 100

/** The bank adds /pix to it. */
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
  return isSame(proof, proofOf(secret))
}

/** The charges that it speaks of; undefined when it makes no sense. */
export function txidsIn({ body }: Callback): readonly string[] | undefined {
  const message = parseJson(body)
  if (!isObject(message) || !Array.isArray(message.pix) || message.pix.length > MAX_CHARGES) return undefined
  const all: readonly unknown[] = message.pix.map((pix: unknown) => (isObject(pix) ? pix.txid : undefined))
  // A Pix to the key without a charge has no identifier, and is none of ours.
  const txids = all.filter((txid) => typeof txid === 'string' && /^[a-zA-Z0-9]{26,35}$/.test(txid))
  return [...new Set(txids.map(String))]
}
