// Registers our webhook for received and sent Pix at the bank. callback.ts reads the webhook's messages.
import { isObject } from '../../../platform/base/object.ts'
import { theirReason } from '../../contract/counterparty-texts.ts'
import type { Reply } from '../../toolkit/transport.ts'
import type { PixApi } from './api.ts'
import { proofOf } from './callback.ts'

/** A payment waits no longer for the registration, and does not need its success: queries find the money, too. */
const REGISTER_MS = 3_000

type WebhookOptions = {
  readonly api: PixApi
  readonly pixKey: string
  readonly secret: string
  readonly headers?: Readonly<Record<string, string>>
  /** Called when the bank refuses the registration. Called again only after a registration has succeeded. */
  readonly refused: (what: string) => void
}

export type RegisterWebhook = (callbackUrl: string, signal: AbortSignal) => Promise<void>

type Webhook = {
  readonly register: RegisterWebhook
  /** Returns a sentence about the webhook that is registered at the bank. */
  describe(callbackUrl: string, signal: AbortSignal): Promise<string>
}

/** Creates the webhook for all Pix of the key. After a failed registration, the next payment or payout tries again. */
export function createWebhook({ api, pixKey, secret, headers = {}, refused }: WebhookOptions): Webhook {
  const path = `/webhook/${encodeURIComponent(pixKey)}`
  // The bank appends /pix to this URL.
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

/** Names only the host of a foreign URL: the whole URL may contain a secret of another system. */
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
