// All pages of a list show the orders that the first page could see. An upper bound of creation times is not enough, because an
// order is created before it is committed: one that was being accepted would appear between two pages. So the list carries
// PostgreSQL's snapshot, and every order stores its transaction.

import { assert } from '../errors/catalogue.ts'
import type { Queryable } from '../postgres/db.ts'

export type AsOf = {
  readonly at: Date
  /** The oldest transaction under way, the first not yet begun, and those under way between. */
  readonly oldest: number
  readonly next: number
  readonly underWay: readonly number[]
}

// Accepting takes a few seconds at most. The snapshot is not used for older orders, because a restored database numbers its
// transactions from the start.
const COMMITTED_AFTER_MS = 5 * 60_000
// Gateways' clocks may differ by this much; an order beyond it was created after the first page.
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

/** Orders from this time on are checked against the snapshot. Before it, no new order appears. */
export function committedBefore({ at }: Pick<AsOf, 'at'>): Date {
  return new Date(at.getTime() - COMMITTED_AFTER_MS)
}

export function madeBefore({ at }: AsOf): Date {
  return new Date(at.getTime() + CLOCKS_APART_MS)
}

/** The parameters of `visibleText`. */
export function visibleValues(asOf: AsOf): readonly [Date, string] {
  return [committedBefore(asOf), snapshotOf(asOf)]
}

/** The condition for visible orders; its two values are the parameters from this number on. */
export function visibleText(first: number): string {
  return `(created_at < $${first} or pg_visible_in_snapshot(made_in, $${first + 1}))`
}

export function snapshotOf({ oldest, next, underWay }: AsOf): string {
  return `${oldest}:${next}:${underWay.join(',')}`
}

/** Short, because merchants send it back: in base 36, all but the time and the oldest as differences. */
export function writeAsOf({ at, oldest, next, underWay }: AsOf): string {
  const distances = [next, ...underWay].map((number) => number - oldest)
  return [at.getTime(), oldest, ...distances].map((number) => number.toString(36)).join('.')
}

/** Undefined when we cannot have written it. */
export function readAsOf(text: string): AsOf | undefined {
  if (!/^[0-9a-z]{1,9}(\.[0-9a-z]{1,10}){2,}$/.test(text)) return undefined
  const [at = 0, oldest = 0, ...distances] = text.split('.').map((part) => Number.parseInt(part, 36))
  const [next = 0, ...underWay] = distances.map((distance) => oldest + distance)
  const inOrder = underWay.every((number, index) => number < next && number > (underWay[index - 1] ?? -1))
  return oldest > 0 && inOrder ? { at: new Date(at), oldest, next, underWay } : undefined
}
