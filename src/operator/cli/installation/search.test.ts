// The command `search rebuild` rewrites every table that is derived from orders, whatever the table contains.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { aPayment, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import {
  changesOf,
  columnsOf,
  isRefusal,
  placeOrders,
  rowChanges,
  rowsOf,
} from '../../../../test/harness/every-column/corruptions.ts'
import { derivedTables } from '../../../../test/harness/every-column/tables.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { operatorAt } from '../../../../test/harness/operator.ts'
import { addMilestones } from '../../../money/order-queries/milestones.ts'
import { createIndexer } from '../../../money/order-queries/search/index-orders.ts'
import { verifyIndex } from '../../../money/order-queries/search/verify-index.ts'
import { acceptPayments } from '../../../money/payments/accept-payments.ts'
import { recordOutcomes } from '../../../money/payments/record-outcomes.ts'

const HOUR_MS = 3_600_000
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-search-'))
const database = useDatabase({ after: async () => rmSync(dataDir, { recursive: true }) })
const tables = Object.keys(derivedTables).filter((table) => derivedTables[table] === 'search rebuild')

/** Indexes until nothing is left, as the gateway's workers do. */
async function indexAll(): Promise<void> {
  const indexer = createIndexer(database.db)
  for (const now of [new Date(), later]) while (await indexer.step(now));
  await addMilestones(database.db, later)
}

const later = new Date(Date.now() + HOUR_MS)

/** Returns all rows of the derived tables, without `checked_until`, which depends on the time of the rebuild. */
async function rowsByTable(): Promise<Record<string, readonly string[]>> {
  const all: Record<string, readonly string[]> = {}
  for (const table of tables) {
    const rows = await database.db.query<{ row: string }>({
      text: `select (to_jsonb(t) - 'checked_until')::text as row from ${table} t order by row`,
    })
    all[table] = rows.map(({ row }) => row)
  }
  return all
}

/** Corrupts the table in many ways: changes each column of one row, and deletes and copies rows. */
async function corrupt(table: string): Promise<void> {
  const columns = (await columnsOf(database.db)).filter((one) => one.table === table)
  const changes = [
    ...columns.flatMap((one) => changesOf(columns, one, {})),
    ...rowChanges(columns, {}).reverse(),
  ]
  for (const { text } of changes) {
    const refused = await database.db
      .transaction(async (tx) => {
        await tx.query({ text: placeOrders })
        const [row] = await rowsOf(tx, columns, {})
        await tx.query({ text, values: [row?.ctid ?? '(0,0)'] })
      })
      .catch((error: unknown) => error)
    assert.ok(refused === undefined || isRefusal(refused), String(refused))
  }
}

for (const table of tables)
  test(`search rebuild mends ${table}`, async () => {
    const { db, url } = database
    const payments = Array.from({ length: 120 }, (_, no) =>
      aPayment({ merNo: 63_000_000 + (no % 10 === 0 ? 1 : 0) }),
    )
    await acceptPayments(db, payments)
    const outcome = { kind: 'failed', cause: 'declined', message: 'Declined' } as const
    const declined = payments.slice(0, 40).map((one) => aSuccess(one, { outcome }))
    await recordOutcomes({ db, rates: noRates }, declined)
    const operator = operatorAt({ databaseUrl: url, dataDir })
    await operator.run('search', 'rebuild')
    await indexAll()
    const fresh = await rowsByTable()
    assert.ok((fresh[table] ?? []).length > 0)
    await corrupt(table)
    assert.notDeepEqual((await rowsByTable())[table], fresh[table])
    await operator.run('search', 'rebuild')
    await indexAll()
    assert.deepEqual(await rowsByTable(), fresh)
    assert.equal((await verifyIndex(db)).wrong, 0)
  })
