// Limits one kind of caller to a share of the database's connections. A caller that waits too long is refused.
// Otherwise transactions that wait for a second connection could block each other for ever.
import { Overloaded } from './batch.ts'
import type { Db } from './db.ts'

export type Bounds = {
  /** The maximum number of concurrent statements and transactions. */
  readonly most: number
  readonly mostWaiting: number
  readonly waitMs: number
}

export function boundDb(db: Db, bounds: Bounds): Db {
  const within = createSlots(bounds)
  return {
    ...db,
    query: (statement, options) => within(() => db.query(statement, options)),
    transaction: (work, options) => within(() => db.transaction(work, options)),
    atOnce: (statements, options) => within(() => db.atOnce(statements, options)),
  }
}

type Waiting = { readonly enter: () => void; readonly timer: NodeJS.Timeout }

function createSlots({ most, mostWaiting, waitMs }: Bounds) {
  const waiting = new Set<Waiting>()
  let taken = 0

  function enter(): Promise<void> | undefined {
    if (taken < most) {
      taken++
      return undefined
    }
    if (waiting.size >= mostWaiting) throw new Overloaded()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(place)
        reject(new Overloaded())
      }, waitMs)
      const place = { enter: resolve, timer }
      waiting.add(place)
    })
  }

  /** Passes the slot to the caller that has waited longest, or frees it. */
  function leave(): void {
    const [next] = waiting
    if (next === undefined) {
      taken--
      return
    }
    waiting.delete(next)
    clearTimeout(next.timer)
    next.enter()
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
