import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { interfaceSource } from './interface-source.ts'

test('sdk/src/generated.ts is what the tables of the merchant interface say', () => {
  const committed = readFileSync(new URL('../src/generated.ts', import.meta.url), 'utf8')
  assert.equal(committed, interfaceSource(), 'run "npm run sdk"')
})
