// Reads and changes the value above which a second person of the merchant must approve a payout run. The merchant may
// extend this rule to each payout that the merchant's system sends to the interface.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { PayoutSettings } from './payout.ts'
import { selectSettings, upsertSettings } from './sql.ts'

export function readPayoutSettings(db: Queryable, merNo: number): Promise<PayoutSettings> {
  return selectSettings(db, merNo)
}

/**
 * Changes the settings under an optimistic lock. Returns the new version, or undefined if the stored settings have
 * another version than the given settings.
 */
export function changePayoutSettings(
  tx: Tx,
  merNo: number,
  settings: PayoutSettings,
  at: Date,
): Promise<number | undefined> {
  return upsertSettings(tx, merNo, settings, at)
}

/**
 * Returns the value in US cents above which one of the merchant's own staff must approve a payout through the
 * interface, or undefined if there is no such value.
 */
export async function interfaceApprovalAbove(db: Queryable, merNo: number): Promise<bigint | undefined> {
  const { secondPersonAbove, includesInterface } = await selectSettings(db, merNo)
  return includesInterface ? secondPersonAbove : undefined
}
