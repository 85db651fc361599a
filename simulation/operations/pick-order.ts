// Looks up a sample of the merchant's payments, and picks a payment in one of the wanted states.
import type { Actor } from '../operation.ts'
import type { SentOrder } from '../witness.ts'
import { type Listed, lookUp } from './look-up.ts'

const SAMPLE = 8

type Wanted = {
  readonly states: readonly number[]
  /** The name of the operation that sent the payment; undefined for payments of any operation. */
  readonly by?: string
}

/** Returns a payment that is in one of these states now, or undefined if the sample contains none. */
export async function pickPayment(actor: Actor, { states, by }: Wanted): Promise<Listed | undefined> {
  const payments = paymentsOf(actor).filter((order) => by === undefined || order.by === by)
  // The sample contains payments that were last seen in one of these states, and other random payments.
  const likely = seenIn(payments, states)
  const listed = await lookUp(actor, [...new Set([...some(actor, likely), ...some(actor, payments)])])
  return actor.random.pick(listed.filter(({ state }) => states.includes(state)))
}

/** Returns a random sample of the merchant's latest payments, without repetitions. */
export function samplePayments(actor: Actor): readonly SentOrder[] {
  return [...new Set(some(actor, paymentsOf(actor)))]
}

/** Returns a random sample of the merchant's payments that were last seen in one of these states. */
export function sampleSeen(actor: Actor, states: readonly number[]): readonly SentOrder[] {
  return [...new Set(some(actor, seenIn(paymentsOf(actor), states)))]
}

function seenIn(payments: readonly SentOrder[], states: readonly number[]): SentOrder[] {
  return payments.filter(({ lastListed }) => lastListed && states.includes(lastListed.state))
}

function paymentsOf({ world, shop }: Actor): SentOrder[] {
  return world.witness.recentOf(shop).filter(({ kind }) => kind !== 'payout')
}

function some({ random }: Actor, orders: readonly SentOrder[]): SentOrder[] {
  return Array.from({ length: SAMPLE }, () => random.pick(orders)).filter((order) => order !== undefined)
}
