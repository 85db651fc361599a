import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sharesProcess, writeGroups } from './harness/in-sequence.ts'
import { passesOf } from './tiers.ts'

const imports = `import { after, before, describe, it, test } from 'node:test'
import { appendFileSync } from 'node:fs'
const note = (line) => appendFileSync(new URL('notes', import.meta.url), line + ' ')
`

/** Runs the files as one group, in a folder of their own. */
function runGroup(t: TestContext, codes: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-group-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = codes.map((code, at) => {
    const file = join(folder, `${at + 1}.test.mjs`)
    writeFileSync(file, imports + code)
    return file
  })
  const [program = ''] = writeGroups(files, folder, 1)
  // With this variable, the child would report to the runner of this test, and would not print for people.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=spec', program], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, notes: () => readFileSync(join(folder, 'notes'), 'utf8').trim() }
}

test('a file is loaded once the one before it has ended, and its hooks are its own', (t) => {
  const code = (name: string) => `note('load-${name}')
before(async () => note('before-${name}'))
after(async () => note('after-${name}'))
test('outside', async () => note('outside-${name}'))
describe('some', () => it('inside', async () => note('inside-${name}')))`
  const { status, notes } = runGroup(t, [code('a'), code('b')])
  const parts = ['load', 'before', 'outside', 'inside', 'after']
  const expected = ['a', 'b'].flatMap((name) => parts.map((part) => `${part}-${name}`))
  assert.deepEqual(notes().split(' '), expected)
  assert.equal(status, 0)
})

test('whatever fails in one file fails the group, is named, and does not keep the others from running', (t) => {
  const faults = [
    `test('a', () => { throw new Error('in a test') })`,
    `describe('b', () => it('c', async () => { throw new Error('in a suite') }))`,
    `before(() => { throw new Error('in a hook') })\ntest('d', () => {})`,
    `after(async () => { throw new Error('at the end') })\ntest('e', () => {})`,
    `throw new Error('while loading')`,
    `test('f', () => {})`,
  ]
  for (const fault of faults.slice(0, -1)) assert.equal(runGroup(t, [fault]).status, 1, fault)
  const { status, stdout } = runGroup(t, faults)
  assert.equal(status, 1)
  for (const at of [1, 2, 3, 4, 5]) assert.match(stdout, new RegExp(`✖ \\S*/${at}\\.test\\.mjs`))
  for (const where of ['in a test', 'in a suite', 'in a hook', 'at the end', 'while loading'])
    assert.ok(stdout.includes(where), where)
  assert.match(stdout, /✔ f/)
})

test('each file that shares a process is in one group', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-groups-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = passesOf([]).flatMap((pass) => pass.files.filter(sharesProcess))
  assert.ok(files.length > 100)
  const programs = writeGroups(files, folder, 4)
  assert.equal(new Set(programs.map((program) => basename(program))).size, programs.length)
  const named = programs.flatMap((program) => readFileSync(program, 'utf8').match(/[^"]+\.test\.ts/g) ?? [])
  assert.deepEqual(named.toSorted(), files.toSorted())
})

test('what starts processes or changes its own does not share one', () => {
  assert.equal(sharesProcess('test/in-sequence.test.ts'), false, 'it starts processes')
  assert.equal(sharesProcess('src/gateway/main.test.ts'), false)
  assert.equal(
    sharesProcess('src/money/notifications/send.test.ts'),
    false,
    'it sets variables of the environment',
  )
  assert.equal(sharesProcess('src/platform/base/secret-file.test.ts'), false, 'it sets the umask')
  assert.equal(sharesProcess('src/platform/base/money.test.ts'), true)
})
