// Compares an answer with the one before: a decision never goes back.
import type { Actor } from '../operation.ts'
import type { Seen } from '../witness.ts'

export type Shown = { readonly state: number; readonly askedAt: number; readonly row: unknown }

/** Returns what to compare the next answer with. */
export function compare(
  { world }: Actor,
  about: string,
  before: Seen | undefined,
  { state, askedAt, row }: Shown,
  mayFollow: (from: number, to: number) => boolean,
): Seen {
  const { witness } = world
  if (before === undefined) return { state, at: Date.now() }
  // Two questions that were under way at the same time may be answered in either order.
  if (before.at >= askedAt) return before
  witness.comparisons += 1
  if (!mayFollow(before.state, state))
    witness.violations.push({ what: `state ${before.state} became ${state}`, about, rows: row })
  return { state, at: Date.now() }
}
