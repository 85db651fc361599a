// Checks the books against every rule, in one consistent snapshot: it does not see changes that payments make meanwhile, and
// does not delay them. It takes no locks, uses one connection, and reads a few thousand orders at a time.
import type { Clock } from '../base/clock.ts'
import { oldestDelta } from '../ledger/oldest-delta.ts'
import type { Verification } from '../ledger/verify-ledger.ts'
import { atReadersPace, type Db } from '../postgres/db.ts'
import { Audit } from './audit.ts'
import type { Check, Finding } from './check.ts'
import { accountChecks } from './checks/accounts.ts'
import { afterPaymentChecks } from './checks/after-payment.ts'
import { correctionChecks } from './checks/corrections.ts'
import { dueChecks } from './checks/dues.ts'
import { entryChecks } from './checks/entries.ts'
import { historyChecks } from './checks/history.ts'
import { orderChecks } from './checks/orders.ts'
import { payoutChecks } from './checks/payouts.ts'
import { sumChecks } from './checks/sums.ts'
import { type Corrections, countMerchants, selectCorrections, slicesOf, takeSnapshot } from './sql.ts'

export const checks: readonly Check[] = [
  ...orderChecks,
  ...historyChecks,
  ...dueChecks,
  ...afterPaymentChecks,
  ...payoutChecks,
  ...accountChecks,
  ...correctionChecks,
  ...entryChecks,
  ...sumChecks,
]

export type Books = Verification & {
  readonly orders: number
  readonly merchants: number
  readonly findings: readonly Finding[]
  /** Correcting entries of operators: they are part of sound books. */
  readonly corrections: Corrections
  /** The age of the oldest delta that is not folded yet; undefined if there is none. */
  readonly oldestDeltaSeconds: number | undefined
}

export type Progress = { readonly done: number; readonly total: number }

export type VerifyDeps = {
  readonly db: Db
  readonly clock: Clock
  /** When aborted, the audit ends after the current query with the signal's reason. */
  readonly signal?: AbortSignal
  readonly ordersPerSlice?: number
}

/** Some tenths of a second of work, in several statements. */
const ORDERS_PER_SLICE = 5_000

export function verifyBooks(
  { db, clock, signal, ordersPerSlice = ORDERS_PER_SLICE }: VerifyDeps,
  report: (progress: Progress) => void = () => {},
): Promise<Books> {
  return db.transaction(async (tx) => {
    await takeSnapshot(tx)
    // A terminal or a full pipe may hold the process of a command.
    await tx.query({ text: atReadersPace })
    const slices = await slicesOf(tx, ordersPerSlice)
    const audit = new Audit(tx, checks, signal)
    for (const [done, slice] of slices.entries()) {
      report({ done, total: slices.length })
      await audit.checkSlice(slice)
    }
    await audit.checkPlatform()
    report({ done: slices.length, total: slices.length })
    const merchants = await countMerchants(tx)
    const corrections = await selectCorrections(tx)
    return { ...audit.found(), merchants, corrections, oldestDeltaSeconds: await oldestDelta(tx, clock) }
  })
}

export function isSound({ differences, findings }: Books): boolean {
  return differences.length === 0 && findings.length === 0
}

export function ruleOf(name: string): string {
  return checks.find((check) => check.name === name)?.rule ?? name
}
