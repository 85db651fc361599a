// The signatures of WeChat Pay's API v3, in both directions: RSA with SHA-256 over lines that each end in a line feed.
import type { KeyObject } from 'node:crypto'
import { isRsaSigned, signRsa } from '../rsa-signature.ts'

/** Maximum clock difference; an older message may be a replay. */
const TOLERANCE_S = 300

export type Signer = { readonly mchid: string; readonly serial: string; readonly privateKey: KeyObject }

export type SignedRequest = {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: string
  readonly nonce: string
  readonly now: Date
}

/** The Authorization header. */
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

/** Whether the platform signed a response or notification recently. Headers by lower-case name. */
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
