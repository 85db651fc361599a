// All pages of a list show the orders that were visible to the first page. A bound on the creation time is not enough:
// an order gets its creation time before it is committed, so an order could appear between two pages. Therefore the
// first page takes PostgreSQL's snapshot, which the merchant sends back for the other pages, and every order stores the
// number of its transaction.

import { assert } from '../../platform/errors/catalogue.ts'
import type { Queryable } from '../../platform/postgres/db.ts'

export type AsOf = {
  readonly at: Date
  /**
   * The parts of PostgreSQL's snapshot: the oldest open transaction (`oldest`), the first number that no transaction
   * has yet (`next`), and the open transactions between these two numbers.
   */
  readonly oldest: number
  readonly next: number
  readonly underWay: readonly number[]
}

// Accepting an order takes a few seconds at most, so an order that is older than this limit is listed without a check
// against the snapshot. Old orders must not depend on the snapshot, because a restored database numbers its
// transactions from the start.
const COMMITTED_AFTER_MS = 5 * 60_000
// The maximum difference between the clocks of two gateways. An order whose creation time is later than the first page
// by more than this difference was created after the first page.
const CLOCKS_APART_MS = 5 * 60_000

export async function takeAsOf(db: Queryable, at: Date): Promise<AsOf> {
  const [row] = await db.query<{ snapshot: string }>({
    text: 'select pg_current_snapshot()::text as snapshot',
  })
  const [oldest = '', next = '', underWay = ''] = row?.snapshot.split(':') ?? []
  assert(oldest !== '' && next !== '', 'a snapshot has two bounds')
  const numbers = underWay === '' ? [] : underWay.split(',').map(Number)
  return { at, oldest: Number(oldest), next: Number(next), underWay: numbers }
}

/** Returns the time before which no new order can appear. Orders from this time on are checked against the snapshot. */
export function committedBefore({ at }: Pick<AsOf, 'at'>): Date {
  return new Date(at.getTime() - COMMITTED_AFTER_MS)
}

export function madeBefore({ at }: AsOf): Date {
  return new Date(at.getTime() + CLOCKS_APART_MS)
}

export function visibleValues(asOf: AsOf): readonly [Date, string] {
  return [committedBefore(asOf), snapshotOf(asOf)]
}

/**
 * Returns the SQL condition for visible orders. Its two parameters are `$first` and the next one. `visibleValues`
 * returns their values.
 */
export function visibleText(first: number): string {
  return `(created_at < $${first} or pg_visible_in_snapshot(made_in, $${first + 1}))`
}

export function snapshotOf({ oldest, next, underWay }: AsOf): string {
  return `${oldest}:${next}:${underWay.join(',')}`
}

/**
 * Writes the snapshot as a short text, because merchants send it back with the request for the next page. All numbers
 * are in base 36. The numbers after the time and `oldest` are distances from `oldest`.
 */
export function writeAsOf({ at, oldest, next, underWay }: AsOf): string {
  const distances = [next, ...underWay].map((number) => number - oldest)
  return [at.getTime(), oldest, ...distances].map((number) => number.toString(36)).join('.')
}

/** Reads a text that `writeAsOf` has written. Undefined for a text in any other form. */
export function readAsOf(text: string): AsOf | undefined {
  if (!/^[0-9a-z]{1,9}(\.[0-9a-z]{1,10}){2,}$/.test(text)) return undefined
  const [at = 0, oldest = 0, ...distances] = text.split('.').map((part) => Number.parseInt(part, 36))
  const [next = 0, ...underWay] = distances.map((distance) => oldest + distance)
  const inOrder = underWay.every((number, index) => number < next && number > (underWay[index - 1] ?? -1))
  return oldest > 0 && inOrder ? { at: new Date(at), oldest, next, underWay } : undefined
}
