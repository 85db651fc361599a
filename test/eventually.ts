// How tests wait. What must come true is given far more time than it takes on any machine: a bound that is met late says
// nothing about the gateway. Only what must not come true is given a short time, for it is waited out every run.
import { setTimeout as sleep } from 'node:timers/promises'

type IsTrue = () => boolean | Promise<boolean>

const PATIENCE_MS = 60_000

/** Looks until it is true; false when it never was. */
export function eventually(isTrue: IsTrue): Promise<boolean> {
  return within(PATIENCE_MS, isTrue)
}

/** Whether it is not true now, nor becomes so for a while. */
export async function staysFalse(isTrue: IsTrue, forMs: number): Promise<boolean> {
  return !(await within(forMs, isTrue))
}

async function within(ms: number, isTrue: IsTrue): Promise<boolean> {
  const deadline = Date.now() + ms
  while (!(await isTrue())) {
    if (Date.now() > deadline) return false
    await sleep(25)
  }
  return true
}
