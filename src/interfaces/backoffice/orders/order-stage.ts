// Derives the stage of an order, which people see in words, from its state, its refunds and its latest attempt.
import { type AttemptState, State, type StateNumber } from '../../../money/orders/order.ts'
import { EXPIRED } from '../../../money/payments/decide-outcome.ts'
import { type OrderStage, stageOfState } from '../state-words.ts'

type Staged = {
  readonly state: StateNumber
  readonly message: string
  readonly amount: bigint
  readonly received: bigint | null
  readonly refunded: bigint
  /** The latest attempt. `attemptNo`, `attemptState` and `actionKind` are null until the payer chooses how to pay. */
  readonly attemptNo: number | null
  readonly attemptState: AttemptState | null
  /** The kind of step that the payer must take next. */
  readonly actionKind: string | null
}

export function stageOf(order: Staged): OrderStage {
  const { state, refunded, message } = order
  if (state === State.processing) return stageOfOpen(order)
  if (state === State.succeeded && refunded > 0n) return 'partly_refunded'
  if (state === State.cancelled && message === EXPIRED) return 'expired'
  return stageOfState[state] ?? 'processing'
}

function stageOfOpen({ amount, received, attemptNo, attemptState, actionKind }: Staged): OrderStage {
  if (attemptState === 'unknown') return 'unknown'
  if (attemptState === 'calling') return attemptNo === 1 ? 'processing' : 'retrying'
  if (attemptState === 'succeeded') return 'processing'
  if (received !== null && received > 0n && received < amount) return 'partly_paid'
  // An order with a failed attempt is open only while the payer may try again. Therefore this order also waits for the
  // payer.
  return attemptState === 'pending' && actionKind === 'challenge'
    ? 'waiting_for_challenge'
    : 'waiting_for_payer'
}
