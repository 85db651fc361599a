// Refunds: new orders to the account that paid. One that is over is recorded with its end, whoever learned of it: it does not
// count against what is left to refund, and is never sent again.
import { choosePayer, type Refunded } from '../choose-payer.ts'
import type { Failed, RefundOutcome, RefundRequest } from '../contract.ts'
import type { PayoutOutcome } from '../payout/contract.ts'
import { isClabe } from '../spei/clabe.ts'
import type { ChannelStore } from '../store.ts'
import type { Orders } from './orders.ts'
import { moneyIn, type Payments, type SpeiDeposit } from './payments.ts'

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
    // One that is recorded may have been sent, whatever others came after it.
    if ((await store.find(key)) === undefined) {
      const chosen = await payerFor(request)
      if ('kind' in chosen) return chosen
      const body = {
        amount: money.amount.toString(),
        currency: money.currency,
        depositRef: chosen.depositRef,
      }
      await store.write([{ add: { ...key, reference, body } }])
    }
    const payer = await recordedPayer(request)
    if (payer === undefined) return declined("STP did not report the payer's account")
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

  /** What STP took back does not count. */
  async function payerFor(request: RefundRequest): Promise<SpeiDeposit | Failed> {
    const { reference, refund: money } = request
    return choosePayer(money, await payments.depositsOf(reference), await otherRefunds(request), isClabe)
  }

  /** The same on every call. Records of earlier versions do not name it. */
  async function recordedPayer({ reference, refundReference, refund: money }: RefundRequest) {
    const deposits = await payments.countedOf(reference)
    const { depositRef } = (await store.find({ kind: REFUND, key: refundReference }))?.body ?? {}
    return depositRef === undefined
      ? payerOf(deposits, money.amount)
      : deposits.find((one) => one.depositRef === depositRef)
  }

  /** What other refunds have sent, or are about to send, of deposits that STP has not taken back. */
  async function otherRefunds({ reference, refundReference }: RefundRequest): Promise<Refunded[]> {
    const counted = await payments.countedOf(reference)
    const held = await payments.depositsOf(reference)
    const isIn = (deposits: readonly SpeiDeposit[], ref: unknown) =>
      deposits.some(({ depositRef }) => depositRef === ref)
    const refunds: Refunded[] = []
    for (const { key, body } of await store.listOf(REFUND, reference)) {
      const { depositRef } = body
      if (isIn(counted, depositRef) && !isIn(held, depositRef)) continue
      const counts = key !== refundReference && (await store.find({ kind: ENDED, key })) === undefined
      if (counts) refunds.push({ amount: moneyIn(body)?.amount ?? 0n, depositRef })
    }
    return refunds
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
