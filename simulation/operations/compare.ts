// Compares an answer with the previous answer about the same subject: a decision is never reversed.
import type { Actor } from '../operation.ts'
import type { Seen } from '../witness.ts'

export type Shown = { readonly state: number; readonly askedAt: number; readonly row: unknown }

/** Records a violation if the state must not follow the previous state. Returns the answer for the next comparison. */
export function compare(
  { world }: Actor,
  about: string,
  before: Seen | undefined,
  { state, askedAt, row }: Shown,
  mayFollow: (from: number, to: number) => boolean,
): Seen {
  const { witness } = world
  if (before === undefined) return { state, at: Date.now() }
  // A query that was sent before the previous answer arrived is not compared, because concurrent queries may read the
  // states in either order.
  if (before.at >= askedAt) return before
  witness.comparisons += 1
  if (!mayFollow(before.state, state))
    witness.violations.push({ what: `state ${before.state} became ${state}`, about, rows: row })
  return { state, at: Date.now() }
}
