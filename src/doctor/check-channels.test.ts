import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { checkSecretFiles } from './check-channels.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'))
after(() => rmSync(folder, { recursive: true }))

test('a file with a secret that others may read is a warning, not a refusal', () => {
  const [channelsFile, secret] = [join(folder, 'channels.json'), join(folder, 'key')]
  const entry = {
    name: 'a',
    secret: { file: 'key' },
    nested: [{ key: { file: secret } }, { file: 'missing' }],
  }
  writeFileSync(channelsFile, JSON.stringify([entry]), { mode: 0o600 })
  writeFileSync(secret, 'hidden')
  for (const [mode, status] of [
    [0o600, 'ok'],
    [0o400, 'ok'],
    [0o640, 'warn'],
    [0o604, 'warn'],
  ] as const) {
    chmodSync(secret, mode)
    const finding = checkSecretFiles({ channelsFile })
    assert.equal(finding.status, status, mode.toString(8))
    if (status === 'warn') assert.equal(finding.found, `others can read ${secret}`)
  }
})

test('without a channels file there is nothing to warn of, and one that cannot be read is told', () => {
  assert.equal(checkSecretFiles({ channelsFile: undefined }).status, 'ok')
  const { status, found } = checkSecretFiles({ channelsFile: join(folder, 'none') })
  assert.deepEqual([status, /cannot be read$/.test(found)], ['fail', true])
})
