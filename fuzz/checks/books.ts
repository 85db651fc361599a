// The books, as `ledger verify` checks them.
import { verifyBooks } from '../../src/money/audit/verify-books.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import type { Db } from '../../src/platform/postgres/db.ts'

const MOST = 5

/** Returns a sentence for each of the first five problems of the books. */
export async function brokenRules(db: Db): Promise<string[]> {
  const { findings, differences } = await verifyBooks({ db, clock: systemClock })
  const rules = findings.map(({ check, merNo, subject, found, expected }) => {
    return `the books break ${check}: merchant ${merNo}, ${subject}, found ${found}, expected ${expected}`
  })
  const sums = differences.map(({ merNo, account, currency, balance, entries }) => {
    return `a balance is not its entries: merchant ${merNo}, ${account} ${currency}, ${balance}, ${entries}`
  })
  return [...rules, ...sums].slice(0, MOST)
}
