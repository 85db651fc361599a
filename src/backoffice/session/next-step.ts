import type { Caller } from '../caller.ts'

/** What a session still lacks. */
export type NextStep = 'done' | 'factor' | 'enrol'

export function nextStep({ factors, factorAt }: Pick<Caller, 'factors' | 'factorAt'>): NextStep {
  if (factorAt !== null) return 'done'
  return factors.length > 0 ? 'factor' : 'enrol'
}
