// docs/tables.md lists every table with its key, writer and readers, as the schema and the statements have them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Row = { readonly table: string; readonly key: string; readonly writes: string; readonly reads: string }

const documented: readonly Row[] = [
  ...read('docs/tables.md').matchAll(/^\| `(\w+)` \| \S[^|]* \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm),
].map(([, table = '', key = '', writes = '', reads = '']) => {
  return { table, key, writes: writes.replaceAll('`', ''), reads: reads.replaceAll('`', '') }
})

const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({
    folder: (path.split('/')[2] ?? '').replace(/\.ts$/, ''),
    text: withoutComments(read(path)),
  }))

function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
}

function foldersWith(statement: RegExp): string[] {
  const found = sources.filter(({ text }) => statement.test(text)).map(({ folder }) => folder)
  return [...new Set(found)].sort()
}

const actual: readonly Row[] = [
  ...read('migrations/schema.sql').matchAll(/^create table (\w+) \((.*?)^\);/gms),
].map(([, table = '', body = '']) => {
  const writers = foldersWith(new RegExp(`\\b(insert into|update|delete from)\\s+${table}\\b`))
  const readers = foldersWith(new RegExp(`(?<!delete )\\bfrom\\s+${table}\\b|\\bjoin\\s+${table}\\b`))
  const others = readers.filter((folder) => !writers.includes(folder))
  const [, key = ''] = /primary key \(([^)]*)\)/.exec(body) ?? []
  return { table, key, writes: writers.join(', '), reads: others.join(', ') || '–' }
})

const byName = (one: Row, other: Row) => one.table.localeCompare(other.table)

test('docs/tables.md lists every table once, with its key, its writer and who else reads it', () => {
  assert.ok(actual.length > 20 && actual.every(({ writes }) => writes !== ''))
  assert.deepEqual(documented.toSorted(byName), actual.toSorted(byName))
})
