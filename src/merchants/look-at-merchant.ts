import type { Vault } from '../base/secret.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { type DescribedMerchant, describeMerchant } from './describe-merchant.ts'
import { loadMerchants } from './load-merchants.ts'
import { logoFingerprint } from './logo.ts'
import { selectPlanOf } from './plan-sql.ts'
import { lockMerchant } from './sql.ts'

/** The logo is its fingerprint: who replaces one changes something. */
export type LookedAtMerchant = Omit<DescribedMerchant, 'logo'> & {
  readonly logo: string | null
  readonly feePlan: string | null
}

/** Locks the merchant first: what it returns stays true until the transaction ends, except for this transaction's own changes. */
export async function lookAtMerchant(
  tx: Tx,
  vault: Vault,
  merNo: number,
  now: Date,
): Promise<LookedAtMerchant> {
  await lockMerchant(tx, merNo)
  const merchant = (await loadMerchants(tx, vault, [merNo], now)).get(merNo)
  if (merchant === undefined) throw new OperatorRefusal(`there is no merchant ${merNo}`)
  return {
    ...describeMerchant(merchant),
    logo: await logoFingerprint(tx, merNo),
    feePlan: (await selectPlanOf(tx, merNo)) ?? null,
  }
}
