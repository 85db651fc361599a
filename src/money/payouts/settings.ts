// Owns payout_settings: the value above which a second person of the merchant must approve a payout run. The merchant
// may extend this rule to each payout that its system sends to the interface.
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { PayoutSettings } from './payout.ts'

export async function readPayoutSettings(db: Queryable, merNo: number): Promise<PayoutSettings> {
  const [row] = await db.query<{
    second_person_above: bigint | null
    includes_interface: boolean
    version: number
  }>({
    name: 'payout-settings.select',
    text: 'select second_person_above, includes_interface, version from payout_settings where mer_no = $1',
    values: [merNo],
  })
  return {
    secondPersonAbove: row?.second_person_above ?? undefined,
    includesInterface: row?.includes_interface ?? false,
    version: row?.version ?? 0,
  }
}

/**
 * Changes the settings under an optimistic lock. Returns the new version, or undefined if the stored settings have
 * another version than `version`.
 */
export async function changePayoutSettings(
  tx: Tx,
  merNo: number,
  { secondPersonAbove, includesInterface, version }: PayoutSettings,
  at: Date,
): Promise<number | undefined> {
  const [row] = await tx.query<{ version: number }>({
    text: `
      insert into payout_settings as s (mer_no, second_person_above, includes_interface, version, changed_at)
      select $1, $2, $5, 1, $4 where $3 = 0 or exists (select from payout_settings where mer_no = $1)
      on conflict (mer_no) do update set second_person_above = $2, includes_interface = $5,
        version = s.version + 1, changed_at = $4
        where s.version = $3
      returning version`,
    values: [merNo, secondPersonAbove ?? null, version, at, includesInterface],
  })
  return row?.version
}

/**
 * Returns the value in US cents above which one of the merchant's own staff must approve a payout through the
 * interface. Undefined if there is no such value.
 */
export async function interfaceApprovalAbove(db: Queryable, merNo: number): Promise<bigint | undefined> {
  const { secondPersonAbove, includesInterface } = await readPayoutSettings(db, merNo)
  return includesInterface ? secondPersonAbove : undefined
}
