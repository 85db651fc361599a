import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogue } from './catalogue.ts'

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => /^\| \d{5} \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('docs/errors.md lists exactly the codes and messages of the catalogue, in order', () => {
  const documented = rows.map(([, code, message]) => [code, message])
  const known = Object.entries(catalogue).toSorted(([one], [other]) => (one < other ? -1 : 1))
  assert.deepEqual(documented, known)
})

test('docs/errors.md says for every code when it occurs and what to do next', () => {
  for (const [, code, , when, next, ...rest] of rows) {
    assert.ok(when !== undefined && /\w.*\.$/.test(when), `${code} has no "when"`)
    assert.ok(next !== undefined && /\w.*\.$/.test(next), `${code} has no "what to do next"`)
    assert.deepEqual(rest, [''], `${code} has a cell too many`)
  }
})
