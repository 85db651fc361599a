import type { Fault } from '../fault.ts'
import type { Behaviour } from '../world/merchants.ts'

const behaviours: readonly Behaviour[] = ['hang', 'error', 'wrong-body', 'redirect', 'reset', 'slow']

/** The merchants' servers hang, fail, or answer something else. */
export const badMerchants: Fault = {
  name: 'merchants misbehave',
  weight: 8,
  forMs: 6_000,
  async inject({ merchants }, random) {
    await merchants.behave(
      behaviours.filter(() => random.chance(0.5)),
      0.2 + random.below(80) / 100,
    )
    return () => merchants.behave([], 0)
  },
}
