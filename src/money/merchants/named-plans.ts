// Named fee plans, which several merchants can share. A change of a plan changes the terms of its merchants for new
// orders. Accepted orders keep their terms. If a merchant's terms are edited directly, the merchant no longer follows
// its plan.

import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { type Method, methodNames } from '../../rails/methods/methods.ts'
import { applyTerms } from './apply-options.ts'
import type { TermOptions } from './options.ts'
import {
  copyTerms,
  deleteTerms,
  linkPlan,
  lockPlan,
  lockPlanMerchants,
  type PlanMerchant,
  type PlanRow,
  type PlanTerms,
  selectPlanMerchants,
  selectPlans,
  unlinkPlan,
  upsertTerms,
} from './plan-sql.ts'
import { announceMerchant, lockMerchant } from './sql.ts'
import { defaultPlan, freePlan } from './terms.ts'

/** The scope of a plan's terms: a method, payouts, or (`all`) all methods that have no terms of their own. */
export type PlanMethod = Method | 'payout' | 'all'

export function readPlanMethod(text: string): PlanMethod {
  const known = ['all', 'payout', ...methodNames()] as const
  const found = known.find((name) => name === text)
  if (found !== undefined) return found
  throw new OperatorRefusal(`${text} is not a method: use one of ${known.join(', ')}`, 'method')
}

export function readPlanName(text: string): string {
  const name = text.trim()
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u.test(name)) return name
  throw new OperatorRefusal('a plan is named by 1 to 40 letters, digits, spaces, dots or hyphens', 'plan')
}

export function listPlans(db: Queryable): Promise<PlanRow[]> {
  return selectPlans(db)
}

export type DescribedPlan = {
  readonly terms: readonly (Omit<PlanTerms, 'method'> & { readonly method: string })[]
  readonly merchants: readonly PlanMerchant[]
}

/** Locks the plan and its merchants, and describes them. The description is empty if there is no such plan. */
export async function lookAtPlan(tx: Tx, plan: string): Promise<DescribedPlan> {
  await lockPlanMerchants(tx, plan)
  const terms = (await lockPlan(tx, plan)).map((one) => ({ ...one, method: one.method || 'all' }))
  return { terms, merchants: await selectPlanMerchants(tx, plan) }
}

/**
 * Creates the plan, or changes its terms for a method. An omitted term keeps its value. If a method has no terms yet,
 * its new terms start from the plan's terms for all methods. New terms for payouts start without fees.
 */
export function setPlan(
  db: Db,
  { plan, method, options }: { plan: string; method: PlanMethod; options: TermOptions },
): Promise<void> {
  return db.transaction(async (tx) => {
    const { terms } = await lookAtPlan(tx, plan)
    const find = (name: string) => terms.find((one) => one.method === name)
    if (method !== 'all' && find('all') === undefined)
      throw new OperatorRefusal(`there is no plan ${plan}: set its terms for all methods first`, 'plan')
    const before = find(method) ?? (method === 'payout' ? freePlan : find('all')) ?? defaultPlan
    await upsertTerms(tx, plan, keyOf(method), applyTerms(before, options))
    await copyTerms(tx, plan)
  })
}

export function removePlanMethod(db: Db, plan: string, method: PlanMethod): Promise<void> {
  return db.transaction(async (tx) => {
    await lookAtPlan(tx, plan)
    if (method === 'all') throw new OperatorRefusal('a plan needs terms for all methods')
    if (!(await deleteTerms(tx, plan, keyOf(method))))
      throw new OperatorRefusal(`plan ${plan} has no separate terms for ${method}`)
    await copyTerms(tx, plan)
  })
}

/** Sets the merchant's plan. If `plan` is undefined, the merchant keeps its terms, but they no longer follow a plan. */
export function assignPlan(db: Db, merNo: number, plan: string | undefined): Promise<void> {
  return db.transaction(async (tx) => {
    if ((await lockMerchant(tx, merNo)) === undefined)
      throw new OperatorRefusal(`there is no merchant ${merNo}`)
    await unlinkPlan(tx, merNo)
    if (plan === undefined) return announceMerchant(tx, merNo)
    if ((await lockPlan(tx, plan)).length === 0) throw new OperatorRefusal(`there is no plan ${plan}`, 'plan')
    await linkPlan(tx, merNo, plan)
    await copyTerms(tx, plan, merNo)
  })
}

function keyOf(method: PlanMethod): string {
  return method === 'all' ? '' : method
}
