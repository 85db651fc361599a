// The signatures of WeChat Pay's API v3: RSA with SHA-256 over lines that each end in a line feed. We sign requests and
// the parameters of SDKs, and the platform signs responses and webhooks.
import { createHash, type KeyObject } from 'node:crypto'
import { isRsaSigned, signRsa } from '../../toolkit/signature.ts'

/** The largest difference between the message's time and ours. An older message may be a replay. */
const TOLERANCE_S = 300

export type Signer = { readonly mchid: string; readonly serial: string; readonly privateKey: KeyObject }

type SignedRequest = {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly body: string
  readonly nonce: string
  readonly now: Date
}

/** Returns the Authorization header. */
export function authorise({ mchid, serial, privateKey }: Signer, request: SignedRequest): string {
  const { method, path, body, nonce, now } = request
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const text = lines(method, path, timestamp, nonce, body)
  const signature = signRsa(text, privateKey)
  const fields = { mchid, nonce_str: nonce, timestamp, serial_no: serial, signature }
  const pairs = Object.entries(fields).map(([name, value]) => `${name}="${value}"`)
  return `WECHATPAY2-SHA256-RSA2048 ${pairs.join(',')}`
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** True if the platform signed a response or webhook recently. The headers must have lower-case names. */
export function isFromPlatform(
  message: { headers: Headers; body: string },
  key: KeyObject,
  now: Date,
): boolean {
  const header = (name: string) => String(message.headers[`wechatpay-${name}`] ?? '')
  const timestamp = header('timestamp')
  const ageS = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || ageS > TOLERANCE_S) return false
  const text = lines(timestamp, header('nonce'), message.body)
  return isRsaSigned(text, header('signature'), key)
}

function lines(...parts: readonly string[]): string {
  return parts.map((part) => `${part}\n`).join('')
}

/**
 * An opened order. The nonce and time of the SDK parameters are derived from its fields, so the parameters are the same
 * at every call.
 */
type Prepaid = {
  readonly appid: string
  readonly mchid: string
  readonly prepayId: string
  readonly at: Date
}

/** Returns the signed parameters for the WeChat SDK in a merchant's app. */
export function appParams({ appid, mchid, prepayId, at }: Prepaid, privateKey: KeyObject): string {
  const { timestamp, nonce } = stampOf(prepayId, at)
  return JSON.stringify({
    appid,
    partnerid: mchid,
    prepayid: prepayId,
    package: 'Sign=WXPay',
    noncestr: nonce,
    timestamp,
    sign: signRsa(lines(appid, timestamp, nonce, prepayId), privateKey),
  })
}

/** Returns the signed parameters for `wx.requestPayment` in a mini program. */
export function miniProgramParams({ appid, prepayId, at }: Prepaid, privateKey: KeyObject): string {
  const { timestamp, nonce } = stampOf(prepayId, at)
  const prepaid = `prepay_id=${prepayId}`
  return JSON.stringify({
    appId: appid,
    timeStamp: timestamp,
    nonceStr: nonce,
    package: prepaid,
    signType: 'RSA',
    paySign: signRsa(lines(appid, timestamp, nonce, prepaid), privateKey),
  })
}

function stampOf(prepayId: string, at: Date) {
  const nonce = createHash('sha256').update(prepayId).digest('hex').slice(0, 32)
  return { timestamp: String(Math.floor(at.getTime() / 1000)), nonce }
}
