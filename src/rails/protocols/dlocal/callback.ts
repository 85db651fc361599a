// dLocal's webhooks about payments, refunds and payouts. All webhooks go to one URL and are signed in the same way.
// Webhooks may come late, twice or out of order, so a webhook only triggers a query about its payment, refund or
// payout.
import { isObject } from '../../../platform/base/object.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { Callback, CallbackResult } from '../../contract/channel.ts'
import type { PayoutRail } from '../../contract/payout-rail.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { refuse } from '../../toolkit/outcomes.ts'
import { type DlocalApi, isFromDlocal, type Signer } from './api.ts'
import { textOf } from './countries.ts'
import { fromRefund, isRefund, refundReferenceOf } from './refunds.ts'
import { fromPayment, isAbsent, isId } from './wire.ts'

type CallbackOptions = {
  readonly api: DlocalApi
  readonly signer: Signer
  readonly store: ChannelStore
  /** Queries a payout. Undefined if the channel has no payouts. */
  readonly askPayout: PayoutRail['ask'] | undefined
}

type Reports = Pick<Extract<CallbackResult, { kind: 'accepted' }>, 'reports' | 'refunds' | 'payouts'>

export async function readDlocalCallback(
  callback: Callback,
  options: CallbackOptions,
  signal: AbortSignal,
): Promise<CallbackResult> {
  if (!isFromDlocal(callback, options.signer)) return refuse(401, 'the signature is missing or wrong')
  const message = parseJson(callback.body)
  if (!isObject(message)) return refuse(400, 'the notification is malformed')
  const { payment_id: paymentId, external_id: payout, order_id: order, id } = message
  const reports = await readAbout(
    {
      refund: paymentId === undefined ? undefined : textOf(id),
      payout: textOf(payout),
      order: textOf(order),
    },
    options,
    signal,
  )
  // After a 503, dLocal sends the webhook again.
  if (reports === undefined) return refuse(503, 'dLocal did not return what the notification is about')
  return { kind: 'accepted', ...reports, answer: { status: 200, type: 'text/plain', body: '' } }
}

/** The ids that a webhook contains. A webhook about a refund also contains the order id of the payment. */
type About = {
  readonly refund: string | undefined
  readonly payout: string | undefined
  readonly order: string | undefined
}

async function readAbout(
  { refund, payout, order }: About,
  options: CallbackOptions,
  signal: AbortSignal,
): Promise<Reports | undefined> {
  if (refund !== undefined) return readRefund(refund, options, signal)
  if (payout !== undefined) return readPayout(payout, options)
  return order !== undefined && isId(order) ? readPayment(order, options, signal) : NOTHING
}

const NOTHING: Reports = { reports: [] }

async function readPayment(
  reference: string,
  { api }: CallbackOptions,
  signal: AbortSignal,
): Promise<Reports | undefined> {
  const reply = await api.get(`/orders/${reference}`, signal)
  if (isAbsent(reply)) return NOTHING
  if (reply.kind !== 'answer' || reply.status !== 200) return undefined
  const outcome = fromPayment(reply, { reference })
  const isDecided = outcome.kind === 'succeeded' || outcome.kind === 'failed'
  return isDecided ? { reports: [{ reference, outcome }] } : NOTHING
}

async function readRefund(
  id: string,
  { api, store }: CallbackOptions,
  signal: AbortSignal,
): Promise<Reports | undefined> {
  if (!isId(id)) return NOTHING
  const reply = await api.get(`/refunds/${id}`, signal)
  const refundReference = await refundReferenceOf(store, id, reply)
  if (refundReference === undefined) return isAbsent(reply) || isRefund(reply) ? NOTHING : undefined
  const outcome = fromRefund(reply, refundReference, id)
  return outcome.kind === 'unknown' ? undefined : { reports: [], refunds: [{ refundReference, outcome }] }
}

async function readPayout(reference: string, { askPayout }: CallbackOptions): Promise<Reports | undefined> {
  const outcome = await askPayout?.(reference)
  if (outcome === undefined || outcome.kind === 'absent') return NOTHING
  return outcome.kind === 'unknown' ? undefined : { reports: [], payouts: [{ reference, outcome }] }
}
