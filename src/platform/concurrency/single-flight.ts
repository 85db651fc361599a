// Runs one piece of work per key at a time. Equal requests share one run and its result. Different requests with the
// same key run one after the other.
import { Overloaded } from '../postgres/batch.ts'

export type SingleFlight<Result> = {
  /** Runs the work. Rejects with `Overloaded` if too many different requests wait. */
  run(key: string, request: string, work: () => Promise<Result>): Promise<Result>
}

type Flight<Result> = { readonly request: string; readonly result: Promise<Result> }

/** The maximum number of different requests per key, including the running one. */
const MAX_FLIGHTS = 8

export function createSingleFlight<Result>(): SingleFlight<Result> {
  const lanes = new Map<string, Flight<Result>[]>()

  function land(key: string, flight: Flight<Result>): void {
    const rest = lanes.get(key)?.filter((other) => other !== flight) ?? []
    if (rest.length > 0) lanes.set(key, rest)
    else lanes.delete(key)
  }

  return {
    run(key, request, work) {
      const lane = lanes.get(key) ?? []
      const same = lane.find((flight) => flight.request === request)
      if (same !== undefined) return same.result
      if (lane.length >= MAX_FLIGHTS) return Promise.reject(new Overloaded())
      const before = lane.at(-1)?.result
      const result = before === undefined ? work() : before.then(work, work)
      const flight = { request, result }
      lanes.set(key, [...lane, flight])
      const done = () => land(key, flight)
      result.then(done, done)
      return result
    },
  }
}
