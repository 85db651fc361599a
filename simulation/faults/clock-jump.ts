import type { Fault } from '../fault.ts'

const SECOND_MS = 1_000
// An hour is longer than most payers have.
const jumps = [1, 10, 60, 600, 3_600, 3_600].flatMap((seconds) => [seconds * SECOND_MS, -seconds * SECOND_MS])

/** The clock of one node is wrong, and later right again. */
export const clockJump: Fault = {
  name: 'clock jump',
  weight: 6,
  forMs: 5_000,
  async inject({ nodes }, random) {
    const node = random.pick(nodes)
    node?.shiftClock(random.pick(jumps) ?? 0)
    return () => node?.shiftClock(0)
  },
}
