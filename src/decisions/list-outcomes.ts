import type { Clock } from '../base/clock.ts'
import { merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { idOf, listUnresolved, type Unresolved } from '../order-queries/list-unresolved.ts'
import type { Queryable } from '../postgres/db.ts'

export type ListDeps = { readonly db: Queryable; readonly clock: Clock }

/**
 * An unknown outcome may be decided at any time. Anything else that is open must be a day old: until then its channel may
 * only be slow, or its payer.
 */
const OPEN_FOR_MS = 24 * 3_600_000

export type OutcomePage = {
  readonly merNo?: number | undefined
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined
  readonly limit: number
}

/** Oldest first. */
export function listOutcomes({ db, clock }: ListDeps, page: OutcomePage): Promise<Unresolved[]> {
  return listUnresolved(db, { ...page, openSince: openSince(clock) })
}

export type OutcomeKey = { readonly tradeNo: string; readonly refundNo?: string | undefined }

/** Refuses if there is nothing that an operator may decide. */
export async function findOutcome({ db, clock }: ListDeps, key: OutcomeKey): Promise<Unresolved> {
  const merNo = key.tradeNo.startsWith('T') ? merNoOf(key.tradeNo) : undefined
  const filter = { openSince: openSince(clock), merNo, tradeNo: key.tradeNo, limit: MOST_OF_AN_ORDER }
  const found = merNo === undefined ? [] : await listUnresolved(db, filter)
  const outcome = found.find((one) => one.refundNo === key.refundNo)
  if (outcome !== undefined) return outcome
  const refund = found.find(({ refundNo }) => refundNo !== undefined)
  const advice = refund === undefined ? RULE : `to decide refund ${refund.refundNo}, name it`
  throw new OperatorRefusal(`${idOf(key)} has no outcome to decide: ${advice}`)
}

const RULE = 'it must be unknown, or open for more than 24 hours'
const MOST_OF_AN_ORDER = 500

function openSince(clock: Clock): Date {
  return new Date(clock.now().getTime() - OPEN_FOR_MS)
}
