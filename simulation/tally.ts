// Counts of a run, for its progress and its last page.
export type Counter = {
  add(name: string, by?: number): void
  readonly byName: ReadonlyMap<string, number>
  total(): number
}

export type Tally = {
  readonly rounds: number
  round: number
  phase: 'faults' | 'settling' | 'checks'
  /** What the pause still waits for. */
  waitingFor: string
  readonly operations: Counter
  readonly faults: Counter
  /** Comparisons by check. */
  readonly checks: Counter
}

export function createTally(rounds: number): Tally {
  return {
    rounds,
    round: 0,
    phase: 'faults',
    waitingFor: '',
    operations: createCounter(),
    faults: createCounter(),
    checks: createCounter(),
  }
}

function createCounter(): Counter {
  const byName = new Map<string, number>()
  return {
    byName,
    add: (name, by = 1) => void byName.set(name, (byName.get(name) ?? 0) + by),
    total: () => [...byName.values()].reduce((sum, count) => sum + count, 0),
  }
}
