// A refund as the caller knows it.
import type { RefundAnswer, RefundFields, RefundQueryAnswer } from './generated.ts'
import type { CallOptions, ResolveOptions } from './known-order.ts'
import { askUntil } from './resolve.ts'
import { type Settings, send } from './send.ts'

export type RefundStatus = 'pending' | 'failed' | 'succeeded'

export type Refund = {
  readonly status: RefundStatus
  readonly refundNo: string
  readonly message: string
  readonly answer: RefundAnswer | RefundQueryAnswer
  /** Polls until the refund is decided or the time is over. */
  resolve(options?: ResolveOptions): Promise<Refund>
}

const byState = { 4: 'pending', 5: 'failed', 6: 'succeeded' } as const

/**
 * Sends a refund. If no answer comes, a refund with a `merRefundNo` is sent again, because the gateway accepts a number
 * only once.
 */
export async function sendRefund(
  settings: Settings,
  fields: RefundFields,
  options: CallOptions,
): Promise<Refund> {
  const isRepeatable = (fields.merRefundNo ?? '') !== ''
  const answer = await send<RefundAnswer>(settings, { path: '/refund/apply', fields, isRepeatable }, options)
  return refundOf(settings, { status: 'pending', refundNo: answer.refundNo, message: '', answer })
}

export type RefundNumbers = { readonly merOrderNo: string; readonly tradeNo?: string | undefined } & (
  | { readonly refundNo: string }
  | { readonly merRefundNo: string }
)

export async function queryRefund(
  settings: Settings,
  numbers: RefundNumbers,
  options: CallOptions,
): Promise<Refund> {
  const fields = { ...numbers, queryType: 'refund' }
  const outgoing = { path: '/order/query', fields, isRepeatable: true } as const
  const answer = await send<RefundQueryAnswer>(settings, outgoing, options)
  const { refundNo, message, state } = answer
  return refundOf(settings, { status: byState[state], refundNo, message, answer })
}

function refundOf(settings: Settings, known: Omit<Refund, 'resolve'>): Refund {
  const { refundNo } = known
  const { merOrderNo, tradeNo } = known.answer
  const ask = (call: CallOptions) => queryRefund(settings, { merOrderNo, tradeNo, refundNo }, call)
  return { ...known, resolve: (options = {}) => askUntil(ask, ({ status }) => status !== 'pending', options) }
}
