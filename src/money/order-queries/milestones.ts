// Owns order_milestones. Every hundredth of a merchant's payments, oldest first, is a milestone. A milestone stores its
// place: the number of payments up to and including this payment. Milestones are the starting points of short index
// scans that find places and pages, however many orders there are.
//
// A place does not change: no order is deleted, the creation time of an order is fixed, and milestones are added only
// where no new order is expected. If an order appears there nevertheless, `dropWrongMilestones` deletes the merchant's
// milestones. Milestones are added in the background. If milestones are missing, a reader counts on from the last
// milestone, so its result is still exact.
//
// Any number of nodes may add milestones. Each node continues from the last stored milestone, so two nodes compute the
// same milestones, and a milestone is stored only once.

import { isTransientFailure } from '../../platform/concurrency/isolate-failures.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { cellsText } from './sum-totals.ts'

const SPACING = 100
/** The number of payments that one statement reads, which takes some milliseconds. */
const AT_ONCE = 100 * SPACING

/** Adds the missing milestones of payments created before `before`, merchant by merchant, in short statements. */
export async function addMilestones(
  db: Queryable,
  before: Date,
  { atOnce = AT_ONCE, failed = rethrow }: { readonly atOnce?: number; readonly failed?: Failed } = {},
): Promise<void> {
  for (let merNo = 0n; ; ) {
    try {
      const values = [merNo, before, atOnce]
      const [step] = await db.query<Step>({ name: 'milestones.lay', text: layText, values })
      if (step === undefined) return
      merNo = Number(step.seen) === atOnce ? step.merNo : step.merNo + 1n
    } catch (error) {
      if (isTransientFailure(error)) throw error
      const [at] = await db.query<{ merNo: bigint }>({ text: nextShopText, values: [merNo] })
      if (at === undefined) throw error
      failed(at.merNo, error)
      merNo = at.merNo + 1n
    }
  }
}

/** Handles a merchant whose milestones could not be added or checked. The work continues with the next merchant. */
export type Failed = (merNo: bigint, error: unknown) => void

const rethrow: Failed = (_merNo, error) => {
  throw error
}

const nextShopText = `
  select mer_no as "merNo" from orders where kind = 'payment' and mer_no >= $1 order by mer_no limit 1`

type Step = { readonly merNo: bigint; readonly seen: bigint }

// Adds milestones for one merchant: the merchant with the lowest number from $1 on that has payments.
const layText = `
  with merchant as (
    select mer_no from orders where kind = 'payment' and mer_no >= $1 order by mer_no limit 1
  ), last as (
    select m.place, m.created_at, m.trade_no from merchant cross join lateral (
      select place, created_at, trade_no from order_milestones
      where mer_no = merchant.mer_no order by place desc limit 1) m
  ), next as (
    select created_at, trade_no from orders
    where mer_no = (select mer_no from merchant) and kind = 'payment' and created_at < $2
      and (created_at, trade_no) > (
        coalesce((select created_at from last), '-infinity'), coalesce((select trade_no from last), ''))
    order by created_at, trade_no limit $3
  ), laid as (
    insert into order_milestones (mer_no, place, created_at, trade_no)
    select (select mer_no from merchant), coalesce((select place from last), 0) + nth, created_at, trade_no
    from (select created_at, trade_no, row_number() over (order by created_at, trade_no) as nth from next) numbered
    where nth % ${SPACING} = 0
    on conflict do nothing
  )
  select mer_no as "merNo", (select count(*) from next) as seen from merchant`

/**
 * Deletes the milestones of every merchant whose number of payments, counted from the last milestone on, differs from
 * the daily totals. Returns these merchants. Milestones become wrong if an order appears before the last milestone, for
 * example because a process was suspended between creating and writing the order. The worker adds deleted milestones
 * again.
 */
export async function dropWrongMilestones(db: Queryable, failed: Failed = rethrow): Promise<bigint[]> {
  const wrong: bigint[] = []
  for (let merNo = 0n; ; merNo++) {
    const [next] = await db.query<{ merNo: bigint }>({ text: nextText, values: [merNo] })
    if (next === undefined) return wrong
    merNo = next.merNo
    try {
      const values = [merNo, '-infinity', 'infinity']
      const dropped = await db.query({ name: 'milestones.drop-wrong', text: dropWrongText, values })
      if (dropped.length > 0) wrong.push(merNo)
    } catch (error) {
      if (isTransientFailure(error)) throw error
      failed(merNo, error)
    }
  }
}

const nextText = 'select mer_no as "merNo" from order_milestones where mer_no >= $1 order by mer_no limit 1'

const dropWrongText = `
  delete from order_milestones where mer_no = $1 and (
    select m.place + (
      select count(*) from orders
      where mer_no = $1 and kind = 'payment' and (created_at, trade_no) > (m.created_at, m.trade_no))
    from order_milestones m where mer_no = $1 order by place desc limit 1
  ) <> (
    select sum(orders) from (${cellsText}) as cells
  )
  returning place`

/**
 * Deletes all milestones. The worker adds them again. The lock waits for nodes that are adding milestones. Without the
 * lock, such a node would add milestones after the deletion, with a gap before them. Readers do not wait for the lock.
 */
export async function emptyMilestones(tx: Tx): Promise<void> {
  await tx.query({ text: 'lock table order_milestones in share row exclusive mode' })
  await tx.query({ text: 'delete from order_milestones' })
}
