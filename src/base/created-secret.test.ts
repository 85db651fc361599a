import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { keptFile } from './created-secret.ts'

function folder(t: { after(work: () => void): void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-kept-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

test('it is made once, readable by its owner alone, and leaves nothing beside it', (t) => {
  const dir = folder(t)
  const file = join(dir, 'deep', 'secret')
  assert.equal(
    keptFile(file, () => 'one'),
    'one',
  )
  assert.equal(
    keptFile(file, () => 'another'),
    'one',
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(dir, 'deep')), ['secret'])
})

test('many that begin at once all see the same one, whole', async (t) => {
  const file = join(folder(t), 'secret')
  const program = `
    import { parentPort, workerData } from 'node:worker_threads'
    const { keptFile } = await import(workerData.module)
    parentPort.postMessage(keptFile(workerData.file, () => String(workerData.at).repeat(200_000)))`
  const module = new URL('./created-secret.ts', import.meta.url).href
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

test('an empty file is not taken for a secret', (t) => {
  const file = join(folder(t), 'secret')
  writeFileSync(file, '\n')
  assert.throws(() => keptFile(file, () => 'x'), /is empty/)
})
