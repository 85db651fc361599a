// WeChat Pay's webhooks about orders. A webhook is signed, and its resource is encrypted.
import { createDecipheriv, type KeyObject } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { Callback, CallbackResult } from '../../contract/channel.ts'
import { isFromPlatform } from './signature.ts'
import { type Account, fromOrder } from './wire.ts'

type CallbackParts = {
  readonly account: Account
  readonly platformKey: KeyObject
  readonly apiV3Key: string
  readonly clock: Clock
}

export function readWechatCallback(
  callback: Callback,
  { account, platformKey, apiV3Key, clock }: CallbackParts,
): CallbackResult {
  if (!isFromPlatform(callback, platformKey, clock.now()))
    return refuse('the signature is missing, wrong or too old')
  const message = parseJson(callback.body)
  const event = isObject(message) ? message.event_type : undefined
  const order = isObject(message) ? openResource(message.resource, apiV3Key) : undefined
  if (typeof event !== 'string' || order === undefined) return refuse('the callback cannot be decrypted')
  if (!event.startsWith('TRANSACTION.')) return accept([])
  const { out_trade_no: reference } = order
  if (typeof reference !== 'string') return refuse('the callback names no order')
  const outcome = fromOrder(order, { reference, account })
  return outcome.kind === 'unknown' ? refuse(outcome.why) : accept([{ reference, outcome }])
}

function accept(reports: Extract<CallbackResult, { kind: 'accepted' }>['reports']): CallbackResult {
  return { kind: 'accepted', reports, answer: { status: 204, type: 'application/json', body: '' } }
}

function refuse(why: string): CallbackResult {
  const body = JSON.stringify({ code: 'FAIL', message: why })
  return { kind: 'refused', why, answer: { status: 401, type: 'application/json', body } }
}

const TAG_BYTES = 16

/**
 * Decrypts the resource of a webhook: AES-256-GCM with the merchant's API v3 key, and the tag at the end. Undefined if
 * the resource is malformed, changed, or encrypted with another key.
 */
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

/** Returns the plain text, or '' if the tag is wrong. */
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
