import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { passesOf, testFiles } from './tiers.ts'

test('every test file is in the usual run or in test:more, and every file that a tier names is there', () => {
  const named = [...passesOf([]), ...passesOf(['--quick']), ...passesOf(['--more'])].flatMap(
    ({ files }) => files,
  )
  assert.deepEqual(
    named.filter((file) => !existsSync(file)),
    [],
  )
  const all = testFiles()
  assert.deepEqual(
    all.filter((file) => !named.includes(file)),
    [],
  )
})

test('tests of packages are not ours', () => {
  assert.deepEqual(
    [...testFiles(), ...passesOf(['test']).flatMap(({ files }) => files)].filter((file) =>
      file.includes('node_modules'),
    ),
    [],
  )
})

test('no test file is in a pass twice', () => {
  for (const { title, files } of passesOf(['--more'])) assert.equal(new Set(files).size, files.length, title)
})

test('a pass begins with its longest files', () => {
  const [usual] = passesOf([])
  assert.equal(usual?.files[0], 'test/stories/checkout.test.ts')
  assert.match(usual?.files.at(-1) ?? '', /^(src|sandbox|sdk|test\/[^/]+$)/)
})
