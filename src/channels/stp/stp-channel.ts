// SPEI payments by STP. Every order has its own CLABE, so a transfer needs no reference. STP knows nothing of an order until
// money comes: what it reports is in the records, and `ask` answers from them.
import type {
  AttemptRef,
  Channel,
  Failed,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type { PayoutOutcome } from '../payout/contract.ts'
import { isClabe } from '../spei/clabe.ts'
import { spei } from '../spei/method.ts'
import type { ChannelStore } from '../store.ts'
import type { Orders } from './orders.ts'
import { moneyIn, type Payments, type SpeiDeposit, sumOf } from './payments.ts'

export type StpChannelOptions = {
  readonly name: string
  readonly payments: Payments
  readonly orders: Orders
  readonly store: ChannelStore
  readonly readCallback: NonNullable<Channel['readCallback']>
  readonly timeoutMs: number
}

/** The most that an order's amount can be. */
const MOST = 99_999_999_999n
const [REFUND, ENDED] = ['refund', 'ended']

export function createStpChannel(options: StpChannelOptions): Channel {
  const { name, payments, orders, store, readCallback, timeoutMs } = options

  async function start(request: StartRequest): Promise<Outcome> {
    const { reference, money } = request
    if (money.currency !== 'MXN' || money.amount > MOST) return refused
    if ((await payments.clabe(reference)) === undefined) return refused
    await payments.add(reference, { money, isCancelled: false })
    return ask(request)
  }

  async function ask(request: AttemptRef): Promise<Outcome> {
    const payment = await payments.find(request.reference)
    return payment === undefined ? cancel(request) : payments.outcomeOf(request.reference, payment)
  }

  /** A payment that is paid stays open: it is reported as such. */
  async function cancel({ reference, money }: AttemptRef): Promise<Outcome> {
    await payments.add(reference, { money, isCancelled: true })
    const payment = await payments.find(reference)
    if (payment === undefined) return { kind: 'unknown', why: 'the payment has no record' }
    const isPaid = sumOf(await payments.depositsOf(reference)) >= payment.money.amount
    if (payment.isCancelled || isPaid) return payments.outcomeOf(reference, payment)
    await payments.put(reference, { ...payment, isCancelled: true })
    return payments.outcomeOf(reference, { ...payment, isCancelled: true })
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const { reference, refundReference, refund: money } = request
    const key = { kind: REFUND, key: refundReference }
    const deposits = await payments.depositsOf(reference)
    // One that is recorded may have been sent, whatever others came after it.
    if ((await store.find(key)) === undefined) {
      const left = sumOf(deposits) - (await otherRefunds(request))
      if (money.currency !== 'MXN' || money.amount > left)
        return declined('More than the payer sent and was not refunded yet')
    }
    const payer = payerOf(deposits, money.amount)
    if (payer === undefined) return declined("STP did not report the payer's account")
    const body = { amount: money.amount.toString(), currency: money.currency }
    await store.write([{ add: { ...key, reference, body } }])
    const { payerAccount: clabe = '', payerName = '', bank } = payer
    const transfer = {
      reference: refundReference,
      purpose: 'refund',
      money,
      clabe,
      bank,
      name: payerName,
    } as const
    const outcome = await orders.send(transfer, signal)
    const isEnded = (outcome.kind === 'failed' && isFinal(outcome.cause)) || outcome.kind === 'returned'
    if (isEnded)
      await store.write([
        { add: { kind: ENDED, key: refundReference, reference: refundReference, body: {} } },
      ])
    return toRefund(outcome)
  }

  /** What other refunds have sent, or are about to send. */
  async function otherRefunds({ reference, refundReference }: RefundRequest): Promise<bigint> {
    let sum = 0n
    for (const { key, body } of await store.listOf(REFUND, reference)) {
      const counts = key !== refundReference && (await store.find({ kind: ENDED, key })) === undefined
      sum += counts ? (moneyIn(body)?.amount ?? 0n) : 0n
    }
    return sum
  }

  return {
    name,
    method: 'spei',
    traits: { ...spei, timeoutMs },
    start,
    /** The browser proves nothing. */
    complete: ask,
    ask,
    cancel,
    refund: (request) => withDeadline(timeoutMs, (signal) => refund(request, signal)),
    readCallback,
  }
}

function isFinal(cause: string): boolean {
  return cause === 'declined' || cause === 'refused'
}

export function toRefund(outcome: PayoutOutcome): RefundOutcome {
  switch (outcome.kind) {
    case 'succeeded':
      return { kind: 'succeeded', money: outcome.money, channelRef: outcome.railRef }
    case 'processing':
      return { kind: 'pending', channelRef: outcome.railRef }
    case 'failed':
      // Without an answer the next call sends it again under the same reference.
      return isFinal(outcome.cause) ? declined(outcome.message) : { kind: 'unknown', why: outcome.message }
    default:
      return outcome
  }
}

/** The account of a transfer that covers the refund, or of the first one. */
function payerOf(deposits: readonly SpeiDeposit[], amount: bigint): SpeiDeposit | undefined {
  const known = deposits.filter(({ payerAccount = '' }) => isClabe(payerAccount))
  return known.find(({ money }) => money.amount >= amount) ?? known[0]
}

const refused: Failed = {
  kind: 'failed',
  cause: 'refused',
  message: 'The SPEI channel cannot take this amount',
}

function declined(message: string): Failed {
  return { kind: 'failed', cause: 'declined', message }
}
