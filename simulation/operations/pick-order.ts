// A merchant picks one of its payments, by looking some of them up first.
import type { Actor } from '../operation.ts'
import type { SentOrder } from '../witness.ts'
import { type Listed, lookUp } from './look-up.ts'

const SAMPLE = 8

type Wanted = {
  readonly states: readonly number[]
  /** Unset: any payment. */
  readonly by?: string
}

/** Undefined if none of the sample is in one of these states. */
export async function pickPayment(actor: Actor, { states, by }: Wanted): Promise<Listed | undefined> {
  const payments = paymentsOf(actor).filter((order) => by === undefined || order.by === by)
  // Those that were in such a state before, and some of which little is known.
  const likely = payments.filter(({ lastListed }) => lastListed && states.includes(lastListed.state))
  const listed = await lookUp(actor, [...new Set([...some(actor, likely), ...some(actor, payments)])])
  return actor.random.pick(listed.filter(({ state }) => states.includes(state)))
}

/** Some of the merchant's latest payments, each once. */
export function samplePayments(actor: Actor): readonly SentOrder[] {
  return [...new Set(some(actor, paymentsOf(actor)))]
}

function paymentsOf({ world, shop }: Actor): SentOrder[] {
  return world.witness.recentOf(shop).filter(({ kind }) => kind !== 'payout')
}

function some({ random }: Actor, orders: readonly SentOrder[]): SentOrder[] {
  return Array.from({ length: SAMPLE }, () => random.pick(orders)).filter((order) => order !== undefined)
}
