// The counts of a run, for its progress and its final report.
import { type Counter, createCounter } from './counter.ts'

export type Tally = {
  round: number
  phase: 'faults' | 'settling' | 'checks'
  /** The work that the pause still waits for. */
  waitingFor: string
  /** The number of rows with times that were too late because of a wrong clock, and that a pause brought forward. */
  broughtForward: number
  readonly operations: Counter
  readonly faults: Counter
  /** The number of comparisons, by check. */
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
