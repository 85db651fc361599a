// Finds the merchant of a call. For the id of another merchant, a merchant's people get `not-found`, as for an id that
// does not exist.
import type { Merchant } from '../../money/merchants/merchant.ts'
import { type Caller, isOperator, listedMerchant } from '../../people/roles/caller.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { Problem } from '../../platform/errors/problem.ts'

export function ownOnly(caller: Pick<Caller, 'merNo'>, id: string): number {
  const merNo = merNoOf(id)
  if (merNo === undefined || (!isOperator(caller) && merNo !== caller.merNo))
    throw new Problem('not-found', `There is nothing under ${id}.`)
  return merNo
}

type MerchantDeps = { findMerchant(merNo: number): Promise<Merchant | undefined> }

export async function needMerchant(deps: MerchantDeps, merNo: number): Promise<Merchant> {
  const merchant = await deps.findMerchant(merNo)
  if (merchant === undefined) throw new Problem('not-found', 'There is no such merchant.')
  return merchant
}

/** The merchant of a list. If `merNo` is undefined, the list is of all merchants, and its days are days in UTC. */
export type Listed = { readonly merNo: number | undefined; readonly timezone: string }

export async function listedOf(
  deps: MerchantDeps,
  caller: Pick<Caller, 'merNo'>,
  named: number | undefined,
): Promise<Listed> {
  const merNo = listedMerchant(caller, named)
  return merNo === undefined ? { merNo, timezone: 'UTC' } : await needMerchant(deps, merNo)
}
