// The bank's webhook for received and sent Pix. Its messages are not signed, so the address contains a secret proof. A message
// only triggers queries: we trust the responses to our own requests.
import { createHmac } from 'node:crypto'
import { isObject } from '../../base/object.ts'
import { isEqualSecret } from '../../base/secret.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Callback } from '../contract.ts'
import { theirReason } from '../their-reason.ts'
import type { Reply } from '../transport.ts'
import type { PixApi } from './pix-api.ts'

/** A longer message is certainly not from the bank. */
const MAX_PIX = 100

/** The payment waits for it, and must keep most of its time: it can be paid without a webhook. */
const REGISTER_MS = 3_000

export type WebhookOptions = {
  readonly api: PixApi
  readonly pixKey: string
  readonly secret: string
  /** Sent with the registration. */
  readonly headers?: Readonly<Record<string, string>>
  /** Called when the bank refuses the registration, once until it has succeeded. */
  readonly refused: (what: string) => void
}

/** Tells the bank where to send messages. */
export type RegisterWebhook = (callbackUrl: string, signal: AbortSignal) => Promise<void>

export type Webhook = {
  readonly register: RegisterWebhook
  /** One sentence about what is registered at the bank. */
  describe(callbackUrl: string, signal: AbortSignal): Promise<string>
}

/** One webhook serves all Pix of the key. If registering it fails, the next payment tries again. */
export function createWebhook({ api, pixKey, secret, headers = {}, refused }: WebhookOptions): Webhook {
  const path = `/webhook/${encodeURIComponent(pixKey)}`
  // The bank appends /pix.
  const addressOf = (callbackUrl: string) => `${callbackUrl}/${proofOf(secret)}`
  let registered = ''
  let isRefused = false
  return {
    async register(callbackUrl, deadline) {
      const signal = AbortSignal.any([deadline, AbortSignal.timeout(REGISTER_MS)])
      const webhookUrl = addressOf(callbackUrl)
      if (webhookUrl === registered) return
      const reply = await api({ method: 'PUT', path, body: { webhookUrl }, headers }, signal)
      if (reply.kind !== 'answer') return
      if (reply.status >= 200 && reply.status < 300) {
        registered = webhookUrl
        isRefused = false
      } else if (reply.status < 500 && !isRefused) {
        isRefused = true
        refused(refusalOf(reply.status, reply.body))
      }
    },
    async describe(callbackUrl, signal) {
      return readRegistered(await api({ method: 'GET', path }, signal), addressOf(callbackUrl))
    },
  }
}

function refusalOf(status: number, body: unknown): string {
  const { detail, mensagem } = isObject(body) ? body : {}
  const reason = theirReason(detail ?? mensagem, 'without a reason')
  return `the bank refused to register our webhook (${status}, ${reason}): no message of a paid Pix comes, and payments are found by asking. Check the scope webhook.write, and that the bank may call TOLLGATE_BASE_URL; the next payment registers again`
}

/** The address has a secret part, and that of somebody else may: neither is shown. */
function readRegistered(reply: Reply, ours: string): string {
  const { webhookUrl } = reply.kind === 'answer' && isObject(reply.body) ? reply.body : {}
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 404))
    return `It did not say which webhook is registered${reply.kind === 'answer' ? ` (${reply.status})` : ''}.`
  if (reply.status === 404 || typeof webhookUrl !== 'string')
    return 'No webhook is registered yet: a payment does that; if there was one, the bank refused it.'
  if (webhookUrl === ours) return 'Its messages come to us.'
  const host = URL.parse(webhookUrl)?.host ?? 'another address'
  return `Its messages go to another address (${host}): the next payment registers ours; if there was one, the bank refused it.`
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

export type Announced = {
  readonly txids: readonly string[]
  /** Our references of sent Pix. */
  readonly sent: readonly string[]
}

/** What the message is about; undefined when it is malformed. */
export function announcedIn({ body }: Callback): Announced | undefined {
  const message = parseJson(body)
  if (!isObject(message) || !Array.isArray(message.pix) || message.pix.length > MAX_PIX) return undefined
  const list = message.pix.filter(isObject)
  return {
    // A Pix without a charge has no txid and is not ours.
    txids: matching(
      list.map(({ txid }) => txid),
      /^[a-zA-Z0-9]{26,35}$/,
    ),
    sent: matching(
      list.map(({ gnExtras }) => isObject(gnExtras) && gnExtras.idEnvio),
      /^[a-zA-Z0-9]{1,35}$/,
    ),
  }
}

function matching(values: readonly unknown[], pattern: RegExp): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string' && pattern.test(value)).map(String))]
}
