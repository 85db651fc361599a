// Every method has a file, runs the channel contract, and can be connected with the settings of the sandbox. Every
// protocol has a folder and, except evm, runs its contracts. No test of the contracts can be skipped.
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startSandbox } from '../sandbox/server.ts'
import { methodNames } from '../src/rails/methods/methods.ts'
import { protocols } from '../src/rails/protocols/protocols.ts'
import { giveSandboxKeys } from './builders/rsa-keys.ts'
import { connectTo } from './contracts/sandbox-driver.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const filesAt = (pattern: string) => globSync(pattern, { cwd: root })

/** The files of src/rails/methods that are no method. */
const shared = ['traits', 'terminal', 'methods']

test('every method has a file, and every file a method', () => {
  const files = filesAt('src/rails/methods/*.ts').map((path) => basename(path, '.ts'))
  const named = files.filter((name) => !name.endsWith('.test') && !shared.includes(name))
  assert.deepEqual(named.map((name) => name.replaceAll('-', '_')).sort(), methodNames().sort())
})

/** Matches a call of a suite as a statement. An import alone does not match. */
const channelSuite = /^ *test(Protocol|(Reading)?Channel)Contract\(/m
const payoutSuite = /^ *testPayoutContract\(/m

test('every method runs the channel contract', () => {
  const tests = filesAt('src/rails/protocols/**/*.test.ts').map(read)
  const suites = tests.filter((text) => channelSuite.test(text))
  const without = methodNames().filter((method) => !suites.some((text) => text.includes(`'${method}'`)))
  const advice = 'call testChannelContract or testProtocolContract with a driver of the method'
  assert.deepEqual(without, [], `${advice}, in a test below src/rails/protocols`)
})

/**
 * Protocols with other tests, because the suite cannot control the blocks and the signer of a chain: docs/testing.md.
 */
const testedOnChain = ['evm']

test('every protocol runs the contract of channels, and that of payouts if it pays out', () => {
  for (const protocol of protocols.keys()) {
    const folder = `src/rails/protocols/${protocol.replaceAll('_', '-')}`
    assert.ok(existsSync(join(root, folder)), `${protocol} has the folder ${folder}`)
    if (testedOnChain.includes(protocol)) continue
    const tests = filesAt(`${folder}/**/*.test.ts`)
    const runs = (suite: RegExp) => tests.some((path) => suite.test(read(path)))
    assert.ok(runs(channelSuite), `${protocol} runs the contract of channels`)
    const sources = filesAt(`${folder}/**/*.ts`).filter((path) => !path.endsWith('.test.ts'))
    const paysOut = sources.some((path) => /\bPayoutRail\b/.test(read(path)))
    if (paysOut) assert.ok(runs(payoutSuite), `${protocol} runs the contract of payouts`)
  }
})

test('no part of the contract is skipped', () => {
  const tests = [...filesAt('src/rails/protocols/**/*.test.ts'), ...contractFiles()]
  const skipping = tests.filter((path) => /\b(skip|todo|only)\b\s*[(:,}]/.test(read(path)))
  assert.deepEqual(skipping, [])
})

function contractFiles(): string[] {
  return filesAt('test/contracts/{channel,payout}-contract{,/*}.ts')
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
