import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSandbox } from './server.ts'

/** The files that users other than the owner can access. */
function openToOthers(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => (lstatSync(join(folder, path)).mode & 0o077) !== 0)
}

test("only the owner can read the sandbox's files, also those of an older version", async (t) => {
  const umask = process.umask(0)
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-sandbox-files-'))
  t.after(() => {
    process.umask(umask)
    rmSync(dataDir, { recursive: true })
  })
  const openAfterStart = async () => {
    const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000 })
    try {
      // Keys are created when the settings are first requested.
      sandbox.settings()
      return openToOthers(dataDir)
    } finally {
      await sandbox.close()
    }
  }
  assert.deepEqual(await openAfterStart(), [])
  assert.ok(readdirSync(join(dataDir, 'sandbox')).length > 5)
  for (const path of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    chmodSync(join(dataDir, path), 0o755)
  assert.deepEqual(await openAfterStart(), [])
})
