// Accepts payment orders, many in one transaction: takes their limits and inserts the orders with their first attempts, their
// details, and their hosted orders.
//
// Nearly always the whole batch fits: it is written in one pipeline, whose statements fail if a limit would be exceeded or an
// order number is used. Only then is each order checked, under locks.

import type { Refusal } from '../errors/catalogue.ts'
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
import { type Db, isPreconditionFailed, type Statement, type Tx } from '../postgres/db.ts'
import type { Verdict } from '../risk/evaluate.ts'
import { storeVerdicts } from '../risk/store-verdicts.ts'
import { insertHosted } from './hosted/sql.ts'

export type Accepted = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly refusal: Refusal }

const ACCEPTED: Accepted = { kind: 'accepted' }

export async function acceptPayments(db: Db, payments: readonly NewPayment[]): Promise<Accepted[]> {
  if (await acceptAll(db, payments)) return payments.map(() => ACCEPTED)
  return db.transaction((tx) => acceptUnderLocks(tx, payments))
}

/** In the caller's transaction, which may hold locks that come before those of limits. Each payment is accepted or refused. */
export async function acceptUnderLocks(tx: Tx, payments: readonly NewPayment[]): Promise<Accepted[]> {
  const refused = await acceptOrders(tx, payments, { insert: (fitting) => insertFree(tx, fitting) })
  return payments.map((payment) => {
    const refusal = refused.get(payment)
    return refusal === undefined ? ACCEPTED : { kind: 'refused', refusal }
  })
}

/** False if not all of them can be accepted; then nothing was written. */
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
  const checked = payments.filter(isChecked)
  if (checked.length > 0) statements.push(...storeVerdicts(checked.map(toCheckedAttempt)))
  return statements
}

type Checked = NewPayment & { readonly verdict: Verdict }

function isChecked(payment: NewPayment): payment is Checked {
  return payment.verdict !== undefined
}

function toCheckedAttempt({ merNo, tradeNo, createdAt: at, verdict }: Checked) {
  return { merNo, tradeNo, attemptNo: 1, at, verdict }
}
