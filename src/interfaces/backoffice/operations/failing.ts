// Finds the channels and merchants whose success rate is now below usual by more than three standard errors, so that
// chance alone hardly explains the drop. Among few payments, a drop must be large to be listed. Among many payments, a
// small drop is enough.
import type { Decided } from '../../../money/order-queries/search/read-counts.ts'

/** The minimum number of decided payments. With fewer payments, a rate says nothing. */
export const LEAST_NOW = 20
const LEAST_USUAL = 100
const STANDARD_ERRORS = 3
/** The highest usual rate that is assumed. A channel that never failed before is then not listed for one failure. */
const HIGHEST_USUAL = 0.99

/** Returns the channels and merchants whose success rate dropped, the largest drop first. */
export function failingOf<Some extends { readonly now: Decided; readonly usual: Decided }>(
  compared: readonly Some[],
): Some[] {
  return compared
    .filter(({ now, usual }) => isFailing(now, usual))
    .sort((one, other) => dropOf(other) - dropOf(one))
}

function isFailing(now: Decided, usual: Decided): boolean {
  if (now.paid + now.failed < LEAST_NOW || usual.paid + usual.failed < LEAST_USUAL) return false
  const rate = Math.min(rateOf(usual), HIGHEST_USUAL)
  const error = Math.sqrt((rate * (1 - rate)) / (now.paid + now.failed))
  return rate - rateOf(now) > STANDARD_ERRORS * error
}

function dropOf({ now, usual }: { readonly now: Decided; readonly usual: Decided }): number {
  return rateOf(usual) - rateOf(now)
}

function rateOf({ paid, failed }: Decided): number {
  return paid / (paid + failed)
}
