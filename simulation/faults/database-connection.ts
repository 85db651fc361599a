// Faults on the way between one node and the database.
import type { Fault } from '../fault.ts'

export const slowDatabase: Fault = {
  name: 'slow database',
  weight: 6,
  forMs: 4_000,
  async inject({ nodes }, random) {
    const database = random.pick(nodes)?.database
    if (database !== undefined) database.delayMs = 5 + random.below(150)
    return () => {
      if (database !== undefined) database.delayMs = 0
    }
  },
}

/** The node's packets go nowhere, and no connection ends. */
export const lostDatabase: Fault = {
  name: 'database out of reach',
  weight: 4,
  forMs: 4_000,
  async inject({ nodes }, random) {
    const database = random.pick(nodes)?.database
    if (database !== undefined) database.stalled = true
    return () => {
      if (database !== undefined) database.stalled = false
    }
  },
}

/** A commit may be done although its answer never arrives. */
export const cutDatabase: Fault = {
  name: 'database connection cut',
  weight: 10,
  forMs: 500,
  async inject({ nodes }, random) {
    const database = random.pick(nodes)?.database
    if (database !== undefined) database.cuts += 1 + random.below(3)
    return () => {
      if (database !== undefined) database.cuts = 0
    }
  },
}
