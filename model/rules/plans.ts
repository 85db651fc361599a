// Which terms an order gets. A merchant has a plan for all methods, perhaps plans for single methods, and a plan for
// payouts. A merchant who follows a named plan has exactly the terms of that plan, including its later changes.
import type { Model, NamedPlan, Plan, Plans, Shop } from './facts.ts'

/** The terms of a new plan before any change. */
const free: Plan = {
  feeBps: 0,
  feeFixed: '0.00',
  refundFee: '0.00',
  chargebackFee: '0.00',
  marginBps: 0,
  marginDays: 180,
  settleDays: 1,
}

export function planFor({ plan, methodPlans }: Plans, method: string): Plan {
  return methodPlans.get(method) ?? plan
}

/**
 * Changes the plan of a method. A method's first plan takes the terms that are not in `change` from the plan for all
 * methods.
 */
export function setMethodPlan(plans: Plans, method: string, change: Partial<Plan>): void {
  plans.methodPlans.set(method, { ...planFor(plans, method), ...change })
}

/** Returns false if the method has no plan of its own. */
export function removeMethodPlan({ methodPlans }: Plans, method: string): boolean {
  return methodPlans.delete(method)
}

type NamedChange = {
  readonly name: string
  readonly about: string
  readonly change: Partial<Plan>
}

/**
 * Makes or changes a named plan: its terms for all methods, for one method, or for payouts. Payouts are free until
 * their terms change. A plan begins with its terms for all methods: returns false for other terms of an unknown plan.
 */
export function changeNamed({ namedPlans }: Model, { name, about, change }: NamedChange): boolean {
  const named = namedPlans.find((one) => one.name === name)
  if (about === 'all') {
    if (named === undefined) namedPlans.push(newNamed(name, { ...free, ...change }))
    else named.plan = { ...named.plan, ...change }
    return true
  }
  if (named === undefined) return false
  if (about !== 'payout') {
    setMethodPlan(named, about, change)
    return true
  }
  const { feeBps, feeFixed } = { ...named.payoutPlan, ...change }
  named.payoutPlan = { feeBps, feeFixed }
  named.hasPayouts = true
  return true
}

function newNamed(name: string, plan: Plan): NamedPlan {
  return { name, plan, methodPlans: new Map(), payoutPlan: freePayouts, hasPayouts: false }
}

const freePayouts = { feeBps: 0, feeFixed: '0.00' }

/**
 * Removes the terms for a method or for payouts. Returns false if there are none. The terms for all methods cannot be
 * removed.
 */
export function removeNamed(named: NamedPlan, about: string): boolean {
  if (about !== 'payout') return removeMethodPlan(named, about)
  const had = named.hasPayouts
  Object.assign(named, { payoutPlan: freePayouts, hasPayouts: false })
  return had
}

/** A change of the merchant's own terms ends the link to a named plan. The other terms stay. */
export function leaveNamedPlan(shop: Shop): void {
  shop.follows = undefined
}

export function follow(shop: Shop, named: NamedPlan): void {
  shop.follows = named.name
  copyPlans(named, shop)
}

/** Gives the terms of a changed plan to its followers, for new orders. */
export function spread({ shops }: Model, named: NamedPlan): void {
  for (const shop of shops) if (shop.follows === named.name) copyPlans(named, shop)
}

function copyPlans({ plan, methodPlans, payoutPlan }: Plans, to: Plans): void {
  Object.assign(to, { plan, payoutPlan })
  to.methodPlans.clear()
  for (const [method, own] of methodPlans) to.methodPlans.set(method, own)
}
