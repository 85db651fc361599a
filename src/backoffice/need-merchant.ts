import type { Merchant } from '../merchants/merchant.ts'
import { Problem } from './problem.ts'

export async function needMerchant(
  deps: { findMerchant(merNo: number): Promise<Merchant | undefined> },
  merNo: number,
): Promise<Merchant> {
  const merchant = await deps.findMerchant(merNo)
  if (merchant === undefined) throw new Problem('not-found', 'There is no such merchant.')
  return merchant
}
