// Checks which folder writes a table, which folders read it, and which files contain SQL. Every complaint names a file
// and says what to do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groups, read, src, unitOf } from './harness/source-files.ts'

/** Domains that may read every table: they compare the books, or show one order with all its rows. */
const mayReadAll = /^src\/money\/(audit|order-queries)\//

/**
 * Statements of sessions/ may join the other tables of people/, because one statement finds the session of each
 * request.
 */
const mayReadPeople = /^src\/people\/sessions\/sql\.ts$/

/**
 * The files that may contain SQL: sql.ts and *-sql.ts, order-queries, the checks of the audit, and owners of tables.
 */
const sqlFiles = /\/([\w-]+-)?sql\.ts$|^src\/money\/(audit\/checks|order-queries)\//
const owners: readonly string[] = [
  'src/money/orders/daily-totals.ts',
  'src/money/orders/dues.ts',
  'src/money/orders/limit-usage.ts',
  'src/money/orders/lock-orders.ts',
  'src/money/orders/new-order.ts',
  'src/money/orders/open-attempts.ts',
  'src/money/orders/platform-limits.ts',
  'src/money/orders/write-changes.ts',
  'src/money/payments/use-token.ts',
  'src/money/payouts/settings.ts',
  'src/money/ledger/balances.ts',
  'src/money/ledger/post-entries.ts',
  'src/money/notifications/enqueue-notifications.ts',
  'src/people/factors/challenge.ts',
  'src/people/factors/recovery-codes.ts',
  'src/money/notifications/pause-merchant.ts',
  'src/money/merchants/platform-key.ts',
  'src/money/risk/hits.ts',
  'src/people/sessions/throttle.ts',
  'src/people/users/alert-settings.ts',
  'src/people/users/links.ts',
  'src/people/users/store-users.ts',
  'src/platform/mail/store-mails.ts',
  'src/platform/postgres/migrate.ts',
  'src/platform/postgres/sweep.ts',
]

const tables = [...read('migrations/schema.sql').matchAll(/^create table (\w+)/gm)].map(
  ([, name = '']) => name,
)

/**
 * Returns the domains that write a table. The first is its owner. The sandbox's counterparties have their own
 * databases.
 */
function writersOf(table: string): string[] {
  const writes = new RegExp(`\\b(insert into|update|delete from)\\s+${table}\\b`)
  const units = src.filter(({ text }) => writes.test(text)).map(({ path }) => unitOf(path))
  return [...new Set(units.filter((unit) => unit !== 'sandbox'))]
}

test('every table is written from one domain', () => {
  assert.ok(tables.includes('orders'))
  const shared = tables.filter((table) => writersOf(table).length > 1)
  const complaints = shared.map((table) => `${table} is written by ${writersOf(table).join(' and ')}`)
  assert.deepEqual(complaints, [], 'leave a table to its owner, and call its use case')
})

test('orders are read through their view outside of orders, order-queries and the audit', () => {
  const mayRead = ['orders', 'order-queries', 'audit', 'sandbox']
  const reads =
    /\b(from|join|update|into|using)\s+(orders|attempts|attempt_rows|order_events|order_event_rows)\b/
  const outside = src.filter(({ path }) => !mayRead.includes(unitOf(path)))
  const complaints = outside.filter(({ text }) => reads.test(text)).map(({ path }) => path)
  assert.deepEqual(complaints, [], 'read current_orders or current_attempts, or call a use case of orders')
})

test('a table is read by the domain that owns it', () => {
  // Tables of orders have their own rule above.
  const others = tables.filter((table) => !['orders', 'attempt_rows', 'order_event_rows'].includes(table))
  const found = others.flatMap((table) => {
    const reads = new RegExp(`\\b(from|join)\\s+${table}\\b`)
    const [owner] = writersOf(table)
    const readers = src.filter(({ path, text }) => sqlFiles.test(path) && reads.test(text))
    const isOfPeople = groups.people?.flat().includes(owner ?? '')
    const foreign = readers.filter(({ path }) => {
      if (unitOf(path) === owner || mayReadAll.test(path)) return false
      return !(isOfPeople && mayReadPeople.test(path))
    })
    return foreign.map(({ path }) => `${path} reads ${table}`)
  })
  assert.deepEqual(found.sort(), [], 'call a use case of the domain that owns the table')
})

test('lists go to SQL through postgres/lists.ts', () => {
  const pattern = /\bjson_to_recordset\b|\bunnest\s*\(\s*\$\d|\b(any|all)\s*\(\s*\$\d/
  const others = src.filter(
    ({ path, text }) => path !== 'src/platform/postgres/lists.ts' && pattern.test(text),
  )
  assert.deepEqual(
    others.map(({ path }) => path),
    [],
    'use listOf or arrayOf',
  )
})

test('SQL is only in the files for it', () => {
  const pattern =
    /[`'"]\s*(with\s+(recursive\s+)?\w+\s+as\b|select\b[^`'"]*\bfrom\s+(?!pg_)|insert into\b|update\s+\w+\s+(\w+\s+)?set\b|delete from\b)/
  const withSql = src.filter(({ path, text }) => path.startsWith('src/') && pattern.test(text))
  const stray = withSql.filter(({ path }) => !sqlFiles.test(path) && !owners.includes(path))
  assert.deepEqual(
    stray.map(({ path }) => path),
    [],
    "move it into the domain's sql.ts",
  )
  const silent = owners.filter((path) => !/^\/\/ Owns /.test(read(path)))
  assert.deepEqual(silent, [], 'begin with "Owns" and the table')
})
