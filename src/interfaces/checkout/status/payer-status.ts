// The status of an order as its payer sees it. The page and the live status both derive from it, so a page is outdated
// exactly when this status has changed.
import type { PayerAction } from '../../channels/contract.ts'
import type { FoundPayment } from '../../order-queries/find-payment.ts'
import { State, type StateNumber } from '../../orders/order.ts'
import { maySwitch } from '../../payments/cancel-payment.ts'
import { CANCELLED, EXPIRED } from '../../payments/decide-outcome.ts'
import type { CheckoutStatus, CheckoutView } from '../view.ts'

export type PayerStatus = Pick<
  CheckoutView,
  'status' | 'message' | 'attempts' | 'action' | 'expiresAt' | 'received' | 'maySwitch' | 'mayCancel'
>

export function payerStatusOf(payment: FoundPayment, now: Date): PayerStatus {
  const { attempts, attempt, hosted, expiresAt, money } = payment
  const status = statusOf(payment, now)
  const isWaiting = status === 'awaiting-payer'
  const received = isWaiting ? (payment.received ?? 0n) : 0n
  // Money that arrived in part, or a transfer that is being confirmed, would be lost to the order.
  const mayLeave = received === 0n && !isConfirming(attempt?.action)
  return {
    status,
    message: messageOf(payment, status),
    attempts,
    action: isWaiting ? attempt?.action : undefined,
    expiresAt,
    received:
      received > 0n && received < money.amount ? { amount: received, currency: money.currency } : undefined,
    maySwitch:
      isWaiting && mayLeave && hosted !== undefined && hosted.method === undefined && maySwitch(payment),
    mayCancel: status === 'choosing' || (isWaiting && mayLeave),
  }
}

function isConfirming(action: PayerAction | undefined): boolean {
  return action?.kind === 'crypto' && action.confirmations !== undefined
}

const decided: Readonly<Partial<Record<StateNumber, CheckoutStatus>>> = {
  [State.failed]: 'failed',
  // Its money is in review.
  [State.informationAsked]: 'processing',
  [State.inReview]: 'processing',
}

/** Later refunds and chargebacks do not change what the payer sees: a paid order stays paid. */
function statusOf(payment: FoundPayment, now: Date): CheckoutStatus {
  if (payment.state === State.processing) return openStatus(payment, now)
  if (payment.state === State.cancelled) return payment.message === EXPIRED ? 'expired' : 'cancelled'
  return decided[payment.state] ?? 'succeeded'
}

/** An order that has expired on our page is about to be closed: no attempt can start any more. */
function openStatus({ attempt, hosted }: FoundPayment, now: Date): CheckoutStatus {
  if (attempt?.state === 'pending') return 'awaiting-payer'
  const isFree = attempt === undefined || attempt.state === 'failed'
  return isFree && hosted !== undefined && hosted.expiresAt > now ? 'choosing' : 'processing'
}

/** A payer who switched methods need not read that the first attempt was cancelled. */
function messageOf({ attempt, message }: FoundPayment, status: CheckoutStatus): string {
  if (status === 'choosing')
    return attempt === undefined || attempt.message === CANCELLED ? '' : attempt.message
  return status === 'failed' ? message : ''
}

const payCodes = {
  succeeded: '0',
  failed: '1',
  cancelled: '1',
  expired: '1',
  choosing: '2',
  'awaiting-payer': '2',
  processing: '2',
} as const satisfies Record<CheckoutStatus, string>

export function payCodeOf(status: CheckoutStatus): '0' | '1' | '2' {
  return payCodes[status]
}
