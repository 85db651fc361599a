// Refunds for tests: valid requests, and their outcomes.
import assert from 'node:assert/strict'
import { makeId } from '../src/base/id.ts'
import { openChargeback } from '../src/chargebacks/open-chargeback.ts'
import { resolveChargeback } from '../src/chargebacks/resolve-chargeback.ts'
import type { FeePlan } from '../src/merchants/merchant.ts'
import { planMove } from '../src/orders/change.ts'
import { removeDues } from '../src/orders/dues.ts'
import { lockPaidOrders } from '../src/orders/lock-orders.ts'
import type { NewPayment } from '../src/orders/new-order.ts'
import { settle } from '../src/orders/position.ts'
import { changeOrders } from '../src/orders/write-changes.ts'
import type { Db } from '../src/postgres/db.ts'
import { acceptRefunds } from '../src/refunds/accept-refunds.ts'
import { type RefundReport, recordRefunds } from '../src/refunds/record-refunds.ts'
import type { Acceptance, Application, Refund, RefundTerms } from '../src/refunds/refund.ts'

/** Only dollars have a rate. */
export const dollarsOnly = {
  usdValue: ({ amount, currency }: { amount: bigint; currency: string }) =>
    currency === 'USD' ? amount : undefined,
}

export function refundTerms(changes: Partial<RefundTerms> & { refundFee?: string } = {}): RefundTerms {
  const { refundFee = '0.00', ...rest } = changes
  const plan: FeePlan = {
    feeBps: 0,
    feeFixed: '0.00',
    refundFee,
    chargebackFee: '0.00',
    marginBps: 0,
    marginDays: 180,
    settleDays: 1,
  }
  return { merNo: 0, feePlans: new Map([['', plan]]), refundCredit: 0n, approveRefunds: false, ...rest }
}

type Wanted = Omit<Partial<Application>, 'terms' | 'money'> & {
  readonly amount?: bigint
  readonly terms?: Partial<RefundTerms> & { refundFee?: string }
}

let count = 0

/** A refund of the whole payment with a merRefundNo, except for the changes. */
export function anApplication(payment: NewPayment, wanted: Wanted = {}): Application {
  const { amount = payment.money.amount, terms, ...changes } = wanted
  const { merNo, tradeNo, merOrderNo, money } = payment
  const at = changes.at ?? new Date()
  return {
    terms: { ...refundTerms(terms), merNo },
    refundNo: makeId('R', merNo, at),
    tradeNo,
    merOrderNo,
    merRefundNo: `back-${process.pid}-${++count}`,
    money: { amount, currency: money.currency },
    remark: '',
    notifyUrl: 'https://shop.example/refunded',
    refundable: true,
    isReplayProof: true,
    at,
    ...changes,
  }
}

export async function accept(db: Db, application: Application): Promise<Refund> {
  const [acceptance] = await acceptRefunds({ db, rates: dollarsOnly }, [application])
  assert.ok(acceptance !== undefined && acceptance.refusal === undefined, acceptance?.refusal?.message ?? '')
  return acceptance.refund
}

/** The refusal codes, or '00000' if accepted. */
export function codesOf(acceptances: readonly Acceptance[]): string[] {
  return acceptances.map(({ refusal }) => refusal?.code ?? '00000')
}

export function succeeded(refund: Refund): RefundReport {
  const { merNo, refundNo, tradeNo, money } = refund
  return {
    merNo,
    refundNo,
    tradeNo,
    outcome: { kind: 'succeeded', money, channelRef: 're_1' },
    at: new Date(),
  }
}

export function failed(refund: Refund): RefundReport {
  return { ...succeeded(refund), outcome: { kind: 'failed', cause: 'declined', message: 'The bank refused' } }
}

export async function record(db: Db, report: RefundReport) {
  const [recorded] = await recordRefunds(db, [report])
  assert.ok(recorded)
  return recorded
}

/** Settles the order, as settlement does on its due day. */
export function settleNow(db: Db, { merNo, tradeNo }: NewPayment): Promise<void> {
  return db.transaction(async (tx) => {
    const order = (await lockPaidOrders(tx, [{ merNo, tradeNo }])).get(tradeNo)
    assert.ok(order)
    const at = new Date()
    await changeOrders(tx, [
      planMove({ order, why: 'by a test', at, moved: settle(order.paid.position, 'settle') }),
    ])
    const text = `select due_at from order_dues where mer_no = $1 and trade_no = $2 and kind = 'settle'`
    const [due] = await tx.query<{ due_at: Date }>({ text, values: [merNo, tradeNo] })
    assert.ok(due)
    const page = { merNo, kind: 'settle', asOf: at, after: undefined, limit: 1 } as const
    await removeDues(tx, page, [{ tradeNo, dueAt: due.due_at }])
  })
}

const withoutFees = async () => ({ feePlans: refundTerms().feePlans, chargebackUrl: '' })

/** Opens a chargeback of the whole payment. */
export async function dispute(db: Db, { tradeNo }: NewPayment): Promise<void> {
  const wanted = { money: undefined, reason: '4853', at: new Date() }
  await openChargeback({ db, findMerchant: withoutFees }, tradeNo, wanted)
}

export async function loseDispute(db: Db, { tradeNo }: NewPayment): Promise<void> {
  await resolveChargeback({ db, findMerchant: withoutFees }, tradeNo, { outcome: 'lost', at: new Date() })
}
