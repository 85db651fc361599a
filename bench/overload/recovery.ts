// How long after a flood everything is as before it. Pure.
import { WINDOW_MS, type Window } from './tally.ts'

/** A single window's p99 rests on its slowest requests, so it may exceed the slowest calm window by half. */
const TOLERANCE = 1.5

/** Seconds until all requests are accepted again, as fast as before; null: not while it was watched. */
export function recoverySeconds(before: readonly Window[], after: readonly Window[]): number | null {
  const slowest = Math.max(...before.map(({ p99Ms }) => p99Ms)) * TOLERANCE
  const isCalm = ({ due, accepted, p99Ms }: Window) => accepted === due && p99Ms <= slowest
  const lastBad = after.findLastIndex((window) => !isCalm(window))
  return lastBad === after.length - 1 ? null : ((lastBad + 1) * WINDOW_MS) / 1000
}
