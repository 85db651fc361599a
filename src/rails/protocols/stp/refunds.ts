// A refund is a new order to the account that paid. The outcome of a refund that failed or was returned is recorded. A
// failed or returned refund does not reduce the amount that is left to refund, and is never sent again.
// STP's own operation for returning a deposit (retornaOrden) is not used: public clients disagree on its signed text.
import type { Failed, RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { isClabe } from '../../toolkit/formats/clabe.ts'
import { failed, unknown } from '../../toolkit/outcomes.ts'
import { readMoney } from '../../toolkit/records/money.ts'
import { choosePayer, type Refunded } from '../../toolkit/refunds.ts'
import type { Orders } from './orders.ts'
import type { Payments, SpeiDeposit } from './payments.ts'

export type StpRefunds = {
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>
  /** Returns the outcome of the refund from the outcome of its order. Records a failure or a return. */
  end(refundReference: string, outcome: PayoutOutcome): Promise<RefundOutcome>
}

const [REFUND, ENDED] = ['refund', 'ended']

type RefundParts = {
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
    // The amount of a recorded refund is not checked again: the refund may have been sent, and sending is idempotent.
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
    if (payer === undefined) return failed('declined', "STP did not report the payer's account")
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
    return record.body.kind === 'returned'
      ? { kind: 'returned', message, money: undefined }
      : failed('declined', message)
  }

  /** Chooses the deposit to refund. Deposits that STP sent back are not refunded. */
  async function payerFor(request: RefundRequest): Promise<SpeiDeposit | Failed> {
    const { reference, refund: money } = request
    return choosePayer(money, await payments.depositsOf(reference), await otherRefunds(request), isClabe)
  }

  /**
   * Returns the deposit in the refund's record, so that every call pays to the same account. If the record names no
   * deposit, as in earlier versions, `payerOf` chooses one.
   */
  async function recordedPayer({ reference, refundReference, refund: money }: RefundRequest) {
    const deposits = await payments.countedOf(reference)
    const { depositRef } = (await store.find({ kind: REFUND, key: refundReference }))?.body ?? {}
    return depositRef === undefined
      ? payerOf(deposits, money.amount)
      : deposits.find((one) => one.depositRef === depositRef)
  }

  /**
   * Lists the other refunds of the payment. Failed and returned refunds, and refunds of deposits that STP sent back,
   * are left out.
   */
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
      if (counts) refunds.push({ amount: readMoney(body)?.amount ?? 0n, depositRef })
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
      // Other failures mean that STP did not accept the order. The next call sends it again under the same reference.
      return isFinal ? failed('declined', outcome.message) : unknown(outcome.message)
    }
    default:
      return outcome
  }
}

/** Returns the first deposit with a CLABE that is large enough for the refund, else the first one with a CLABE. */
function payerOf(deposits: readonly SpeiDeposit[], amount: bigint): SpeiDeposit | undefined {
  const known = deposits.filter(({ payerAccount = '' }) => isClabe(payerAccount))
  return known.find(({ money }) => money.amount >= amount) ?? known[0]
}
