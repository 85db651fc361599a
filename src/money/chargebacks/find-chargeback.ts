import { merNoOf } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { type Movement, type MovementPeriod, toMovement } from '../../rails/contract/statement.ts'
import { type AttemptKey, attemptOf, attemptReference } from '../orders/order.ts'
import {
  type BookedChargeback,
  type Chargeback,
  type DisputeState,
  type Evidence,
  evidenceContext,
  isBooked,
} from './chargeback.ts'
import {
  type ChargebackMovementRow,
  type ChargebackPage,
  type DeadlinePage,
  type DueChargeback,
  type ListedChargeback,
  type OpenChargebacks,
  readOpened,
  selectByDeadline,
  selectChargebacks,
  selectEvidence,
  selectFile,
  selectLatest,
  selectMovements,
  selectNextDue,
  selectOfOrder,
  selectOpenCount,
} from './sql.ts'

/** Returns the order's latest chargeback. Inquiries do not count, because they take no money. */
export async function findChargeback(
  db: Queryable,
  merNo: number,
  tradeNo: string,
): Promise<BookedChargeback | undefined> {
  const found = await selectLatest(db, merNo, tradeNo, 'booked')
  return found !== undefined && isBooked(found) ? found : undefined
}

/** Returns the order's latest chargeback or inquiry. */
export function findDispute(db: Queryable, merNo: number, tradeNo: string): Promise<Chargeback | undefined> {
  return selectLatest(db, merNo, tradeNo, 'any')
}

/** Returns the chargebacks and inquiries of an order, oldest first, at most MOST_LISTED. */
export function chargebacksOf(db: Queryable, merNo: number, tradeNo: string): Promise<Chargeback[]> {
  return selectOfOrder(db, merNo, tradeNo, MOST_LISTED)
}

const MOST_LISTED = 500

/** Returns chargebacks and inquiries, newest first. */
export function listChargebacks(
  db: Queryable,
  state?: DisputeState,
  page: ChargebackPage = { limit: MOST_LISTED },
): Promise<ListedChargeback[]> {
  return selectChargebacks(db, state ?? null, page)
}

/** Returns first the open disputes, by deadline, and then the ended disputes, newest first. */
export function listByDeadline(
  db: Queryable,
  state: DisputeState | undefined,
  page: DeadlinePage,
): Promise<ListedChargeback[]> {
  return selectByDeadline(db, state ?? null, page)
}

/** Returns the evidence of a chargeback, oldest first. */
export function listEvidence(db: Queryable, chargeback: Chargeback): Promise<Evidence[]> {
  return selectEvidence(db, chargeback)
}

export async function openEvidenceFile(
  db: Queryable,
  vault: Vault,
  merNo: number,
  evidenceId: string,
): Promise<{ readonly name: string; readonly content: Buffer } | undefined> {
  const found = await selectFile(db, merNo, evidenceId)
  return found && { name: found.name, content: vault.openBytes(found.sealed, evidenceContext(evidenceId)) }
}

export function countOpenChargebacks(db: Queryable, dueBy: Date): Promise<OpenChargebacks> {
  return selectOpenCount(db, dueBy)
}

/** Returns the merchant's open chargebacks without evidence whose deadline has not passed, the next deadline first. */
export function listNextDue(
  db: Queryable,
  merNo: number,
  now: Date,
  limit: number,
): Promise<DueChargeback[]> {
  return selectNextDue(db, merNo, now, limit)
}

/** Returns the latest chargeback of each payment that one of these attempt references names. */
export async function findChargebackMovements(
  db: Queryable,
  references: readonly string[],
): Promise<Movement[]> {
  const keys = references.flatMap(keyOf)
  return keys.length === 0 ? [] : (await selectMovements(db, keys)).map(toChargebackMovement)
}

export async function* openedChargebacks(tx: Tx, period: MovementPeriod): AsyncGenerator<Movement[]> {
  for await (const rows of readOpened(tx, period)) yield rows.map(toChargebackMovement)
}

function keyOf(reference: string): AttemptKey[] {
  const attempt = attemptOf(reference)
  const merNo = attempt && merNoOf(attempt.tradeNo)
  return attempt === undefined || merNo === undefined ? [] : [{ merNo, ...attempt }]
}

function toChargebackMovement(row: ChargebackMovementRow): Movement {
  return toMovement(row, attemptReference(row.trade_no, row.attempt_no))
}
