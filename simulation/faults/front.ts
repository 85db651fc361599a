// Faults between merchants and the gateways.
import type { Fault } from '../fault.ts'

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
