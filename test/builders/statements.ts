// Statements for tests: their lines are written as texts, and money in suspense is read as sums.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { attemptReference } from '../../src/money/orders/order.ts'
import { importStatement } from '../../src/money/reconciliation/import-statement.ts'
import type { Report } from '../../src/money/reconciliation/reconcile.ts'
import { readStatement } from '../../src/money/reconciliation/statement-line.ts'
import { listHeld } from '../../src/money/suspense/book-suspense.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { anAttempt, noRates } from './builders.ts'
import { openCase, PRICE } from './deposits.ts'
import { paidOrder } from './paid-orders.ts'

type About = { channel: string; fileName: string; day?: string; replaces?: string; db?: Db }

/** Opens the channels `sepa` and `card`, whose statements would be refused without a booking. */
export async function openChannels(db: Db): Promise<void> {
  for (const channel of ['sepa', 'card'])
    await paidOrder(db, { merNo: 58_000_000, attempt: anAttempt(new Date(), { channel }) })
}

/** Returns functions for the tests of a file. `open` returns the database, which is opened before the first test. */
export function statementsOf(open: () => Db) {
  // Statements differ by the time of their import.
  let nowMs = Date.parse('2026-09-20T00:00:00Z')
  const clock = { now: () => new Date(nowMs++) }
  let tests = 0

  async function importAs({ db = open(), ...about }: About, ...lines: string[]): Promise<Report> {
    const rows = lines.map((line) => {
      const [reference, amount, currency, day, fee = '', id = ''] = line.split(' ')
      return [reference?.replaceAll('_', ' '), 'payment', amount, currency, fee, day, id].join()
    })
    async function* text() {
      yield ['reference,type,amount,currency,fee,date,id', ...rows, ''].join('\n')
    }
    return importStatement({ db, clock }, { ...about, by: 'Ada' }, await readStatement(text()))
  }

  /** Adds our reference of the payment, and a function that returns the amounts in suspense for the payment. */
  const withHeld = (one: Awaited<ReturnType<typeof openCase>>) => {
    const { merNo, tradeNo } = one.order
    const held = async () => (await listHeld(open(), merNo, 10)).map(({ money }) => money.amount)
    return { ...one, reference: attemptReference(tradeNo, 1), held }
  }

  return {
    clock,
    importAs,
    deps: () => ({ db: open(), clock, rates: noRates }),
    /** Returns three days that no other test has. */
    days: () => {
      const [year, month] = [2020 + Math.floor(tests / 12), String(1 + (tests++ % 12)).padStart(2, '0')]
      return [`${year}-${month}-03`, `${year}-${month}-04`, `${year}-${month}-05`] as const
    },
    /** Imports lines, which are written as `reference amount currency day`, with an optional fee and id. */
    imports: (...lines: string[]) => importAs({ channel: 'sepa', fileName: 'table.csv' }, ...lines),
    /** Imports lines as a correction of an earlier statement. */
    corrects: ({ statementId }: Report, ...lines: string[]) =>
      importAs({ channel: 'sepa', fileName: 'table.csv', replaces: statementId }, ...lines),
    /** Returns the sums in suspense that belong to no known order, and whose references begin with this text. */
    async waiting(reference: string): Promise<string[]> {
      const held = await listHeld(open(), 0, 100)
      return held
        .filter((one) => one.reference.startsWith(reference))
        .map(({ money }) => `${money.amount} ${money.currency}`)
        .sort()
    },
    async idOf(reference: string): Promise<string> {
      const found = (await listHeld(open(), 0, 100)).find((one) => one.reference === reference)
      assert.ok(found, `${reference} waits`)
      return found.suspenseId
    },
    async lateCase() {
      const one = await openCase(open())
      await one.expires()
      return withHeld(one)
    },
    async paidCase() {
      const one = await openCase(open())
      await one.comes(PRICE)
      return withHeld(one)
    },
  }
}

const migration = new URL('../../migrations/0062_fingerprints_of_statements.sql', import.meta.url)

/**
 * Computes the fingerprints of all statements as the migration does, for tests that write lines of earlier versions.
 */
export async function migrateFingerprints(db: Db): Promise<void> {
  const [, ...updates] = readFileSync(migration, 'utf8').split('by_import on channel_statements (import_no);')
  await db.query({ text: `update channel_statements set lines_fingerprint = 0; ${updates.join('')}` })
}

/** Returns the kinds of the differences, without lines that only other statements list. */
export function kindsIn({ differences }: Report): string[] {
  return differences.flatMap(({ kind }) => (kind === 'not repeated' ? [] : [kind]))
}
