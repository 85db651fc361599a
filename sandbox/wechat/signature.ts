// The signatures of WeChat Pay and its merchants, and the encryption of notifications.
import { createCipheriv, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import type { Fields } from '../../src/platform/base/object.ts'

const TOLERANCE_S = 300

/** The signature headers of a response or notification. */
export function platformHeaders(body: string, key: KeyObject, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const nonce = randomBytes(16).toString('hex')
  const text = Buffer.from(`${timestamp}\n${nonce}\n${body}\n`)
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': sign('sha256', text, key).toString('base64'),
    'wechatpay-serial': 'PUB_KEY_ID_SANDBOX',
  }
}

export type MerchantRequest = {
  readonly authorization: string
  readonly method: string
  readonly path: string
  readonly body: string
}

export type Merchant = { readonly mchid: string; readonly serial: string; readonly key: KeyObject }

export function isFromMerchant(request: MerchantRequest, merchant: Merchant, now: Date): boolean {
  const [scheme = '', rest = ''] = request.authorization.split(/ (.*)/s)
  const fields = Object.fromEntries(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const { mchid, serial_no: serial, timestamp = '', nonce_str: nonce = '', signature = '' } = fields
  const isFresh = Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_S
  if (scheme !== 'WECHATPAY2-SHA256-RSA2048' || !isFresh) return false
  if (mchid !== merchant.mchid || serial !== merchant.serial) return false
  const { method, path, body } = request
  const text = Buffer.from(`${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`)
  return verify('sha256', text, merchant.key, Buffer.from(signature, 'base64'))
}

export function sealResource(content: Fields, apiV3Key: string): Fields {
  const nonce = randomBytes(6).toString('hex')
  const context = 'transaction'
  const cipher = createCipheriv('aes-256-gcm', apiV3Key, nonce).setAAD(Buffer.from(context))
  const text = JSON.stringify(content)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return {
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: sealed.toString('base64'),
    associated_data: context,
    original_type: context,
    nonce,
  }
}
