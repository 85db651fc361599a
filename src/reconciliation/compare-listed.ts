// Compares what a channel's statements list for one attempt, in one currency, with what was booked for it. Pure rules.
//
// Only sums are compared: the channel's callbacks have a reference per deposit, but its statements have only ours, so a line
// cannot be matched with a single deposit. Listed money that is not booked was not reported to us; it is booked to suspense.
import type { Movement } from '../channels/movement.ts'
import type { LineKind } from './compare-line.ts'

export type Booked = {
  /** All money booked from the channel: for the order, and to suspense in any state. */
  readonly booked: bigint
  /** The part that the channel reported itself or an operator has decided on. */
  readonly known: bigint
  /** The deposits that the channel reported. */
  readonly deposits: readonly bigint[]
}

/** Listed money that is not booked; 0 while the attempt is open, because the resolver books its money. */
export function unbookedOf(
  ours: Movement,
  currency: string,
  { booked }: Booked,
  lines: readonly bigint[],
): bigint {
  if (ours.standing === 'open') return 0n
  // A channel may list a paid order in its own currency; that is no second payment.
  if (ours.standing === 'done' && currency !== ours.money.currency) return 0n
  const excess = sum(lines) - booked
  return excess > 0n ? excess : 0n
}

/** The kind of each line, in the order of the list. */
export function compareListed(
  ours: Movement,
  { known, deposits }: Booked,
  lines: readonly bigint[],
): LineKind[] {
  if (ours.standing === 'open') return lines.map(() => 'open here')
  const isCovered = sum(lines) >= known
  let listed = 0n
  return lines.map((amount, at) => {
    const before = listed
    listed += amount
    if (listed <= known) return isCovered || deposits.includes(amount) ? 'matched' : 'differs'
    if (before < known) return 'differs'
    if (ours.standing === 'failed') return 'missing here'
    return lines.indexOf(amount) < at ? 'twice' : 'differs'
  })
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
