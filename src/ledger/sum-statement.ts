// A statement in sums: what moved a merchant's balances in a period, and what the platform charged for it.
import type { Db } from '../postgres/db.ts'
import { AVAILABLE, FEES, UNSETTLED } from './account.ts'
import { type FeeSum, type StepSum, selectFees, selectOpening, selectStepSums } from './statement-sql.ts'
import type { StatementQuery, Sums } from './write-statement.ts'

export type StatementSums = {
  readonly opening: Sums
  readonly closing: Sums
  readonly steps: readonly StepSum[]
}

/** In one snapshot, so opening and steps add up to closing. */
export function sumStatement(db: Db, query: StatementQuery): Promise<StatementSums> {
  return db.transaction(async (tx) => {
    await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
    const span = { ...query, accounts: [AVAILABLE, UNSETTLED] }
    const balances = await selectOpening(tx, span)
    const opening = { available: balances.get(AVAILABLE) ?? 0n, unsettled: balances.get(UNSETTLED) ?? 0n }
    const steps = await selectStepSums(tx, span)
    const moved = (account: string) =>
      steps.reduce((sum, step) => (step.account === account ? sum + step.amount : sum), 0n)
    const closing = {
      available: opening.available + moved(AVAILABLE),
      unsettled: opening.unsettled + moved(UNSETTLED),
    }
    return { opening, closing, steps }
  })
}

export function sumFees(
  db: Db,
  period: { readonly merNo: number; readonly from: Date; readonly until: Date },
): Promise<FeeSum[]> {
  return db.transaction((tx) => selectFees(tx, period, FEES))
}
