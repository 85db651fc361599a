import type { Tx } from '../postgres/db.ts'
import { selectSums } from './sql.ts'

/** Money in suspense for one attempt in one currency, in any state. */
export type SuspenseSum = {
  readonly tradeNo: string
  readonly attemptNo: number
  readonly currency: string
  readonly booked: bigint
  /** The amount that the channel reported. */
  readonly fromChannel: bigint
  /** The amount that a statement listed and no operator has decided on. */
  readonly heldFromStatement: bigint
  readonly statementRows: number
}

export async function sumByAttempt(
  tx: Tx,
  attempts: readonly { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number }[],
): Promise<SuspenseSum[]> {
  const rows = await selectSums(tx, attempts)
  return rows.map((row) => ({
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
    currency: row.currency,
    booked: row.booked,
    fromChannel: row.from_channel,
    heldFromStatement: row.held_from_statement,
    statementRows: row.statement_rows,
  }))
}
