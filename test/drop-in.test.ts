import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bundled, minified } from '../web/minify.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

test('shops load what src/platform/pages/drop-in.js says (after a change: npm run manifest)', () => {
  assert.equal(
    readFileSync(pathOf('platform/pages/assets/drop-in.js'), 'utf8'),
    minified(pathOf('platform/pages/drop-in.js')),
  )
})

test('readers search with what src/interfaces/docs/search-box.js says (after a change: npm run manifest)', async () => {
  assert.equal(
    readFileSync(pathOf('platform/pages/assets/search.js'), 'utf8'),
    await bundled(pathOf('interfaces/docs/search-box.js')),
  )
})
