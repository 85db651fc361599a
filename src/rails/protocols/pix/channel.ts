// The Pix channel. Our reference is the charge's txid.
//
// The API cannot void a txid that it does not know. We therefore open a placeholder charge under it, which no payer sees, and
// remove it: after that the txid cannot be used again.
import type { Clock } from '../../base/clock.ts'
import { isObject } from '../../base/object.ts'
import type {
  AttemptRef,
  Channel,
  Failed,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type { ChannelStore } from '../store.ts'
import type { Reply } from '../transport.ts'
import {
  fromDevolucao,
  isRefusedDevolucao,
  keepPix,
  notRefunded,
  pixToRefund,
  toDevolucao,
} from './devolucao.ts'
import { pix } from './method.ts'
import type { PixApi } from './pix-api.ts'
import type { RegisterWebhook } from './webhook.ts'
import {
  fromCancelled,
  fromCob,
  isPlaceholder,
  type Payee,
  REMOVED_BY_US,
  toCob,
  toPlaceholder,
  unknown,
} from './wire.ts'

export type PixChannelOptions = {
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
  const timed = <Request, Result>(work: (request: Request, signal: AbortSignal) => Promise<Result>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }
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
    if (reply.kind === 'unsent')
      return { kind: 'failed', cause: 'unreachable', message: 'The Pix channel could not be reached' }
    if (!isRefusal(reply)) return outcomeOf(reply, request)
    // The txid may be taken by an earlier call for the same attempt.
    const found = await query(request, signal)
    // A bank that does not take the charge, or does not let us open it, may not let us query it either.
    const isClosedToUs = isUnauthorised(reply) && isUnauthorised(found)
    const isInvalid = isRefusedCob(reply) && isRefusal(found) && isTheirs(found)
    if (!isAbsent(found) && !isClosedToUs && !isInvalid) return outcomeOf(found, request)
    if (!isTheirs(reply)) return unknown('something on the way refused the charge')
    return isUnauthorised(reply) ? { ...refused, cause: 'unauthorised' } : refused
  }

  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await query(request, signal)
    // A placeholder is left over from an earlier call that ended before it could remove it.
    return isAbsent(reply) || isPlaceholder(reply) ? cancel(request, signal) : outcomeOf(reply, request)
  }

  async function askWaiting(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    return outcomeOf(await query(request, signal), request)
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const reply = await remove(reference, signal)
    if (isAbsent(reply)) return useUpTxid(request, signal)
    // A paid charge cannot be removed.
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
      return notRefunded('No single Pix of this payment is that large: refund it in smaller parts')
    const path = `/pix/${endToEndId}/devolucao/${request.refundReference}`
    const reply = await api({ method: 'PUT', path, body: toDevolucao(request.refund) }, signal)
    if (!isRefusedDevolucao(reply)) return fromDevolucao(reply, request)
    // The bank may refuse a repetition of a refund that it has made.
    const made = await api({ method: 'GET', path }, signal)
    return isAbsent(made) ? notRefunded('The bank refused the refund') : fromDevolucao(made, request)
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

const refused: Failed = {
  kind: 'failed',
  cause: 'refused',
  message: 'The Pix channel refused to open the payment',
}

/** A page from something on the way is not the bank's word: the charge may wait for its payer. */
function isTheirs(reply: Reply): boolean {
  return reply.kind === 'answer' && isObject(reply.body)
}

function isAbsent(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status === 404 && isTheirs(reply)
}

/** For what is in it. A conflict is none of these: the txid is taken. */
function isRefusedCob(reply: Reply): boolean {
  return reply.kind === 'answer' && (reply.status === 400 || reply.status === 422) && isTheirs(reply)
}

function isUnauthorised(reply: Reply): boolean {
  return reply.kind === 'answer' && (reply.status === 401 || reply.status === 403) && isTheirs(reply)
}

/** The bank certainly did nothing, if the answer is its own. */
function isRefusal(reply: Reply): boolean {
  return reply.kind === 'answer' && [400, 401, 403, 409, 422].includes(reply.status)
}
