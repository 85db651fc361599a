// Pix, behind the channel contract. Our reference is the charge's identifier (txid), so everything is found by it.
//
// The API has no word for "never let this one be opened". What the bank does not know is therefore opened as a placeholder
// that nobody is shown, and removed: from then on the identifier is used up.
import type { Clock } from '../../base/clock.ts'
import { isObject } from '../../base/object.ts'
import { withDeadline } from '../../concurrency/deadline.ts'
import type {
  AttemptRef,
  Callback,
  Channel,
  Failed,
  Heard,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import type { Reply } from '../transport.ts'
import { fromDevolucao, notRefunded, pixToRefund, toDevolucao } from './devolucao.ts'
import { pix } from './method.ts'
import type { PixApi } from './pix-api.ts'
import { isFromBank, txidsIn, webhookUrl } from './webhook.ts'
import { fromCob, moneyIn, type Payee, REMOVED_BY_US, toCob, toPlaceholder, unknown } from './wire.ts'

export type PixChannelOptions = {
  readonly name: string
  readonly api: PixApi
  readonly payee: Payee
  readonly webhookSecret: string
  readonly timeoutMs: number
  readonly clock: Clock
}

export function createPixChannel(options: PixChannelOptions): Channel {
  const { name, api, payee, webhookSecret, timeoutMs, clock } = options
  const timed = <Request, Told>(work: (request: Request, signal: AbortSignal) => Promise<Told>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }
  const told = (reply: Reply, { reference, money }: AttemptRef) =>
    fromCob(reply, { txid: reference, money, payee })
  const look = ({ reference }: { reference: string }, signal: AbortSignal) =>
    api({ method: 'GET', path: `/cob/${reference}` }, signal)
  const put = (reference: string, body: unknown, signal: AbortSignal) =>
    api({ method: 'PUT', path: `/cob/${reference}`, body }, signal)
  const remove = (reference: string, signal: AbortSignal) =>
    api({ method: 'PATCH', path: `/cob/${reference}`, body: { status: REMOVED_BY_US } }, signal)

  /** One address for all charges of the key. Where telling it fails, the next charge tells it again. */
  let toldUrl = ''
  async function tellWebhook(callbackUrl: string, signal: AbortSignal): Promise<void> {
    const url = webhookUrl(callbackUrl, webhookSecret)
    if (url === toldUrl) return
    const path = `/webhook/${encodeURIComponent(payee.pixKey)}`
    const reply = await api({ method: 'PUT', path, body: { webhookUrl: url } }, signal)
    if (reply.kind === 'answer' && reply.status >= 200 && reply.status < 300) toldUrl = url
  }

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    await tellWebhook(request.callbackUrl, signal)
    const reply = await put(request.reference, toCob(request, payee, clock.now()), signal)
    if (reply.kind === 'unsent')
      return { kind: 'failed', cause: 'unreachable', message: 'The Pix channel could not be reached' }
    if (!isRefusal(reply)) return told(reply, request)
    // Turned away: because the identifier is taken, perhaps by an earlier call of the same start.
    const found = await look(request, signal)
    return isAbsent(found) || isRefusal(found) ? refused : told(found, request)
  }

  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await look(request, signal)
    return isAbsent(reply) ? cancel(request, signal) : told(reply, request)
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const reply = await remove(reference, signal)
    if (isAbsent(reply)) return takeAway(request, signal)
    // What was paid cannot be removed.
    return told(isRefusal(reply) ? await look(request, signal) : reply, request)
  }

  async function takeAway(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    await put(request.reference, toPlaceholder(payee), signal)
    return told(await remove(request.reference, signal), request)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const reply = await look(request, signal)
    if (reply.kind !== 'answer' || reply.status !== 200 || !isObject(reply.body))
      return unknown('the bank did not tell the charge')
    const endToEndId = pixToRefund(reply.body, request)
    if (endToEndId === undefined)
      return notRefunded('No single Pix of this payment holds as much: refund it in smaller parts')
    const path = `/pix/${endToEndId}/devolucao/${request.refundReference}`
    return fromDevolucao(
      await api({ method: 'PUT', path, body: toDevolucao(request.refund) }, signal),
      request,
    )
  }

  async function hear(callback: Callback, signal: AbortSignal): Promise<Heard> {
    if (!isFromBank(callback, webhookSecret)) return notHeard(401, 'the address lacks its proof')
    const txids = txidsIn(callback)
    if (txids === undefined) return notHeard(400, 'it is no message about received Pix')
    const reports = []
    for (const reference of txids) {
      const reply = await look({ reference }, signal)
      // Another's charge of the same key: of no interest.
      if (isAbsent(reply)) continue
      const outcome = told(reply, { reference, money: moneyIn(reply) })
      if (outcome.kind === 'unknown') return notHeard(503, outcome.why)
      reports.push({ reference, outcome })
    }
    return { kind: 'heard', reports, answer: { status: 200, type: 'text/plain', body: '' } }
  }

  return {
    name,
    method: 'pix',
    traits: { ...pix, timeoutMs },
    start: timed(start),
    complete: timed(ask),
    ask: timed(ask),
    cancel: timed(cancel),
    refund: timed(refund),
    hear: timed(hear),
  }
}

const refused: Failed = {
  kind: 'failed',
  cause: 'refused',
  message: 'The Pix channel refused to open the payment',
}

function isAbsent(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status === 404
}

function notHeard(status: number, why: string): Heard {
  return { kind: 'refused', why, answer: { status, type: 'text/plain', body: why } }
}

/** For certain nothing was done. */
function isRefusal(reply: Reply): boolean {
  return reply.kind === 'answer' && [400, 401, 403, 409, 422].includes(reply.status)
}
