// A merchant picks one of its orders, by looking some of them up first.
import type { Actor } from '../operation.ts'
import type { SentOrder } from '../witness.ts'
import { type Listed, lookUp } from './look-up.ts'

const SAMPLE = 15

/** Undefined if none of the sample is in one of these states. */
export async function pickPayment(actor: Actor, states: readonly number[]): Promise<Listed | undefined> {
  const listed = await lookUp(actor, sample(actor))
  return actor.random.pick(listed.filter(({ state }) => states.includes(state)))
}

/** Some of the merchant's latest payments, each once. */
export function sample({ world, shop, random }: Actor): readonly SentOrder[] {
  const recent = world.witness.recentOf(shop).filter(({ kind }) => kind !== 'payout')
  return [...new Set(Array.from({ length: SAMPLE }, () => random.pick(recent)))].filter(
    (order) => order !== undefined,
  )
}
