// Callbacks of our own protocol. The signature and its time are verified before the body is read. A callback about a
// payment is read by the payment's method, or only triggers a query. Callbacks about refunds, payouts and disputes name
// their `type`, and are the same for all methods.
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
  /**
   * True for the payment sheet, which only shows payments: its reports of refunds, payouts and disputes are refused.
   */
  readonly paymentsOnly?: boolean
  readonly now: Date
  /**
   * Raises alarms about malformed disputes. The refusal of their callbacks is not enough, because the counterparty
   * stops its retries some day. Unset for payout rails, which have no disputes.
   */
  readonly alarms?: Alarms
  /**
   * Reads the payment's reference and outcome. Returns undefined if the body is malformed, and `asked` if a query about
   * the payment was scheduled instead. Unset for payout rails, which have no payments.
   */
  readonly read?: (body: unknown) => ReadReport | Promise<ReadReport>
}

type ReadReport = Report | 'asked' | undefined

type Report = { readonly reference: string; readonly outcome: Outcome }

/** The reports of a callback, or the reason `why` the callback is not understood. */
type Read = Omit<Extract<CallbackResult, { kind: 'accepted' }>, 'kind' | 'answer'> | { readonly why: string }

export async function readSignedCallback(
  callback: Callback,
  { secret, paymentsOnly = false, now, alarms, read }: SignedCallbackOptions,
): Promise<CallbackResult> {
  if (!isAuthentic(callback, secret, now))
    return {
      kind: 'refused',
      why: 'the signature is missing, wrong or too old',
      answer: answer(UNSIGNED, 'refused'),
    }
  const body = parseJson(callback.body)
  const isTyped = isObject(body) && body.type !== undefined
  const found =
    paymentsOnly && isTyped
      ? { why: 'the payment sheet reports only payments' }
      : ((await readTyped(body, now, alarms)) ?? readPayment(await read?.(body)))
  // A callback that is not understood is refused, so that the counterparty sends it again.
  if ('why' in found) return { kind: 'refused', why: found.why, answer: answer(422, 'not understood') }
  return { kind: 'accepted', ...found, answer: answer(200, 'received') }
}

const UNSIGNED = 401

export function isUnsigned({ answer: { status } }: CallbackResult): boolean {
  return status === UNSIGNED
}

/** True if this secret signed the callback a short time ago. */
export function isAuthentic({ method, path, headers, body }: Callback, secret: string, now: Date): boolean {
  const timestamp = headers[timestampHeader] ?? ''
  return isSignedBy(secret, { method, path, timestamp, body }, headers[signatureHeader] ?? '', now)
}

/**
 * Returns the report about a payment. A callback with an unknown outcome is refused, because it would change nothing.
 */
function readPayment(report: ReadReport): Read {
  if (report === 'asked') return { reports: [] }
  if (report === undefined) return { why: 'the callback names no payment' }
  return report.outcome.kind === 'unknown' ? { why: report.outcome.why } : { reports: [report] }
}

/** Reads a callback with a `type`. Undefined if the callback has no `type` and is therefore about a payment. */
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
