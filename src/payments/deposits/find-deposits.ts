// Reads the deposits that channels reported, for comparison with statements.
import type { AttemptKey } from '../../orders/order.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'
import { selectDepositSums, selectOwners } from './sql.ts'

/** Deposits that the channel reported for an attempt in one currency. */
export type DepositSum = {
  readonly tradeNo: string
  readonly attemptNo: number
  readonly currency: string
  readonly inSuspense: bigint
  readonly taken: bigint
  readonly amounts: readonly bigint[]
}

export async function sumDeposits(tx: Tx, attempts: readonly AttemptKey[]): Promise<DepositSum[]> {
  const rows = await selectDepositSums(tx, attempts)
  return rows.map((row) => ({
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
    currency: row.currency,
    inSuspense: row.in_suspense,
    taken: row.taken,
    amounts: row.amounts.split(',').map(BigInt),
  }))
}

/** Our references of the attempts that own these deposits, by the channel's references of the deposits. */
export async function findDepositAttempts(
  db: Queryable,
  channel: string,
  depositRefs: readonly string[],
): Promise<Map<string, string>> {
  if (depositRefs.length === 0) return new Map()
  const rows = await selectOwners(db, channel, depositRefs)
  return new Map(rows.map((row) => [row.deposit_ref, row.reference]))
}
