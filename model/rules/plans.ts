// Which terms an order gets. A merchant has a plan for all methods, perhaps plans of single methods, and a plan of
// payouts. A merchant who follows a named plan has exactly the terms of that plan, whenever it changes.
import type { Model, NamedPlan, Plan, Plans, Shop } from './facts.ts'

/** The first terms of a plan, before they are changed. */
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

/** A new plan of a method takes the terms that are left out from the plan for all methods. */
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
 * their terms change. Returns false if the plan has no terms for all methods yet.
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
 * Removes the terms of a method or of payouts. Returns false if there are none. The terms for all methods always stay.
 */
export function removeNamed(named: NamedPlan, about: string): boolean {
  if (about !== 'payout') return removeMethodPlan(named, about)
  const had = named.hasPayouts
  Object.assign(named, { payoutPlan: freePayouts, hasPayouts: false })
  return had
}

/** The merchant's own changes end the link to a named plan; the terms stay. */
export function leaveNamedPlan(shop: Shop): void {
  shop.follows = undefined
}

export function follow(shop: Shop, named: NamedPlan): void {
  shop.follows = named.name
  copyPlans(named, shop)
}

/** The followers of a changed plan get its terms for new orders. */
export function spread({ shops }: Model, named: NamedPlan): void {
  for (const shop of shops) if (shop.follows === named.name) copyPlans(named, shop)
}

function copyPlans({ plan, methodPlans, payoutPlan }: Plans, to: Plans): void {
  Object.assign(to, { plan, payoutPlan })
  to.methodPlans.clear()
  for (const [method, own] of methodPlans) to.methodPlans.set(method, own)
}
