// Where an order stands in its payer's eyes. The page and the live status are made from the same: a page is old exactly when
// this is another.
import type { PayerAction } from '../channels/contract.ts'
import type { FoundPayment } from '../order-queries/find-payment.ts'
import { State, type StateNumber } from '../orders/states.ts'
import { maySwitch } from '../payments/cancel-payment.ts'
import { CANCELLED, EXPIRED } from '../payments/decide-outcome.ts'
import type { CheckoutStatus, CheckoutView } from './view.ts'

export type Course = Pick<
  CheckoutView,
  'status' | 'message' | 'attempts' | 'action' | 'expiresAt' | 'received' | 'maySwitch' | 'mayCancel'
>

export function courseOf(payment: FoundPayment, now: Date): Course {
  const { attempts, attempt, hosted, expiresAt, money } = payment
  const status = statusOf(payment, now)
  const isWaiting = status === 'awaiting-payer'
  const came = isWaiting ? (payment.received ?? 0n) : 0n
  // What was sent in part, or is being confirmed, would be left behind.
  const mayLeave = came === 0n && !isConfirming(attempt?.action)
  return {
    status,
    message: messageOf(payment, status),
    attempts,
    action: isWaiting ? attempt?.action : undefined,
    expiresAt,
    received: came > 0n && came < money.amount ? { amount: came, currency: money.currency } : undefined,
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
  // Its money is looked at.
  [State.informationAsked]: 'processing',
  [State.inReview]: 'processing',
}

/** What becomes of a paid order later, refunds and disputes, is between the payer and the shop. */
function statusOf(payment: FoundPayment, now: Date): CheckoutStatus {
  if (payment.state === State.processing) return openStatus(payment, now)
  if (payment.state === State.cancelled) return payment.message === EXPIRED ? 'expired' : 'cancelled'
  return decided[payment.state] ?? 'succeeded'
}

/** An order whose time on our page is over is about to be closed: nothing can be begun any more. */
function openStatus({ attempt, hosted }: FoundPayment, now: Date): CheckoutStatus {
  if (attempt?.state === 'pending') return 'awaiting-payer'
  const isFree = attempt === undefined || attempt.state === 'failed'
  return isFree && hosted !== undefined && hosted.expiresAt > now ? 'choosing' : 'processing'
}

/** Whoever chose another way need not be told that the first one was given up. */
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
