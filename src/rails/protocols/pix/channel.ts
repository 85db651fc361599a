// The Pix channel. Our reference is the charge's txid. The API cannot void a txid that it does not know. So for such a
// txid, `cancel` opens a placeholder charge, which no payer sees, and removes the charge. After that, no other charge
// can have the txid.
import type { Clock } from '../../../platform/base/clock.ts'
import { isObject } from '../../../platform/base/object.ts'
import type {
  AttemptRef,
  Channel,
  Failed,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../contract/channel.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { pix } from '../../methods/pix.ts'
import { timedBy } from '../../toolkit/deadline.ts'
import { failed, unknown } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'
import type { PixApi } from './api.ts'
import type { RegisterWebhook } from './callback.ts'
import { fromDevolucao, keepPix, pixToRefund, toDevolucao } from './refunds.ts'
import {
  fromCancelled,
  fromCob,
  isPlaceholder,
  isTheirs,
  type Payee,
  REMOVED_BY_US,
  toCob,
  toPlaceholder,
} from './wire.ts'

type PixChannelOptions = {
  readonly name: string
  readonly api: PixApi
  readonly payee: Payee
  readonly registerWebhook: RegisterWebhook
  readonly readCallback: NonNullable<Channel['readCallback']>
  readonly disputes: NonNullable<Channel['disputes']>
  readonly store: () => ChannelStore
  readonly timeoutMs: number
  readonly clock: Clock
}

export function createPixChannel(options: PixChannelOptions): Channel {
  const { name, api, payee, registerWebhook, readCallback, disputes, store, timeoutMs, clock } = options
  const timed = timedBy(timeoutMs)
  const chargeOf = ({ reference, money }: AttemptRef) => ({ txid: reference, money, payee })
  const outcomeOf = (reply: Reply, request: AttemptRef) => fromCob(reply, chargeOf(request))
  const cancelledOf = (reply: Reply, request: AttemptRef) =>
    fromCancelled(reply, chargeOf(request), clock.now())
  const query = ({ reference }: { reference: string }, signal: AbortSignal) =>
    api({ method: 'GET', path: `/cob/${reference}` }, signal)
  const put = (reference: string, body: unknown, signal: AbortSignal) =>
    api({ method: 'PUT', path: `/cob/${reference}`, body }, signal)
  const remove = (reference: string, signal: AbortSignal) =>
    api({ method: 'PATCH', path: `/cob/${reference}`, body: { status: REMOVED_BY_US } }, signal)

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    await registerWebhook(request.callbackUrl, signal)
    const reply = await put(request.reference, toCob(request, payee, clock.now()), signal)
    if (reply.kind === 'unsent') return failed('unreachable', 'The Pix channel could not be reached')
    if (!isRefusal(reply)) return outcomeOf(reply, request)
    // The bank may have refused because an earlier call for the same attempt has used the txid.
    const found = await query(request, signal)
    // If the bank refuses the charge or our credentials, it may refuse the query, too.
    const isClosedToUs = isTheirs(reply, 401, 403) && isTheirs(found, 401, 403)
    // A conflict (409) means that the txid is taken, and not that the content is invalid.
    const isInvalid = isTheirs(reply, 400, 422) && isTheirs(found, ...refusals)
    if (!isTheirs(found, 404) && !isClosedToUs && !isInvalid) return outcomeOf(found, request)
    if (!isTheirs(reply, ...refusals)) return unknown('something on the way refused the charge')
    return isTheirs(reply, 401, 403) ? { ...refused, cause: 'unauthorised' } : refused
  }

  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await query(request, signal)
    // If an earlier call ended before it removed the placeholder, the placeholder still exists.
    return isTheirs(reply, 404) || isPlaceholder(reply) ? cancel(request, signal) : outcomeOf(reply, request)
  }

  async function askWaiting(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    return outcomeOf(await query(request, signal), request)
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const reply = await remove(reference, signal)
    if (isTheirs(reply, 404)) return useUpTxid(request, signal)
    // If the bank refuses to remove the charge, the charge may be paid. So the charge is queried.
    return cancelledOf(isRefusal(reply) ? await query(request, signal) : reply, request)
  }

  async function useUpTxid(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    await put(request.reference, toPlaceholder(payee), signal)
    return cancelledOf(await remove(request.reference, signal), request)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const charge = await query(request, signal)
    const cob = charge.kind === 'answer' && charge.status === 200 && isObject(charge.body) ? charge.body : {}
    if (cob.txid !== request.reference) return unknown('the bank did not return the charge')
    const endToEndId = await keepPix(store(), request, pixToRefund(cob, request))
    if (endToEndId === undefined)
      return failed('declined', 'No single Pix of this payment is that large: refund it in smaller parts')
    const path = `/pix/${endToEndId}/devolucao/${request.refundReference}`
    const reply = await api({ method: 'PUT', path, body: toDevolucao(request.refund) }, signal)
    if (!isTheirs(reply, 400, 422)) return fromDevolucao(reply, request)
    // The bank may have refused because an earlier call has already made this refund.
    const made = await api({ method: 'GET', path }, signal)
    return isTheirs(made, 404)
      ? failed('declined', 'The bank refused the refund')
      : fromDevolucao(made, request)
  }

  return {
    name,
    method: 'pix',
    traits: { ...pix, timeoutMs },
    start: timed(start),
    complete: timed(ask),
    ask: timed(ask),
    askWaiting: timed(askWaiting),
    cancel: timed(cancel),
    refund: timed(refund),
    readCallback,
    disputes,
  }
}

const refused: Failed = failed('refused', 'The Pix channel refused to open the payment')

const refusals: readonly number[] = [400, 401, 403, 409, 422]

/** True if the status is a refusal. The bank certainly did nothing only if the answer is its own (`isTheirs`). */
function isRefusal(reply: Reply): boolean {
  return reply.kind === 'answer' && refusals.includes(reply.status)
}
