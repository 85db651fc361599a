// Faults of the merchants' servers, and of the network between merchants and gateways.
import type { Fault } from '../fault.ts'
import type { Behaviour } from '../world/merchants.ts'

const behaviours: readonly Behaviour[] = ['hang', 'error', 'wrong-body', 'redirect', 'reset', 'slow']

/** Lets the merchants' servers hang, fail, or send a wrong response. */
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

export const cutAnswers: Fault = {
  name: 'answers to merchants cut',
  weight: 12,
  forMs: 500,
  async inject({ front }, random) {
    front.cuts += 1 + random.below(8)
    return () => {}
  },
}

export const cutMerchants: Fault = {
  name: 'all merchants disconnected',
  weight: 4,
  forMs: 1,
  async inject({ front }) {
    front.cutAll()
    return () => {}
  },
}

export const slowFront: Fault = {
  name: 'slow network to merchants',
  weight: 4,
  forMs: 2_000,
  async inject({ front }, random) {
    front.delayMs = random.below(400)
    return () => {
      front.delayMs = 0
    }
  },
}
