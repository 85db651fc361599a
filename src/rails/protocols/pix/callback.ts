// Webhooks about received and sent Pix. The messages are not signed, so the URL of the webhook contains a proof of our
// secret. A message only triggers queries: the gateway queries each charge and each sent Pix at the bank, and reports
// the bank's answer.
import { createHmac } from 'node:crypto'
import { isObject } from '../../../platform/base/object.ts'
import { isEqualSecret } from '../../../platform/base/secret.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { Callback, CallbackResult, Dispute, Outcome } from '../../contract/channel.ts'
import { theirReason } from '../../contract/counterparty-texts.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import { refuse } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'
import type { PixApi } from './api.ts'
import { disputesIn } from './med.ts'
import type { OutgoingForm } from './outgoing/rail.ts'
import { fromCob, moneyIn, type Payee, receivedIn } from './wire.ts'

type PixCallbackParts = {
  readonly api: PixApi
  readonly payee: Payee
  readonly webhookSecret: string
  /** Queries a sent Pix. Set only if the channel sends Pix and the bank sends webhooks about them. */
  readonly askSent?: OutgoingForm['ask'] | undefined
}

type Payouts = { readonly reference: string; readonly outcome: PayoutOutcome }[]

export async function readPixCallback(
  callback: Callback,
  { api, payee, webhookSecret, askSent }: PixCallbackParts,
  signal: AbortSignal,
): Promise<CallbackResult> {
  if (!isFromBank(callback, webhookSecret)) return refuse(401, 'the callback address lacks its proof')
  const announced = announcedIn(callback)
  if (announced === undefined) return refuse(400, 'the callback is not about Pix')
  const reports: { reference: string; outcome: Outcome }[] = []
  const disputes: Dispute[] = []
  for (const reference of announced.txids) {
    const reply = await api({ method: 'GET', path: `/cob/${reference}` }, signal)
    // If the bank does not know the charge, the charge is not ours.
    if (reply.kind === 'answer' && reply.status === 404) continue
    const outcome = fromCob(reply, { txid: reference, money: moneyIn(reply), payee })
    if (outcome.kind === 'unknown') return refuse(503, outcome.why)
    reports.push({ reference, outcome })
    // Unreadable disputes are skipped here. Polling (med.ts) fails on them, so they are noticed all the same.
    disputes.push(...(disputesIn(receivedIn(reply, reference)) ?? []))
  }
  const payouts: Payouts = []
  for (const reference of announced.sent) {
    const outcome = await askSent?.(reference, signal)
    if (outcome?.kind === 'unknown') return refuse(503, outcome.why)
    if (outcome !== undefined && outcome.kind !== 'absent') payouts.push({ reference, outcome })
  }
  const answer = { status: 200, type: 'text/plain', body: '' }
  return { kind: 'accepted', reports, payouts, disputes, answer }
}

/** Returns the proof of our secret, which is the last segment of the URL that the gateway registers at the bank. */
function proofOf(secret: string): string {
  return createHmac('sha256', secret).update('tollgate pix webhook').digest('base64url')
}

function isFromBank({ path }: Callback, secret: string): boolean {
  const proof =
    path
      .replace(/\/pix$/, '')
      .split('/')
      .at(-1) ?? ''
  return isEqualSecret(proof, proofOf(secret))
}

/** The maximum number of Pix in a message. A message with more Pix is refused. */
const MAX_PIX = 100

type Announced = {
  readonly txids: readonly string[]
  /** Our references of sent Pix. */
  readonly sent: readonly string[]
}

/** Returns the references in the message. Undefined if the message is malformed or names too many Pix. */
function announcedIn({ body }: Callback): Announced | undefined {
  const message = parseJson(body)
  if (!isObject(message) || !Array.isArray(message.pix) || message.pix.length > MAX_PIX) return undefined
  const list = message.pix.filter(isObject)
  return {
    // The txid of a charge has 26 to 35 characters. A Pix without such a txid belongs to no payment of ours.
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

// The registration of our webhook at the bank, for received and sent Pix.

/**
 * The maximum time that a payment or payout waits for the registration. If there is no webhook, queries still find the
 * outcome.
 */
const REGISTER_MS = 3_000

type WebhookOptions = {
  readonly api: PixApi
  readonly pixKey: string
  readonly secret: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Called when the bank refuses the registration. After that, it is called again only if a registration has succeeded
   * in between.
   */
  readonly refused: (what: string) => void
}

export type RegisterWebhook = (callbackUrl: string, signal: AbortSignal) => Promise<void>

type Webhook = {
  readonly register: RegisterWebhook
  /** Returns a sentence that says where the webhook registered at the bank leads. */
  describe(callbackUrl: string, signal: AbortSignal): Promise<string>
}

/** Returns the webhook for all Pix of our key. If its registration fails, the next payment or payout tries again. */
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

/**
 * Returns the sentence for `describe`. Only the host of a foreign URL is shown, because the whole URL may contain a
 * secret of another system.
 */
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
