import type { Queryable } from '../postgres/db.ts'
import { countLedger, type DifferenceRow, selectDifferences } from './sql.ts'

export type Verification = {
  readonly entries: number
  readonly accounts: number
  readonly differences: readonly Difference[]
}

/** Net amounts (credits less debits) in minor units. */
export type Difference = {
  readonly merNo: number
  readonly account: string
  readonly currency: string
  readonly balance: string
  readonly entries: string
}

/** Recomputes every balance from the entries. A sound ledger has no differences. */
export async function verifyLedger(db: Queryable): Promise<Verification> {
  const differences = await selectDifferences(db)
  return { ...(await countLedger(db)), differences: differences.map(toDifference) }
}

function toDifference(row: DifferenceRow): Difference {
  return {
    merNo: Number(row.mer_no),
    account: row.account,
    currency: row.currency,
    balance: (BigInt(row.stored_credits) - BigInt(row.stored_debits)).toString(),
    entries: (BigInt(row.entered_credits) - BigInt(row.entered_debits)).toString(),
  }
}
