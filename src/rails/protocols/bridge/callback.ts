// Callbacks of our own protocol. The signature and its time are verified before the body is read. A callback about a
// payment is read by the payment's method. All others name their `type`, and are the same for all methods.
import { isObject } from '../../../platform/base/object.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { Callback, CallbackAnswer, CallbackResult, Outcome } from '../../contract/channel.ts'
import type { Alarms } from '../../toolkit/alarms.ts'
import { isSignedBy, signatureHeader, timestampHeader } from '../../toolkit/signature.ts'
import { reportMalformed, toDispute } from './card/disputes.ts'
import { fromRefundCallback } from './card/wire.ts'
import { fromPayoutCallback } from './payout/wire.ts'

export type SignedCallbackOptions = {
  readonly secret: string
  readonly now: Date
  /** For malformed disputes: the counterparty stops its retries some day. Unset for payout rails: no disputes. */
  readonly alarms?: Alarms
  /** Undefined if the body is malformed. `asked`: a query was scheduled. Unset for payout rails: no payments. */
  readonly read?: (body: unknown) => ReadReport | Promise<ReadReport>
}

type ReadReport = Report | 'asked' | undefined

type Report = { readonly reference: string; readonly outcome: Outcome }

/** `why`: the callback is not understood. */
type Read = Omit<Extract<CallbackResult, { kind: 'accepted' }>, 'kind' | 'answer'> | { readonly why: string }

export async function readSignedCallback(
  callback: Callback,
  { secret, now, alarms, read }: SignedCallbackOptions,
): Promise<CallbackResult> {
  if (!isAuthentic(callback, secret, now))
    return {
      kind: 'refused',
      why: 'the signature is missing, wrong or too old',
      answer: answer(UNSIGNED, 'refused'),
    }
  const body = parseJson(callback.body)
  const found = (await readTyped(body, now, alarms)) ?? readPayment(await read?.(body))
  // Without an acknowledgement the counterparty sends the callback again.
  if ('why' in found) return { kind: 'refused', why: found.why, answer: answer(422, 'not understood') }
  return { kind: 'accepted', ...found, answer: answer(200, 'received') }
}

const UNSIGNED = 401

export function isUnsigned({ answer: { status } }: CallbackResult): boolean {
  return status === UNSIGNED
}

function isAuthentic({ method, path, headers, body }: Callback, secret: string, now: Date): boolean {
  const timestamp = headers[timestampHeader] ?? ''
  return isSignedBy(secret, { method, path, timestamp, body }, headers[signatureHeader] ?? '', now)
}

/** An unknown outcome changes nothing, so the callback is refused. */
function readPayment(report: ReadReport): Read {
  if (report === 'asked') return { reports: [] }
  if (report === undefined) return { why: 'the callback names no payment' }
  return report.outcome.kind === 'unknown' ? { why: report.outcome.why } : { reports: [report] }
}

/** Returns undefined for a callback without a `type`, which is about a payment. */
async function readTyped(body: unknown, now: Date, alarms?: Alarms): Promise<Read | undefined> {
  if (!isObject(body) || body.type === undefined) return undefined
  switch (body.type) {
    case 'refund': {
      const refund = fromRefundCallback(body)
      if (refund === undefined) return { why: 'the callback names no refund' }
      const { outcome } = refund
      return outcome.kind === 'unknown' ? { why: outcome.why } : { reports: [], refunds: [refund] }
    }
    case 'payout': {
      const payout = fromPayoutCallback(body)
      if (payout === undefined) return { why: 'the callback names no payout' }
      const { outcome } = payout
      return outcome.kind === 'unknown' ? { why: outcome.why } : { reports: [], payouts: [payout] }
    }
    case 'dispute': {
      const dispute = toDispute(body, now)
      if (dispute !== undefined) return { reports: [], disputes: [dispute] }
      if (alarms !== undefined) await reportMalformed(alarms, body)
      return { why: 'the dispute is malformed, or its time is yet to come' }
    }
    default:
      return { why: 'the callback has no known type' }
  }
}

function answer(status: number, result: string): CallbackAnswer {
  return { status, type: 'application/json', body: JSON.stringify({ result }) }
}
