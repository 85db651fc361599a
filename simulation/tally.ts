// Counts of a run, for its progress and its last page.
import { type Counter, createCounter } from './counter.ts'

export type Tally = {
  round: number
  phase: 'faults' | 'settling' | 'checks'
  /** What the pause still waits for. */
  waitingFor: string
  /** Questions that a wrong clock had put off, and that a pause brought forward. */
  broughtForward: number
  readonly operations: Counter
  readonly faults: Counter
  /** Comparisons by check. */
  readonly checks: Counter
}

export function createTally(faults: Counter): Tally {
  return {
    round: 0,
    phase: 'faults',
    waitingFor: '',
    broughtForward: 0,
    operations: createCounter(),
    faults,
    checks: createCounter(),
  }
}
