// Counts events per key, in windows that begin with a key's first event. In memory: each process counts for itself, and
// what strangers name cannot fill it.
import type { Clock } from '../../base/clock.ts'

export type EventCounter = {
  count(key: string): number
  /** One more; how many there are now. */
  add(key: string): number
  /** Until the key's window ends and it counts from zero again; 0 when nothing is counted. */
  msLeft(key: string): number
  /** One that should not have counted. */
  takeBack(key: string): void
}

type Window = { readonly from: number; count: number }

/** Beyond this the one counted longest is forgotten. */
const MAX_KEYS = 10_000

export function countEvents(windowMs: number, clock: Clock): EventCounter {
  const windows = new Map<string, Window>()
  const current = (key: string, now: number): Window | undefined => {
    const window = windows.get(key)
    return window !== undefined && now - window.from < windowMs ? window : undefined
  }
  return {
    count: (key) => current(key, clock.now().getTime())?.count ?? 0,
    add(key) {
      const now = clock.now().getTime()
      const window = current(key, now) ?? open(windows, key, now)
      window.count++
      return window.count
    },
    msLeft(key) {
      const now = clock.now().getTime()
      const window = current(key, now)
      return window === undefined ? 0 : window.from + windowMs - now
    },
    takeBack(key) {
      const window = current(key, clock.now().getTime())
      if (window !== undefined && window.count > 0) window.count--
    },
  }
}

function open(windows: Map<string, Window>, key: string, now: number): Window {
  windows.delete(key)
  const [oldest] = windows.keys()
  if (oldest !== undefined && windows.size >= MAX_KEYS) windows.delete(oldest)
  const window = { from: now, count: 0 }
  windows.set(key, window)
  return window
}
