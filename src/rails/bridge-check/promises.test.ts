import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allChecks } from './checks/all.ts'
import { promises } from './promises.ts'

test('every promise is held by our own adapters and by bridges', () => {
  const contract = globSync(['test/contracts/*-contract.ts', 'test/contracts/*-contract/*.ts']).map((path) =>
    readFileSync(path, 'utf8'),
  )
  const titles = new Set(allChecks.map(({ title }) => title))
  for (const [name, sentence] of Object.entries(promises)) {
    assert.ok(titles.has(sentence), `a check of bridges holds "${name}"`)
    assert.ok(
      contract.some((text) => text.includes(`it(promises.${name},`)),
      `the contract suites hold "${name}"`,
    )
  }
})

test('every check has a name of its own, and its part of the document', () => {
  const names = allChecks.map(({ name }) => name)
  assert.deepEqual([...new Set(names)], names)
  const document = readFileSync('docs/bridge-protocol.md', 'utf8')
  const listed = [...document.matchAll(/^\| `([a-z-]+)` \| /gm)].map(([, name = '']) => name)
  assert.deepEqual(
    names.filter((name) => !listed.includes(name)),
    [],
  )
})
