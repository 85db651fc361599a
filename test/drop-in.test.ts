import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { minified } from '../web/minify.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../src/pages/${name}`, import.meta.url))

test('shops load what src/pages/drop-in.js says (after a change: npm run manifest)', () => {
  assert.equal(readFileSync(pathOf('assets/drop-in.js'), 'utf8'), minified(pathOf('drop-in.js')))
})
