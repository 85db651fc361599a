// Decrypts the resource of a WeChat Pay notification: AES-256-GCM with the merchant's API v3 key, the tag at the end.
import { createDecipheriv } from 'node:crypto'
import { type Fields, isObject } from '../../base/object.ts'
import { parseJson } from '../../http/client/http-client.ts'

const TAG_BYTES = 16

/** Undefined when it does not decrypt: encrypted with another key, or changed. */
export function openResource(resource: unknown, apiV3Key: string): Fields | undefined {
  if (!isObject(resource) || resource.algorithm !== 'AEAD_AES_256_GCM') return undefined
  const { ciphertext, nonce, associated_data: context = '' } = resource
  if (typeof ciphertext !== 'string' || typeof nonce !== 'string' || typeof context !== 'string')
    return undefined
  const sealed = Buffer.from(ciphertext, 'base64')
  if (sealed.length <= TAG_BYTES || nonce === '') return undefined
  const plain = parseJson(decrypt(sealed, { key: apiV3Key, nonce, context }))
  return isObject(plain) ? plain : undefined
}

type Seal = { readonly key: string; readonly nonce: string; readonly context: string }

/** '' when the tag is wrong. */
function decrypt(sealed: Buffer, { key, nonce, context }: Seal): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return ''
  }
}
