// The only error class of the SDK. `next` states what the caller can do about the error.
import type { ErrorCode } from './generated.ts'
import type { Order } from './known-order.ts'

export type NextStep =
  /** Send the same request again, after `retryAfterMs` if it is set. The request takes effect at most once. */
  | 'retry-later'
  /** The request is wrong. The message says why. */
  | 'fix-request'
  /** The merchant number, the keys or the website differ from the gateway's settings. */
  | 'check-keys'
  /** The outcome is unknown, or the number was used before. Call `order.resolve()`. Do not send the order again. */
  | 'ask-by-number'
  /** The decision is final. Choose another method, amount or order. */
  | 'declined'
  /** The merchant's settings at the gateway do not allow the request. */
  | 'ask-operator'

const nextSteps: Readonly<Record<ErrorCode, NextStep>> = {
  '10000': 'fix-request',
  '10001': 'fix-request',
  '10002': 'fix-request',
  '10003': 'ask-by-number',
  '10004': 'check-keys',
  '10005': 'ask-operator',
  '10006': 'check-keys',
  '10007': 'check-keys',
  '10008': 'check-keys',
  '10009': 'ask-by-number',
  '10010': 'ask-operator',
  '10011': 'ask-operator',
  '10012': 'declined',
  '10013': 'fix-request',
  '10014': 'ask-operator',
  '10015': 'check-keys',
  '10016': 'declined',
  '10017': 'declined',
  '10018': 'fix-request',
  '10019': 'fix-request',
  '10020': 'ask-operator',
  '10021': 'ask-operator',
  '10022': 'ask-operator',
  '10023': 'declined',
  '10024': 'declined',
  '10025': 'declined',
  '10026': 'fix-request',
  '10101': 'fix-request',
  '10102': 'declined',
  '10103': 'declined',
  '10104': 'declined',
  '10105': 'fix-request',
  '10106': 'fix-request',
  '10107': 'retry-later',
  '10108': 'fix-request',
  '10109': 'fix-request',
  '99995': 'declined',
  '99996': 'fix-request',
  '99997': 'fix-request',
  '99998': 'declined',
  '99999': 'ask-by-number',
}

/** Returns the next step after a code. Returns undefined for a code that only a newer gateway has. */
export function nextStepOf(code: string): NextStep | undefined {
  return isKnown(code) ? nextSteps[code] : undefined
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(nextSteps, code)
}

export type ErrorDetails = {
  readonly next: NextStep
  readonly code?: string | undefined
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly tradeNo?: string | undefined
  readonly cause?: unknown
}

export class TollgateError extends Error {
  override readonly name = 'TollgateError'
  readonly next: NextStep
  /** The gateway's code. Undefined if the gateway did not answer. */
  readonly code: ErrorCode | (string & {}) | undefined
  /** The HTTP status. Undefined if there was no response. */
  readonly status: number | undefined
  /** The id by which the gateway's operator can find the request. */
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined
  /** The gateway's number of the first order, if a payment was sent twice with the same fields. */
  readonly tradeNo: string | undefined
  /** The payment or payout that was sent. Undefined for other requests. */
  readonly order: Order | undefined

  constructor(
    message: string,
    { next, code, status, requestId, retryAfterMs, tradeNo, cause }: ErrorDetails,
    order?: Order,
  ) {
    super(message, { cause })
    this.next = next
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
    this.tradeNo = tradeNo
    this.order = order
  }
}
