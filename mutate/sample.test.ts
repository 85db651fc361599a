import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { equivalents, findEquivalent } from './equivalents.ts'
import { readOptions } from './options.ts'
import { allMutations, drawSample } from './sample.ts'
import { openSources } from './sources.ts'
import { importsOf, readImports, testsFor } from './tests-beside.ts'

const sources = openSources()
after(() => sources.close())
const all = allMutations(sources, readOptions([]).folders)

test('each mutation has a name of its own', () => {
  assert.ok(all.length > 5_000)
  const names = all.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
})

test('a seed draws the same sample again, and a smaller sample is its beginning', () => {
  const drawn = drawSample(all, 50, 7)
  assert.deepEqual(drawSample(all, 50, 7), drawn)
  assert.deepEqual(drawSample(all, 20, 7), drawn.slice(0, 20))
  assert.notDeepEqual(drawSample(all, 50, 8), drawn)
  assert.equal(new Set(drawn).size, 50)
  assert.deepEqual(drawSample([1, 2, 3], 9, 7).sort(), [1, 2, 3])
})

test('every entry of the equivalents still fits the code, and has a reason', () => {
  const unused = equivalents.filter((one) => !all.some((mutation) => findEquivalent(mutation) === one))
  assert.deepEqual(unused, [], 'remove the entry, or adapt its lines to the code')
  for (const { reason } of equivalents) assert.match(reason, /^[A-Z].{20,}\.$/)
})

test('the tests beside a file load it directly or through one step; a few other tests and long ones follow', () => {
  const imports = readImports(sources.paths)
  assert.ok(
    testsFor('src/money/refunds/refund.ts', imports).beside.includes('src/money/refunds/refund.test.ts'),
  )
  const { beside, others } = testsFor('src/money/refunds/sql.ts', imports)
  assert.ok(beside.length > 2 && beside.every((test) => test.startsWith('src/money/refunds/')))
  assert.ok(others.length > 0 && others.every((test) => !beside.includes(test)))
  assert.deepEqual(testsFor('src/money/audit/checks/deposits.ts', imports).long, [
    'src/money/audit/every-column.long.test.ts',
  ])
  const ofDues = testsFor('src/money/orders/dues.ts', imports)
  assert.ok(
    ofDues.others.includes('src/money/settlement/settle-due.test.ts'),
    'the folder that uses the file',
  )
})

test('imports of types load nothing', () => {
  const text = "import { x } from './c.ts'\nimport type { Y } from '../d.ts'\nawait import('./e.ts')\n"
  assert.deepEqual(importsOf('a/b.ts', text), ['a/c.ts', 'a/e.ts'])
})
