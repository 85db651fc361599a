// What a channel's statements list for one attempt, in one currency, beside what was booked for it. Pure rules.
//
// Only sums are compared: the channel names each deposit, its statement only our reference, so nothing else ties a line to
// an arrival. What is listed beyond what is booked came without our knowledge, and is booked to suspense.
import type { Movement } from '../channels/movement.ts'
import type { LineKind } from './judge-line.ts'

export type Booked = {
  /** All money booked from the channel: for the order, and to suspense whether decided or not. */
  readonly booked: bigint
  /** Of that, what we know by more than a statement, or what an operator has decided on. */
  readonly known: bigint
  /** Single deposits that the channel reported. */
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
  // A paid order is sometimes listed in the channel's own currency: that is no second payment.
  if (ours.standing === 'done' && currency !== ours.money.currency) return 0n
  const excess = sum(lines) - booked
  return excess > 0n ? excess : 0n
}

/** The kind of each line, in the order that they were listed in. */
export function judgeListed(
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
