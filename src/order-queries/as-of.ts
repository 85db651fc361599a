// Which orders a list shows while somebody pages through it: those that the first page could see. An upper bound of creation
// times is not enough, because an order is made before it is committed: one that was being accepted meanwhile would appear in
// between. So we keep PostgreSQL's own snapshot, and every order has the transaction that made it.

import { assert } from '../errors/catalogue.ts'
import type { Queryable } from '../postgres/db.ts'

export type AsOf = {
  readonly at: Date
  /** The oldest transaction under way, the first not yet begun, and those under way between. */
  readonly oldest: number
  readonly next: number
  readonly underWay: readonly number[]
}

// Accepting takes seconds at the very most. Older orders need not be looked up in the snapshot, nor may they be: in a
// database that was restored elsewhere, transactions are numbered anew.
const COMMITTED_AFTER_MS = 5 * 60_000
// Gateways' clocks may differ a little; beyond that an order was made after the first page.
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

/** From here on an order's transaction must be looked up. Before, no order will come any more. */
export function committedBefore({ at }: Pick<AsOf, 'at'>): Date {
  return new Date(at.getTime() - COMMITTED_AFTER_MS)
}

export function madeBefore({ at }: AsOf): Date {
  return new Date(at.getTime() + CLOCKS_APART_MS)
}

/** What `visibleText` refers to. */
export function visibleValues(asOf: AsOf): readonly [Date, string] {
  return [committedBefore(asOf), snapshotOf(asOf)]
}

/** True of the orders that it shows; with its two values as the parameters from this one on. */
export function visibleText(first: number): string {
  return `(created_at < $${first} or pg_visible_in_snapshot(made_in, $${first + 1}))`
}

export function snapshotOf({ oldest, next, underWay }: AsOf): string {
  return `${oldest}:${next}:${underWay.join(',')}`
}

/** Short, because merchants carry it: all but the time and the oldest as distances, in base 36. */
export function writeAsOf({ at, oldest, next, underWay }: AsOf): string {
  const distances = [next, ...underWay].map((number) => number - oldest)
  return [at.getTime(), oldest, ...distances].map((number) => number.toString(36)).join('.')
}

/** Undefined when it cannot have been written by us. */
export function readAsOf(text: string): AsOf | undefined {
  if (!/^[0-9a-z]{1,9}(\.[0-9a-z]{1,10}){2,}$/.test(text)) return undefined
  const [at = 0, oldest = 0, ...distances] = text.split('.').map((part) => Number.parseInt(part, 36))
  const [next = 0, ...underWay] = distances.map((distance) => oldest + distance)
  const inOrder = underWay.every((number, index) => number < next && number > (underWay[index - 1] ?? -1))
  return oldest > 0 && inOrder ? { at: new Date(at), oldest, next, underWay } : undefined
}
