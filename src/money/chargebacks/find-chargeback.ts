import type { Vault } from '../base/secret.ts'
import type { Queryable } from '../postgres/db.ts'
import { type BookedChargeback, type Chargeback, type DisputeState, isBooked } from './chargeback.ts'
import { type Evidence, evidenceContext } from './evidence.ts'
import { selectEvidence, selectFile } from './evidence-sql.ts'
import {
  type ListedChargeback,
  type OpenChargebacks,
  selectChargebacks,
  selectLatest,
  selectOfOrder,
  selectOpenCount,
} from './sql.ts'

/** The latest chargeback of an order that took money. */
export async function findChargeback(
  db: Queryable,
  merNo: number,
  tradeNo: string,
): Promise<BookedChargeback | undefined> {
  const found = await selectLatest(db, merNo, tradeNo, 'booked')
  return found !== undefined && isBooked(found) ? found : undefined
}

/** The latest chargeback or inquiry of an order. */
export function findDispute(db: Queryable, merNo: number, tradeNo: string): Promise<Chargeback | undefined> {
  return selectLatest(db, merNo, tradeNo, 'any')
}

/** All chargebacks and inquiries of an order, oldest first. */
export function chargebacksOf(db: Queryable, merNo: number, tradeNo: string): Promise<Chargeback[]> {
  return selectOfOrder(db, merNo, tradeNo, MOST_LISTED)
}

const MOST_LISTED = 500

export type ChargebackPage = {
  /** Undefined: of all merchants. */
  readonly merNo?: number | undefined
  /** The last id of the previous page. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Newest first. */
export function listChargebacks(
  db: Queryable,
  state?: DisputeState,
  page: ChargebackPage = { limit: MOST_LISTED },
): Promise<ListedChargeback[]> {
  return selectChargebacks(db, state ?? null, page)
}

/** The evidence of a chargeback, oldest first. */
export function listEvidence(db: Queryable, chargeback: Chargeback): Promise<Evidence[]> {
  return selectEvidence(db, chargeback)
}

/** The file of a piece of evidence; undefined if there is none. */
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
