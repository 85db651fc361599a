// Refunds: new orders to the account that paid. One that is over is recorded with its end, whoever learned of it: it does not
// count against what is left to refund, and is never sent again.
import type { Failed, RefundOutcome, RefundRequest } from '../contract.ts'
import type { PayoutOutcome } from '../payout/contract.ts'
import { isClabe } from '../spei/clabe.ts'
import type { ChannelStore } from '../store.ts'
import type { Orders } from './orders.ts'
import { moneyIn, type Payments, type SpeiDeposit, sumOf } from './payments.ts'

export type StpRefunds = {
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>
  /** What an outcome of its order means for the refund. */
  end(refundReference: string, outcome: PayoutOutcome): Promise<RefundOutcome>
}

const [REFUND, ENDED] = ['refund', 'ended']

export type RefundParts = {
  readonly payments: Payments
  readonly orders: Orders
  readonly store: ChannelStore
}

export function createRefunds({ payments, orders, store }: RefundParts): StpRefunds {
  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const { reference, refundReference, refund: money } = request
    const key = { kind: REFUND, key: refundReference }
    const ended = await endOf(refundReference)
    if (ended !== undefined) return ended
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
    const { payerAccount: clabe = '', payerName: name = '', bank } = payer
    const order = { reference: refundReference, purpose: 'refund', money, clabe, bank, name } as const
    return end(refundReference, await orders.send(order, signal))
  }

  async function end(refundReference: string, outcome: PayoutOutcome): Promise<RefundOutcome> {
    const refunded = toRefund(outcome)
    if (refunded.kind === 'failed' || refunded.kind === 'returned') {
      const body = { kind: refunded.kind, message: refunded.message }
      const record = { kind: ENDED, key: refundReference, reference: refundReference, body }
      await store.write([{ add: record }])
    }
    return refunded
  }

  async function endOf(refundReference: string): Promise<RefundOutcome | undefined> {
    const record = await store.find({ kind: ENDED, key: refundReference })
    if (record === undefined) return undefined
    const message = String(record.body.message ?? 'STP did not send the refund')
    return record.body.kind === 'returned' ? { kind: 'returned', message } : declined(message)
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

  return { refund, end }
}

function toRefund(outcome: PayoutOutcome): RefundOutcome {
  switch (outcome.kind) {
    case 'succeeded':
      return { kind: 'succeeded', money: outcome.money, channelRef: outcome.railRef }
    case 'processing':
      return { kind: 'pending', channelRef: outcome.railRef }
    case 'failed': {
      const isFinal = outcome.cause === 'declined' || outcome.cause === 'refused'
      // Without an answer the next call sends it again under the same reference.
      return isFinal ? declined(outcome.message) : { kind: 'unknown', why: outcome.message }
    }
    default:
      return outcome
  }
}

/** The account of a transfer that covers the refund, or of the first one. */
function payerOf(deposits: readonly SpeiDeposit[], amount: bigint): SpeiDeposit | undefined {
  const known = deposits.filter(({ payerAccount = '' }) => isClabe(payerAccount))
  return known.find(({ money }) => money.amount >= amount) ?? known[0]
}

function declined(message: string): Failed {
  return { kind: 'failed', cause: 'declined', message }
}
