import { Problem } from '../problem.ts'

/** After this time a dangerous action asks for the second factor again. */
export const FACTOR_MS = 5 * 60_000

export function requireRecentFactor(factorAt: Date | null, now: Date): void {
  if (factorAt === null || now.getTime() - factorAt.getTime() > FACTOR_MS)
    throw new Problem('factor-needed', 'Confirm that it is you.')
}
