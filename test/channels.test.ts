// Every method has a folder that passes the channel contract, a connector, and a counterparty in the sandbox. No part of the
// contract can be skipped.
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startSandbox } from '../sandbox/server.ts'
import { methodNames } from '../src/channels/method.ts'
import { protocols } from '../src/channels/protocols.ts'
import { giveSandboxKeys } from './rsa-keys.ts'
import { connectTo } from './sandbox-driver.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = globSync('src/channels/*/method.ts', { cwd: root }).map(dirname)
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('every method has a folder, and every folder a method', () => {
  const named = folders.map((folder) => basename(folder).replaceAll('-', '_'))
  assert.deepEqual(named.sort(), methodNames().sort())
})

test('every method folder runs the channel contract', () => {
  const without = folders.filter((folder) => {
    const tests = globSync(`${folder}/*.test.ts`, { cwd: root }).map(read)
    return !tests.some((text) => /^ *test(Channel|Protocol)Contract\(/m.test(text))
  })
  assert.deepEqual(without, [], 'call testChannelContract or testProtocolContract in a test of the folder')
})

/** Real blocks and a signer decide here, which the suite cannot steer: docs/testing.md. */
const testedOnChain = ['evm']

test('every protocol runs the contract of channels, and that of payouts if it pays out', () => {
  const run = (folder: string, suite: RegExp) =>
    globSync(`${folder}/**/*.test.ts`, { cwd: root })
      .map(read)
      .some((text) => suite.test(text))
  for (const protocol of protocols.keys()) {
    const folder = `src/channels/${protocol.replaceAll('_', '-')}`
    if (testedOnChain.includes(protocol)) continue
    assert.ok(
      run(folder, /^ *test(Protocol|(Reading)?Channel)Contract\(/m),
      `${protocol} runs the contract of channels`,
    )
    const sources = globSync(`${folder}/**/*.ts`, { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
    const pays = sources.map(read).some((text) => /\bPayoutRail\b/.test(text))
    // The bridge's rail has a folder of its own.
    const railFolder = protocol === 'bridge' ? 'src/channels/payout' : folder
    if (pays)
      assert.ok(run(railFolder, /^ *testPayoutContract\(/m), `${protocol} runs the contract of payouts`)
  }
})

test('no part of the contract is skipped', () => {
  const tests = [...globSync('src/channels/**/*.test.ts', { cwd: root }), ...contractFiles()]
  const skipping = tests.filter((path) => /\b(skip|todo|only)\b\s*[(:,}]/.test(read(path)))
  assert.deepEqual(skipping, [])
})

function contractFiles(): string[] {
  return ['test/channel-contract.ts', ...globSync('test/channel-contract/*.ts', { cwd: root })]
}

test('every method can be connected with the settings of the sandbox', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-channels-'))
  giveSandboxKeys(dataDir)
  const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000 })
  try {
    for (const method of methodNames()) assert.equal(connectTo(sandbox, method).method, method)
  } finally {
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  }
})
