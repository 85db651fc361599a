// Refunds. dLocal would pay a refund twice if the gateway sent it twice. So a refund is recorded before it is sent, and
// is not sent again while dLocal may have it. If the response is lost, the webhook brings dLocal's id of the refund. If
// no webhook comes, an operator decides the refund.
import type { Clock } from '../../../platform/base/clock.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { Failed, RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../../contract/store.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'
import type { DlocalApi } from './api.ts'
import { textOf } from './countries.ts'
import { isId, isRefusal, moneyIn, whyUnknown, withAmount } from './wire.ts'

type RefundOptions = {
  readonly api: DlocalApi
  readonly store: ChannelStore
  readonly clock: Clock
  /** The URL for dLocal's webhook. If '', dLocal uses the URL that is set in its dashboard. */
  readonly callbackUrl: string
  /** The time for which a refund without a response counts as pending, because our request may still be in progress. */
  readonly timeoutMs: number
}

/**
 * A REFUND has our reference of the refund as its key. A REFUND_ID has dLocal's id as its key, and leads to our
 * reference.
 */
const [REFUND, REFUND_ID] = ['refund', 'refund-id']

export async function refundPayment(
  request: RefundRequest & { readonly channelRef: string },
  options: RefundOptions,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const { store, clock } = options
  const key = { kind: REFUND, key: request.refundReference }
  const add = { ...key, reference: request.reference, body: bodyOf(request, clock) }
  const [isFirst] = await store.write([{ add }])
  if (isFirst === true) return send(request, options, signal)
  const record = await store.find(key)
  return record === undefined ? unknown('the refund is not recorded') : askRefund(record, options, signal)
}

async function send(
  request: RefundRequest & { readonly channelRef: string },
  { api, store, clock, callbackUrl }: RefundOptions,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const { refundReference, reference, refund, channelRef } = request
  const key = { kind: REFUND, key: refundReference }
  const put = (body: Fields) => ({ put: { ...key, reference, body: { ...bodyOf(request, clock), ...body } } })
  const body = withAmount(refund, {
    payment_id: channelRef,
    order_refund_id: refundReference,
    notification_url: callbackUrl || undefined,
  })
  const reply = await api.post('/refunds', body, signal)
  const id = idIn(reply)
  if (id !== undefined) {
    await store.write([put({ id }), { put: idRecord(id, reference, refundReference) }])
    return fromRefund(reply, refundReference)
  }
  if (isRefusal(reply, [400])) {
    await store.write([put({ isRefused: true })])
    return refundRefused(refundReference)
  }
  // If dLocal certainly did not process the request, the record is removed, so that the next call sends the refund.
  if (reply.kind === 'unsent' || isRefusal(reply, [401, 403])) await store.write([{ remove: key }])
  return whyUnknown(reply)
}

/** Returns the record of a refund. The amount is a text of digits, because JSON numbers are floats. */
function bodyOf({ refund: { amount, currency } }: RefundRequest, clock: Clock): RecordBody {
  return { sentAt: clock.now().toISOString(), amount: amount.toString(), currency }
}

function idRecord(id: string, reference: string, refundReference: string): ChannelRecord {
  return { kind: REFUND_ID, key: id, reference, body: { refundReference } }
}

async function askRefund(
  { key: refundReference, body }: ChannelRecord,
  { api, clock, timeoutMs }: RefundOptions,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const { id, isRefused, sentAt } = body
  if (isRefused === true) return refundRefused(refundReference)
  if (typeof id === 'string') return fromRefund(await api.get(`/refunds/${id}`, signal), refundReference, id)
  const ageMs = clock.now().getTime() - new Date(String(sentAt)).getTime()
  return ageMs < timeoutMs
    ? { kind: 'pending', channelRef: refundReference }
    : unknown(
        "dLocal did not respond to the refund: look for it in dLocal's dashboard, and decide it by hand",
      )
}

export function isRefund(reply: Reply): boolean {
  return idIn(reply) !== undefined
}

function idIn(reply: Reply): string | undefined {
  const body = reply.kind === 'answer' && reply.status === 200 && isObject(reply.body) ? reply.body : {}
  return typeof body.id === 'string' && isId(body.id) ? body.id : undefined
}

/**
 * Reads a refund. `id` is the queried id of dLocal. `channelRef` is our own reference, because we know it before
 * dLocal's id.
 */
export function fromRefund(reply: Reply, refundReference: string, id = idIn(reply)): RefundOutcome {
  if (idIn(reply) === undefined || reply.kind !== 'answer' || !isObject(reply.body)) return whyUnknown(reply)
  if (idIn(reply) !== id) return unknown('dLocal responded about another refund')
  const { status } = reply.body
  if (status === 'PENDING') return { kind: 'pending', channelRef: refundReference }
  if (status === 'REJECTED' || status === 'CANCELLED') return refundRefused(refundReference)
  const money = moneyIn(reply.body)
  if (status !== 'SUCCESS' || money === undefined) return unknown("dLocal's refund has no known status")
  return { kind: 'succeeded', money, channelRef: refundReference }
}

function refundRefused(channelRef: string): Failed {
  return { kind: 'failed', cause: 'declined', message: 'dLocal refused the refund', channelRef }
}

/**
 * Returns our reference of the refund with dLocal's id `id`. If the id is not recorded, a refund of ours without a
 * response may match: by our reference, if dLocal's refund contains it, and otherwise by the amount. A single match is
 * recorded. Returns undefined if no refund or more than one matches.
 */
export async function refundReferenceOf(
  store: ChannelStore,
  id: string,
  reply: Reply,
): Promise<string | undefined> {
  const known = (await store.find({ kind: REFUND_ID, key: id }))?.body.refundReference
  if (typeof known === 'string') return known
  const refund = idIn(reply) === id && reply.kind === 'answer' && isObject(reply.body) ? reply.body : {}
  const reference = textOf(refund.order_id)
  const sent = reference === undefined ? [] : await store.listOf(REFUND, reference)
  const [lost, ...others] = sent.filter((one) => isOpen(one) && isSame(one, refund))
  if (lost === undefined || others.length > 0) return undefined
  const found = { put: idRecord(id, reference ?? '', lost.key) }
  await store.write([{ put: { ...lost, body: { ...lost.body, id } } }, found])
  return lost.key
}

function isOpen({ body }: ChannelRecord): boolean {
  return body.id === undefined && body.isRefused !== true
}

function isSame({ key, body }: ChannelRecord, refund: Fields): boolean {
  const named = textOf(refund.order_refund_id)
  if (named !== undefined) return named === key
  const money = moneyIn(refund)
  return money !== undefined && money.amount.toString() === body.amount && money.currency === body.currency
}
