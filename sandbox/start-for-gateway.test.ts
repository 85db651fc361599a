import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { httpTransport } from '../src/rails/toolkit/transport.ts'
import { sandboxSecret } from './shared-secret.ts'
import { type SandboxSettings, startSandboxFor } from './start-for-gateway.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-sandbox-for-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const settings = (changes: Partial<SandboxSettings> = {}): SandboxSettings => ({
  mode: 'sandbox',
  host: '127.0.0.1',
  dataDir,
  minuteMs: 60_000,
  sandboxUrl: undefined,
  sandboxSecret: undefined,
  ...changes,
})

async function statusAt({ sandboxUrl: url = '', sandboxSecret: secret = '' }: SandboxSettings) {
  const reply = await httpTransport<'settings'>({ url, secret })('settings', {}, AbortSignal.timeout(10_000))
  return reply.kind === 'answer' ? reply.status : reply.kind
}

describe('the counterparties of a gateway in sandbox', () => {
  it('are started where no address is set, and answer requests signed with the secret in the settings', async () => {
    const sandbox = await startSandboxFor(settings())
    assert.equal(sandbox.config.sandboxSecret, sandboxSecret(dataDir))
    assert.equal(await statusAt(sandbox.config), 200)
    assert.equal(await statusAt({ ...sandbox.config, sandboxSecret: 'another' }), 401)
    await sandbox.close()
    assert.equal(await statusAt(sandbox.config), 'unsent')
  })

  it('use the configured secret', async () => {
    const sandbox = await startSandboxFor(settings({ sandboxSecret: 'set' }))
    assert.equal(sandbox.config.sandboxSecret, 'set')
    assert.equal(await statusAt(sandbox.config), 200)
    await sandbox.close()
  })

  it('are not started if an address is configured; the secret comes from the data folder', async () => {
    const sandbox = await startSandboxFor(settings({ sandboxUrl: 'http://127.0.0.1:1' }))
    assert.deepEqual(
      { sandboxUrl: sandbox.config.sandboxUrl, sandboxSecret: sandbox.config.sandboxSecret },
      { sandboxUrl: 'http://127.0.0.1:1', sandboxSecret: sandboxSecret(dataDir) },
    )
    assert.deepEqual(readdirSync(join(dataDir, 'sandbox')), ['card-issuer.secret'])
    await sandbox.close()
  })

  it('do not exist in live', async () => {
    const live = settings({ mode: 'live' })
    const sandbox = await startSandboxFor(live)
    assert.equal(sandbox.config, live)
    assert.deepEqual(readdirSync(dataDir), [])
    await sandbox.close()
  })
})
