// Faults of the connection between a node and the database.
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Stalls the database connection of a node. No data passes, but the connection stays open. */
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

/** Cuts connections. A commit may succeed although its response never arrives. */
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

/** Every five seconds, another node takes over calls that are at least five seconds old. */
const FIRST_TAKEN_OVER_MS = 5_000

/**
 * Delays a node's statements to the worst moment: they reach the database just after another node has taken over a call
 * of this node and was then frozen.
 */
export const lateDatabase: Fault = {
  name: 'database out of reach until calls are taken over',
  weight: 4,
  forMs: 9_000,
  async inject({ nodes }, random) {
    const late = random.pick(nodes.filter(({ role }) => role === 'api'))
    if (late === undefined) return () => {}
    late.database.stalled = true
    await sleep(FIRST_TAKEN_OVER_MS)
    const heals: (() => void)[] = []
    for (const node of nodes.filter(({ role }) => role === 'worker')) {
      const run = () => {
        node.freeze()
        late.database.stalled = false
      }
      const afterChange = { statements: ['attempts.claim'], run }
      node.database.afterChange = afterChange
      heals.push(() => {
        if (node.database.afterChange === afterChange) node.database.afterChange = undefined
        node.thaw()
      })
    }
    return () => {
      late.database.stalled = false
      for (const heal of heals) heal()
    }
  },
}
