// The first step of a payment: its order is stored and committed before a channel is called. Payments that wait at the
// same moment share one batch and one commit. A batch counts its payments against their limits, and inserts the orders
// with everything that belongs to them.
//
// A batch is first written in one pipeline. In rare cases the pipeline fails: a limit would be exceeded, a limit's
// period has no row yet, or an order number is already used. The orders are then checked one by one under locks. See
// docs/decisions/0125-both-steps-in-one-pipeline.md.

import type { Refusal } from '../../platform/errors/catalogue.ts'
import { type Batcher, type BatchOptions, createBatcher } from '../../platform/postgres/batch.ts'
import { type Db, isPreconditionFailed, type Statement, type Tx } from '../../platform/postgres/db.ts'
import { acceptOrders } from '../orders/accept-orders.ts'
import { sumUsage, takeWithin } from '../orders/limit-usage.ts'
import {
  insertDetails,
  insertFreePayments,
  insertPayments,
  isHosted,
  isOrderTaken,
  type NewPayment,
} from '../orders/new-order.ts'
import { storeVerdicts } from '../risk/hits.ts'
import { insertHosted } from './hosted/sql.ts'

export type Accepted = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly refusal: Refusal }

const ACCEPTED: Accepted = { kind: 'accepted' }

type AcceptBatch = Batcher<NewPayment, Accepted>

export type AcceptDeps = { readonly acceptBatch: AcceptBatch }

/** Puts one payment into the next batch. The promise is fulfilled when that batch is committed. */
export function acceptPayment({ acceptBatch }: AcceptDeps, payment: NewPayment): Promise<Accepted> {
  return acceptBatch.submit(payment)
}

/** The size and the interval of the batches that accept payments, and of the batches that record outcomes. */
export const BATCH = {
  // Larger batches gain little, hold row locks for longer, and leave the process idle while the database works.
  maxBatch: 96,
  enough: 24,
  // A longer interval makes fewer batches. Each batch has a fixed cost of over a millisecond in the gateway and in
  // PostgreSQL. At half load, these fixed costs are a third of all work.
  everyMs: 8,
}

export function openAcceptBatch(
  db: Db,
  options: Pick<BatchOptions<NewPayment, Accepted>, 'maxQueue' | 'observe'>,
): AcceptBatch {
  return createBatcher({ ...BATCH, ...options, flush: (payments) => acceptPayments(db, payments) })
}

export async function acceptPayments(db: Db, payments: readonly NewPayment[]): Promise<Accepted[]> {
  if (await acceptAll(db, payments)) return payments.map(() => ACCEPTED)
  return db.transaction((tx) => acceptUnderLocks(tx, payments))
}

/**
 * Accepts or refuses each payment. Locks that the transaction already holds must precede usage rows in the lock order.
 */
export async function acceptUnderLocks(tx: Tx, payments: readonly NewPayment[]): Promise<Accepted[]> {
  const refused = await acceptOrders(tx, payments, { insert: (fitting) => insertFree(tx, fitting) })
  return payments.map((payment) => {
    const refusal = refused.get(payment)
    return refusal === undefined ? ACCEPTED : { kind: 'refused', refusal }
  })
}

/** Accepts all payments and returns true. If a payment cannot be accepted, writes nothing and returns false. */
async function acceptAll(db: Db, payments: readonly NewPayment[]): Promise<boolean> {
  const usages = sumUsage(payments)
  const taking = usages.length === 0 ? [] : [takeWithin(usages)]
  try {
    await db.atOnce([...taking, insertPayments(payments), ...restOf(payments)], { byKey: true })
    return true
  } catch (error) {
    if (isPreconditionFailed(error) || isOrderTaken(error)) return false
    throw error
  }
}

async function insertFree(tx: Tx, payments: readonly NewPayment[]): Promise<Set<string>> {
  const inserted = await insertFreePayments(tx, payments)
  const accepted = payments.filter(({ tradeNo }) => inserted.has(tradeNo))
  await Promise.all(restOf(accepted).map((statement) => tx.query(statement)))
  return inserted
}

function restOf(payments: readonly NewPayment[]): Statement[] {
  if (payments.length === 0) return []
  const hosted = payments.filter(isHosted)
  const statements = [insertDetails(payments)]
  if (hosted.length > 0) statements.push(insertHosted(hosted))
  const checked = payments.flatMap(({ merNo, tradeNo, createdAt: at, verdict }) =>
    verdict === undefined ? [] : [{ merNo, tradeNo, attemptNo: 1, at, verdict }],
  )
  return [...statements, ...storeVerdicts(checked)]
}
