// Lists rows that mistakes of earlier versions may have damaged, with advice for each mistake (review-past-sql.ts). The
// review only reads: an operator checks each row by the advice and corrects it if necessary. Every installation needs
// the review once, after the upgrade that contains migrations 0056 to 0059. A later release removes the review.
import { formatAmount } from '../../platform/base/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type DamagedRow, type Fact, type Mistake, mistakes, selectDamaged } from './review-past-sql.ts'

export type Damaged = {
  readonly merNo: number
  /** The number of an order or a refund, or the id of a suspense row or a statement. */
  readonly subject: string
  readonly amount: string
  readonly currency: string
  readonly at: string
  readonly details: Readonly<Record<string, string>>
}

export type PastMistake = Pick<Mistake, 'name' | 'what' | 'toDo'> & {
  /** The number of all damaged rows, including skipped rows and rows beyond the limit of the list. */
  readonly count: number
  /** The oldest rows after the skipped ones. */
  readonly rows: readonly Damaged[]
}

/**
 * Returns the mistakes that may have damaged rows, with these rows. The oldest `skip` rows of each mistake are not
 * returned. All queries read the same snapshot.
 */
export function reviewPast(db: Db, skip = 0): Promise<PastMistake[]> {
  return db.transaction(async (tx) => {
    await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
    const found: PastMistake[] = []
    for (const mistake of mistakes) {
      const { name, what, toDo } = mistake
      const rows = await selectDamaged(tx, mistake, skip)
      const count = rows[0]?.count ?? 0
      if (count > 0) found.push({ name, what, toDo, count, rows: rows.map(toDamaged) })
    }
    return found
  })
}

function toDamaged({ mer_no, subject, currency, amount, at, details }: DamagedRow): Damaged {
  const shown = Object.entries(details).flatMap(([name, fact]) => (fact === null ? [] : [[name, show(fact)]]))
  return {
    merNo: Number(mer_no),
    subject,
    amount: formatAmount(amount, currency),
    currency,
    at: at.toISOString(),
    details: Object.fromEntries(shown),
  }
}

function show(fact: Exclude<Fact, null>): string {
  return typeof fact === 'object'
    ? `${formatAmount(BigInt(fact.amount), fact.currency)} ${fact.currency}`
    : String(fact)
}
