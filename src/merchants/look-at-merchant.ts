import type { Vault } from '../base/secret.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { type DescribedMerchant, describeMerchant } from './describe-merchant.ts'
import { loadMerchants } from './load-merchants.ts'
import { selectPlanOf } from './plan-sql.ts'
import { lockMerchant } from './sql.ts'

/** Locks the merchant first: what it returns stays true until the transaction ends, except for this transaction's own changes. */
export async function lookAtMerchant(
  tx: Tx,
  vault: Vault,
  merNo: number,
  now: Date,
): Promise<DescribedMerchant & { readonly feePlan: string | null }> {
  await lockMerchant(tx, merNo)
  const merchant = (await loadMerchants(tx, vault, [merNo], now)).get(merNo)
  if (merchant === undefined) throw new OperatorRefusal(`there is no merchant ${merNo}`)
  return { ...describeMerchant(merchant), feePlan: (await selectPlanOf(tx, merNo)) ?? null }
}
