// The operator's decision on a refund that waits for approval. The money was taken at acceptance: approval hands it to the
// channel, rejection gives it back.

import { assert, OperatorRefusal } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import { findByNumber } from './find-refund.ts'
import { type RefundReport, recordRefunds } from './record-refunds.ts'
import type { Refund } from './refund.ts'
import { lockRefunds, writeRefunds } from './sql.ts'

/** Due immediately: any worker claims it next. */
export async function approveRefund(db: Db, refundNo: string, at: Date): Promise<void> {
  const { merNo } = await findWaiting(db, refundNo)
  await db.transaction(async (tx) => {
    const refund = (await lockRefunds(tx, [{ merNo, refundNo }])).get(refundNo)
    assert(refund !== undefined, 'a refund that was found stays')
    if (refund.state !== 'waiting') throw notWaiting(refund)
    const message = 'Approved; waiting for the channel'
    const change = { refund, message, channelRef: undefined, askAt: at, decided: false, at }
    await writeRefunds(tx, [{ ...change, state: 'calling' }])
  })
}

/** The merchant reads the reason in the query and the notification. */
export async function rejectRefund(db: Db, refundNo: string, reason: string, at: Date): Promise<void> {
  const { merNo, tradeNo } = await findWaiting(db, refundNo)
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
