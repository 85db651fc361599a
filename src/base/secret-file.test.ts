import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { keptFile } from './created-secret.ts'
import { openDataFolder, openSecretFile, openSecretFolder, replaceSecret } from './secret-file.ts'

let dir: string
let umask: number
before(() => {
  umask = process.umask(0)
})
after(() => process.umask(umask))
beforeEach((context) => {
  dir = mkdtempSync(join(tmpdir(), 'tollgate-secret-'))
  if ('after' in context) context.after(() => rmSync(dir, { recursive: true }))
})

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('files are for their owner alone, whatever the umask, also those that were open before', () => {
  const file = join(dir, 'secret')
  openSecretFile(file)
  assert.equal(modeOf(file), '600')
  for (const use of [
    () => openSecretFile(file),
    () => replaceSecret(file, 'new'),
    () => keptFile(file, () => 'other'),
  ]) {
    chmodSync(file, 0o644)
    use()
    assert.equal(modeOf(file), '600')
  }
  assert.equal(readFileSync(file, 'utf8'), 'new')
  assert.deepEqual(readdirSync(dir), ['secret'])
})

test('a folder of secrets is entered by its owner alone, and closes what lies in it', () => {
  const folder = join(dir, 'data', 'sandbox')
  openSecretFolder(folder)
  writeFileSync(join(folder, 'old.pem'), 'x', { mode: 0o644 })
  chmodSync(folder, 0o755)
  openSecretFolder(folder)
  assert.equal(modeOf(folder), '700')
  assert.equal(modeOf(join(folder, 'old.pem')), '600')
})

test('the data folder can be passed through but not listed; one that exists keeps its mode', () => {
  const folder = join(dir, 'data')
  openDataFolder(folder)
  assert.equal(modeOf(folder), '711')
  chmodSync(folder, 0o750)
  openDataFolder(folder)
  assert.equal(modeOf(folder), '750')
})
