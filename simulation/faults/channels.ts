// Faults of the counterparties and of the network to them. During a fault, a random share of the calls goes wrong.
import type { Random } from '../../test/harness/random.ts'
import type { Fault } from '../fault.ts'
import type { Misbehaviour } from '../world/http-proxy.ts'

const kinds: readonly Misbehaviour[] = [
  'request-lost',
  'answer-lost',
  'answer-cut',
  'answer-late',
  'sent-twice',
  'overtaken',
  'other-amount',
  'rubbish',
  'server-error',
]

/** Callbacks are signed, so the gateway would refuse every callback with changed content. */
const callbackKinds = kinds.filter((kind) => kind !== 'other-amount' && kind !== 'rubbish')

export const badChannels: Fault = {
  name: 'channels misbehave',
  weight: 14,
  forMs: 6_000,
  async inject({ channels }, random) {
    channels.misbehave(shareOf(random), someOf(kinds, random))
    return () => channels.behave()
  },
}

export const badCallbacks: Fault = {
  name: 'callbacks misbehave',
  weight: 8,
  forMs: 6_000,
  async inject({ callbacks }, random) {
    callbacks.misbehave(shareOf(random), someOf(callbackKinds, random))
    return () => callbacks.behave()
  },
}

/** Stops all counterparties for a while. Their books survive. */
export const killCounterparties: Fault = {
  name: 'kill the counterparties',
  weight: 1,
  forMs: 2_000,
  async inject({ counterparties }) {
    await counterparties.kill()
    return () => counterparties.start()
  },
}

function shareOf(random: Random): number {
  return 0.2 + random.below(60) / 100
}

function someOf(from: readonly Misbehaviour[], random: Random): readonly Misbehaviour[] {
  const some = from.filter(() => random.chance(0.5))
  return some.length === 0 ? from : some
}
