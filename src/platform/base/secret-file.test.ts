import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import {
  openDataFolder,
  openSecretFile,
  openSecretFolder,
  readOrCreateSecret,
  replaceSecret,
} from './secret-file.ts'

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

test('only the owner can read a file, whatever the umask, even if others could before', () => {
  const file = join(dir, 'secret')
  openSecretFile(file)
  assert.equal(modeOf(file), '600')
  for (const use of [
    () => openSecretFile(file),
    () => replaceSecret(file, 'new'),
    () => readOrCreateSecret(file, () => 'other'),
  ]) {
    chmodSync(file, 0o644)
    use()
    assert.equal(modeOf(file), '600')
  }
  assert.equal(readFileSync(file, 'utf8'), 'new')
  assert.deepEqual(readdirSync(dir), ['secret'])
})

test('only the owner can enter a secret folder, and its files are closed to others', () => {
  const folder = join(dir, 'data', 'sandbox')
  openSecretFolder(folder)
  writeFileSync(join(folder, 'old.pem'), 'x', { mode: 0o644 })
  chmodSync(folder, 0o755)
  openSecretFolder(folder)
  assert.equal(modeOf(folder), '700')
  assert.equal(modeOf(join(folder, 'old.pem')), '600')
})

test('others can pass through the data folder but not list it; an existing one keeps its mode', () => {
  const folder = join(dir, 'data')
  openDataFolder(folder)
  assert.equal(modeOf(folder), '711')
  chmodSync(folder, 0o750)
  openDataFolder(folder)
  assert.equal(modeOf(folder), '750')
})

test('a secret is created once, readable by its owner only, without leftover files', () => {
  const file = join(dir, 'deep', 'secret')
  assert.equal(
    readOrCreateSecret(file, () => 'one'),
    'one',
  )
  assert.equal(
    readOrCreateSecret(file, () => 'another'),
    'one',
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(dir, 'deep')), ['secret'])
})

test('processes that start at the same time all read the same complete secret', async () => {
  const file = join(dir, 'secret')
  const program = `
    import { parentPort, workerData } from 'node:worker_threads'
    const { readOrCreateSecret } = await import(workerData.module)
    parentPort.postMessage(readOrCreateSecret(workerData.file, () => String(workerData.at).repeat(200_000)))`
  const module = new URL('./secret-file.ts', import.meta.url).href
  const seen = await Promise.all(
    Array.from({ length: 8 }, (_, at) => {
      const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
      const worker = new Worker(url, { workerData: { file, at, module } })
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    }),
  )
  assert.equal(new Set(seen).size, 1)
  assert.equal(String(seen[0]).length, 200_000)
})

test('an empty file is not a secret', () => {
  const file = join(dir, 'secret')
  writeFileSync(file, '\n')
  assert.throws(() => readOrCreateSecret(file, () => 'x'), /is empty/)
})
