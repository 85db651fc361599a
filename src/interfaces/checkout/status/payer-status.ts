// The status of an order as its payer sees it. The page and the live status are both made from this status, so they
// never contradict each other.
import type { FoundPayment } from '../../../money/order-queries/find-payment.ts'
import { State, type StateNumber } from '../../../money/orders/order.ts'
import { maySwitch } from '../../../money/payments/cancel-payment.ts'
import { CANCELLED, EXPIRED } from '../../../money/payments/decide-outcome.ts'
import type { PayerAction } from '../../../rails/contract/channel.ts'
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
  // A payer who left after a partial payment, or while a transfer is being confirmed, would lose that money.
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
  [State.informationAsked]: 'processing',
  [State.inReview]: 'processing',
}

/** Returns the payer's status. A paid order stays paid for its payer, even after a refund or chargeback. */
function statusOf(payment: FoundPayment, now: Date): CheckoutStatus {
  if (payment.state === State.processing) return openStatus(payment, now)
  if (payment.state === State.cancelled) return payment.message === EXPIRED ? 'expired' : 'cancelled'
  return decided[payment.state] ?? 'succeeded'
}

/**
 * Returns the status of an open order. No attempt can start after the order has expired. Until a worker closes the
 * order, its status is `processing`.
 */
function openStatus({ attempt, hosted }: FoundPayment, now: Date): CheckoutStatus {
  if (attempt?.state === 'pending') return 'awaiting-payer'
  const isFree = attempt === undefined || attempt.state === 'failed'
  return isFree && hosted !== undefined && hosted.expiresAt > now ? 'choosing' : 'processing'
}

/**
 * Returns the message for the payer. After the payer switched methods, there is no message about the cancelled attempt.
 */
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

// The page version is a short text that changes whenever the page must be rendered again. The page contains the version
// for which it was rendered. The live status sends the current version. If the two versions differ, the page reloads.
// In HTML and JSON the version is called `mark`.

type Versioned = Pick<CheckoutView, 'status' | 'attempts' | 'received' | 'action'>

export function pageVersionOf({ status, attempts, received, action }: Versioned): string {
  const confirmations = action?.kind === 'crypto' ? action.confirmations : undefined
  return [status, attempts, received?.amount ?? '', confirmations ?? ''].join('.')
}
