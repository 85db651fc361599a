// Approves or rejects a refund that waits for an operator's approval. The money was taken at acceptance. After an
// approval the worker calls the channel. A rejection gives the money back.
//
// Days may have passed since acceptance. Therefore approval repeats the checks of acceptance on the merchant, the
// channel, the order's state and the part of the payment that is left. The funds are not checked again, because they
// have been in flight since acceptance. The lock on the order serialises approvals and chargebacks. A refund that can
// no longer be approved stays in state `waiting` until an operator rejects it. The worker does not claim refunds in
// this state.

import { assert, OperatorRefusal, Refusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { isMethod } from '../../rails/methods/methods.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { type Approver, checkApprover } from '../approvals/may-approve.ts'
import { type Merchant, mayDo } from '../merchants/merchant.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import { type PaidOrder, State } from '../orders/order.ts'
import { findByNumber } from './find-refund.ts'
import { type RefundReport, recordRefunds } from './record-refunds.ts'
import { type Refund, refusalOf } from './refund.ts'
import { lockRefunds, writeRefunds } from './sql.ts'

export type ApproveRefundDeps = {
  readonly db: Db
  findMerchant(merNo: number): Promise<Pick<Merchant, 'state'> | undefined>
  /**
   * The channels. Undefined at the command line of a gateway that runs its own sandbox, because only the gateway knows
   * the channels of its sandbox. In that case approval does not check whether the channel supports refunds: a channel
   * without refunds declines the call, and the refund fails.
   */
  readonly channels: Pick<Channels, 'named'> | undefined
}

export type RefundDecider = { readonly by: Approver; readonly at: Date }

/** Approves the refund. The refund is due at once, and the next worker that polls claims it. */
export async function approveRefund(
  deps: ApproveRefundDeps,
  refundNo: string,
  { by, at }: RefundDecider,
): Promise<void> {
  const { merNo, tradeNo } = await findWaiting(deps.db, refundNo)
  const merchant = await deps.findMerchant(merNo)
  await deps.db.transaction(async (tx) => {
    const order = (await lockPaidOrders(tx, [{ merNo, tradeNo }])).get(tradeNo)
    const refund = (await lockRefunds(tx, [{ merNo, refundNo }])).get(refundNo)
    assert(
      order !== undefined && refund !== undefined,
      'a refund that was found stays, and so does its order',
    )
    if (refund.state !== 'waiting') throw notWaiting(refund)
    checkApprover({ ...refund, kind: 'refund', id: refundNo }, by, true)
    const problem = merchant && mayDo(merchant.state, 'refund') ? problemOf(deps, refund, order) : NOT_ACTIVE
    if (problem !== undefined) throw new OperatorRefusal(`refund ${refundNo} cannot be approved: ${problem}`)
    const message = 'Approved; waiting for the channel'
    await writeRefunds(tx, [
      {
        refund,
        state: 'calling',
        message,
        channelRef: undefined,
        cameBack: undefined,
        askAt: at,
        decided: false,
        at,
      },
    ])
  })
}

const NOT_ACTIVE = new Refusal('10005').message

/** Returns the reason why the refund cannot be approved. The checks run in the same order as those of acceptance. */
function problemOf(deps: ApproveRefundDeps, refund: Refund, order: PaidOrder): string | undefined {
  const { amount } = refund.money
  const { position } = order.paid
  const left = position.amount - position.refunded + amount
  const refusal = refusalOf({ refundable: isRefundable(deps, refund, order), order, amount, left })
  if (refusal?.code !== '10102') return refusal?.message
  return order.state === State.disputed
    ? 'a chargeback of its order is open. Wait for its end, or reject the refund'
    : 'the chargeback of its order was lost, so the payer has the money. Reject the refund'
}

function isRefundable({ channels }: ApproveRefundDeps, { payment }: Refund, { method }: PaidOrder): boolean {
  if (channels === undefined) return true
  const channel = channels.named(payment.channel, isMethod(method) ? method : undefined)
  return channel?.traits.refundable === true
}

/** Rejects the refund and gives the money back. Queries and notifications show the reason to the merchant. */
export async function rejectRefund(
  db: Db,
  refundNo: string,
  { reason, by, at }: RefundDecider & { readonly reason: string },
): Promise<void> {
  const found = await findWaiting(db, refundNo)
  checkApprover({ ...found, kind: 'refund', id: refundNo }, by, false)
  const { merNo, tradeNo } = found
  const message = reason === '' ? NOT_APPROVED : `${NOT_APPROVED}: ${reason}`
  const outcome = { kind: 'failed', cause: 'refused', message } as const
  const report: RefundReport = { merNo, refundNo, tradeNo, outcome, ifState: 'waiting', at }
  for (const { refund } of await recordRefunds(db, [report]))
    if (refund.state !== 'waiting') throw notWaiting(refund)
}

const NOT_APPROVED = 'The refund was not approved'

async function findWaiting(db: Db, refundNo: string): Promise<Refund> {
  const refund = await findByNumber(db, refundNo)
  if (refund === undefined) throw new OperatorRefusal(`there is no refund ${refundNo}`)
  if (refund.state !== 'waiting') throw notWaiting(refund)
  return refund
}

function notWaiting({ refundNo, state }: Refund): OperatorRefusal {
  return new OperatorRefusal(`refund ${refundNo} is ${state}: only one that is waiting can be decided`)
}
