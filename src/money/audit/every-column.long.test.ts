// Tests that the audit proves the rows about money. A test for each covered table corrupts one column of one row at a
// time. It expects that the audit names the row, that a constraint refuses the change, or that not-found-yet.ts lists
// the change. The test of a new table or column fails until test/harness/every-column/tables.ts says what the audit
// must know about it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openAllKinds } from '../../../test/builders/all-kinds-of-rows.ts'
import { assertMoneySound } from '../../../test/builders/paid-orders.ts'
import type { TestPayouts } from '../../../test/builders/payouts.ts'
import {
  type Column,
  changesOf,
  columnsOf,
  placeOrders,
  rowChanges,
  rowsOf,
  tryChange,
  withoutTriggers,
} from '../../../test/harness/every-column/corruptions.ts'
import { notFoundYet } from '../../../test/harness/every-column/not-found-yet.ts'
import {
  columnsWithoutMoney,
  covered,
  derivedTables,
  tablesWithoutMoney,
} from '../../../test/harness/every-column/tables.ts'
import { unused } from '../../../test/harness/every-column/unused.ts'
import { systemClock } from '../../platform/base/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { checks, verifyBooks } from './verify-books.ts'

let setup: TestPayouts
let columns: readonly Column[]
before(async () => {
  setup = await openAllKinds()
  columns = await columnsOf(setup.db)
})
after(() => setup.close())

const listed = (lists: Readonly<Record<string, readonly string[]>>) => Object.values(lists).flat()
const exempt = new Set(listed(columnsWithoutMoney))

test('the audit finds nothing in books that the gateway wrote', async () => {
  const { findings, differences } = await verifyBooks({ db: setup.db, clock: systemClock })
  assert.deepEqual({ findings, differences }, { findings: [], differences: [] })
})

test('every table of the schema is covered, is derived from others, or has no money', () => {
  const decided = [...Object.keys({ ...covered, ...derivedTables }), ...listed(tablesWithoutMoney)].sort()
  assert.deepEqual(decided, [...new Set(columns.map(({ table }) => table))].sort())
})

test('the lists of columns name columns of covered tables, each once', () => {
  const known = new Set(columns.filter(({ table }) => table in covered).map(nameOf))
  const named = listed(columnsWithoutMoney)
  assert.deepEqual(
    named.filter((name, at) => !known.has(name) || named.indexOf(name) !== at),
    [],
  )
  const rows = Object.keys(covered).flatMap((table) => [`${table} deleted`, `${table} copied`])
  const expected = [...known, ...rows, ...Object.keys(covered)]
  const skipped = unused.flatMap((one) => one.columns)
  assert.deepEqual(
    skipped.filter((name) => !expected.includes(name)),
    [],
  )
  assert.deepEqual(
    Object.keys(notFoundYet).filter((name) => !expected.includes(name) || exempt.has(name)),
    [],
  )
})

const isUnused = (name: string, kind: string) =>
  unused.some(({ columns, kinds }) => columns.includes(name) && kinds?.test(kind) !== false)

const nameOf = ({ table, column }: Pick<Column, 'table' | 'column'>) => `${table}.${column}`

/** While you work on a check, TOLLGATE_AUDIT_TABLES=refunds,orders.state runs these tables and columns only. */
const chosen = process.env.TOLLGATE_AUDIT_TABLES?.split(',')
const isChosen = (name: string) =>
  chosen === undefined || chosen.includes(tableOf(name)) || chosen.includes(name)
const tableOf = (name: string) => name.split(/[ .]/)[0] ?? ''

for (const table of Object.keys(covered).filter(
  (one) => chosen?.some((name) => tableOf(name) === one) ?? true,
))
  test(`the audit names every corrupted row of ${table}`, async (t) => {
    const missed = await inTransaction((tx) => missedOf(tx, table))
    const expected = Object.entries(notFoundYet).filter(([name]) => tableOf(name) === table && isChosen(name))
    for (const [name, kinds] of Object.entries(missed.kinds))
      t.diagnostic(`not found: ${name}: ${kinds.join(', ')}`)
    assert.deepEqual(differences(missed, Object.fromEntries(expected)), [])
  })

/** Compares the corruptions that the audit missed with the expected ones. Returns a sentence for each difference. */
function differences({ kinds, texts }: Missed, expected: typeof notFoundYet): string[] {
  const names = [...new Set([...Object.keys(kinds), ...Object.keys(expected)])]
  return names.flatMap((name) => {
    const [found, listed] = [kinds[name] ?? [], expected[name] ?? []]
    return [
      ...found
        .filter((kind) => !listed.includes(kind))
        .map((kind) => `missed, but not listed: ${texts.get(`${name} ${kind}`)?.join('; ')}`),
      ...listed
        .filter((kind) => !found.includes(kind))
        .map((kind) => `listed, but found or no longer possible: ${name} (${kind})`),
    ]
  })
}

/** The checks that have found a corruption. */
const seen = new Set<string>()

test('every check found a corruption', { skip: chosen !== undefined }, () => {
  const unseen = checks.map(({ name }) => name).filter((name) => !seen.has(name))
  assert.deepEqual(unseen, [])
})

test('the books are sound again', () => assertMoneySound(setup.db))

/** The corruptions that the audit missed: the kinds of rows by column, and descriptions by column and kind. */
type Missed = { readonly kinds: Record<string, string[]>; readonly texts: Map<string, string[]> }

/** Returns the corruptions of the table that the audit does not name: the kinds of rows by column. */
async function missedOf(tx: Tx, table: string): Promise<Missed> {
  const how = covered[table] ?? {}
  const own = columns.filter((one) => one.table === table)
  const rows = await rowsOf(tx, own, how)
  if (rows.length === 0) return { kinds: { [table]: ['no row'] }, texts: new Map() }
  const cases = [
    ...own
      .filter((one) => !exempt.has(nameOf(one)))
      .flatMap((one) => changesOf(own, one, how).map((change) => ({ name: nameOf(one), change }))),
    ...rowChanges(own, how).map((change) => ({ name: `${table} ${change.what}`, change })),
  ]
  const missed: Missed = { kinds: {}, texts: new Map() }
  for (const { name, change } of cases.filter((one) => isChosen(one.name)))
    for (const row of rows.filter(({ kind }) => !isUnused(name, kind))) {
      if ((await tryChange(tx, row, change, (check) => seen.add(check))) !== 'not found') continue
      const kind = row.kind === '' ? 'any' : row.kind
      missed.kinds[name] = [...new Set([...(missed.kinds[name] ?? []), kind])].sort()
      const [key, text] = [`${name} ${kind}`, `${name} (${kind}): ${change.what}`]
      missed.texts.set(key, [...(missed.texts.get(key) ?? []), text])
    }
  return missed
}

class Undone extends Error {}

/** Runs the work in a transaction that is rolled back. */
async function inTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
  let result: { of: Result } | undefined
  await setup.db
    .transaction(async (tx) => {
      await tx.query({ text: placeOrders })
      await tx.query({ text: withoutTriggers })
      result = { of: await work(tx) }
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  assert.ok(result)
  return result.of
}
