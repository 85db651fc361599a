// Finds the channels and merchants whose success rate is now more than three standard errors below the usual rate.
// Chance alone hardly explains such a drop. If there are few payments, only a large drop is found. If there are many, a
// small drop is enough. Channels and merchants with very few outcomes are left out.
import type { Decided } from '../../../money/order-queries/search/read-counts.ts'

/**
 * The minimum number of payments or channel calls with an outcome. A rate of fewer payments or calls says too little.
 */
export const LEAST_NOW = 20
const LEAST_USUAL = 100
const STANDARD_ERRORS = 3
/**
 * The highest usual rate in the comparison. With a usual rate of 1, the standard error would be zero, and a single
 * failure would count as a drop.
 */
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
