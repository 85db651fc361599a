// Refunds for tests: valid requests, and their outcomes.
import assert from 'node:assert/strict'
import { openChargeback } from '../../src/money/chargebacks/open-chargeback.ts'
import { resolveChargeback } from '../../src/money/chargebacks/resolve-chargeback.ts'
import { defaultPlan } from '../../src/money/merchants/terms.ts'
import { planMove } from '../../src/money/orders/change.ts'
import { removeDues } from '../../src/money/orders/dues.ts'
import { lockPaidOrders } from '../../src/money/orders/lock-orders.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import { settle } from '../../src/money/orders/position.ts'
import { changeOrders } from '../../src/money/orders/write-changes.ts'
import { acceptRefunds } from '../../src/money/refunds/accept-refunds.ts'
import type { ApplyTerms } from '../../src/money/refunds/apply-refund.ts'
import {
  type ApproveRefundDeps,
  approveRefund,
  type RefundDecider,
  rejectRefund,
} from '../../src/money/refunds/approve-refund.ts'
import { type RefundReport, recordRefunds } from '../../src/money/refunds/record-refunds.ts'
import type { Acceptance, Application, Refund, RefundTerms } from '../../src/money/refunds/refund.ts'
import { makeId } from '../../src/platform/base/id.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { anOperator } from './builders.ts'

/** A currency has a rate only to itself, so only debts in dollars have a value in dollars. */
export const dollarsOnly = {
  find: (from: string, to: string) => (from === to ? { digits: 1n, scale: 0 } : undefined),
}

export function refundTerms(changes: Partial<RefundTerms> & { refundFee?: string } = {}): ApplyTerms {
  const { refundFee = '0.00', ...rest } = changes
  const plan = { ...defaultPlan, refundFee }
  const usual = { merNo: 0, state: 'active', refundCredit: 0n, approveRefunds: false } as const
  return { ...usual, feePlans: new Map([['', plan]]), ...rest }
}

type Wanted = Omit<Partial<Application>, 'terms' | 'money'> & {
  readonly amount?: bigint
  readonly terms?: Partial<RefundTerms> & { refundFee?: string }
}

let count = 0

/** Returns a refund of the whole payment with a merRefundNo, except for the changes. */
export function anApplication(
  payment: Pick<NewPayment, 'merNo' | 'tradeNo' | 'merOrderNo' | 'money'>,
  wanted: Wanted = {},
): Application {
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

/** Approves a refund as an operator. The merchant is active and the channel refunds, except for the changes. */
export function approve(
  db: Db,
  refundNo: string,
  changes: Partial<ApproveRefundDeps & RefundDecider> = {},
): Promise<void> {
  const { by = anOperator(), at = new Date(), ...others } = changes
  const deps = { db, findMerchant: async () => ({ state: 'active' }) as const, channels: undefined }
  return approveRefund({ ...deps, ...others }, refundNo, { by, at })
}

export function reject(db: Db, refundNo: string, reason = '', at = new Date()): Promise<void> {
  return rejectRefund(db, refundNo, { reason, by: anOperator(), at })
}

/** Returns the refusal codes, or '00000' for an accepted refund. */
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
