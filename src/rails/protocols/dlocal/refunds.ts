// Refunds at dLocal. Sending a refund again would pay twice. So it is recorded before it is sent, and sent once. If the response
// is lost, the notification about it brings dLocal's id; if none comes, an operator decides the refund.
import type { Clock } from '../../base/clock.ts'
import { type Fields, isObject } from '../../base/object.ts'
import type { Failed, RefundOutcome, RefundRequest } from '../contract.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../store.ts'
import type { Reply } from '../transport.ts'
import { moneyIn, withAmount } from './amount.ts'
import { textOf } from './countries.ts'
import type { DlocalApi } from './dlocal-api.ts'
import { isId, isRefusal, unknown, whyUnknown } from './wire.ts'

export type RefundOptions = {
  readonly api: DlocalApi
  readonly store: ChannelStore
  readonly clock: Clock
  /** Where dLocal sends the notification; '' for the address of the dashboard. */
  readonly callbackUrl: string
  /** For that long a refund without a response may still be on its way. */
  readonly timeoutMs: number
}

/** By our reference, and by dLocal's id. */
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
  // Nothing was done: the next call may send it.
  if (reply.kind === 'unsent' || isRefusal(reply, [401, 403])) await store.write([{ remove: key }])
  return whyUnknown(reply)
}

/** Money is a text of digits, because JSON's numbers are floats. */
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

/** Our own reference stands for the refund, because it is known before dLocal's id. `id`: the one that was asked about. */
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
 * Our reference of the refund that a notification names; undefined if it is not ours. One with an id that we do not know may
 * be the refund whose response was lost: the only one of its payment, with its amount, or under the reference that it names.
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
