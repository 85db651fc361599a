// Waiting in tests. A condition that must become true gets far more time than any machine needs, so that a slow machine
// does not fail a test. A condition that must stay false gets a short time, because every run waits for all of it.
import { setTimeout as sleep } from 'node:timers/promises'

type IsTrue = () => boolean | Promise<boolean>

const PATIENCE_MS = 60_000

/** Polls until the condition is true. False if it never became true. */
export function eventually(isTrue: IsTrue): Promise<boolean> {
  return within(PATIENCE_MS, isTrue)
}

/** True if the condition stays false for this time. */
export async function staysFalse(isTrue: IsTrue, forMs: number): Promise<boolean> {
  return !(await within(forMs, isTrue))
}

/**
 * Waits for the next millisecond. Ids sort by their millisecond, then randomly, so ids made after this call sort after
 * earlier ones.
 */
export async function nextMillisecond(): Promise<void> {
  const before = Date.now()
  while (Date.now() === before) await sleep(1)
}

async function within(ms: number, isTrue: IsTrue): Promise<boolean> {
  const deadline = Date.now() + ms
  while (!(await isTrue())) {
    if (Date.now() > deadline) return false
    await sleep(25)
  }
  return true
}
