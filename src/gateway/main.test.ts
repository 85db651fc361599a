// The output that an operator sees when the gateway or a command starts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { giveSandboxKeys } from '../../test/builders/rsa-keys.ts'
import { compileCache, freePort, openInstallation } from '../../test/harness/gateway-process.ts'
import { cloneDatabase } from '../../test/harness/harness.ts'
import { openPlatformKey } from '../money/merchants/platform-key.ts'
import { openVault } from '../platform/base/secret.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-start-'))
giveSandboxKeys(dataDir)
after(() => rmSync(dataDir, { recursive: true }))

function run(program: string, args: readonly string[], env: Record<string, string>) {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const settings = { PATH: process.env.PATH, ...compileCache, TOLLGATE_DATA_DIR: dataDir, ...env }
  return spawnSync(process.execPath, [file, ...args], { env: settings, encoding: 'utf8' })
}

test('an unreachable database is reported in one sentence, by the gateway and by commands', async () => {
  const port = await freePort()
  const DATABASE_URL = `postgres://user:hidden@127.0.0.1:${port}/tollgate`
  const sentence = `the database of DATABASE_URL cannot be used: nothing listens at 127.0.0.1:${port}. Start PostgreSQL there, or correct host and port`
  const gateway = run('main.ts', [], { DATABASE_URL })
  assert.deepEqual(
    { status: gateway.status, stderr: gateway.stderr },
    { status: 1, stderr: `Tollgate does not start: ${sentence}.\n` },
  )
  const command = run('../operator/cli/cli.ts', ['ledger', 'verify'], { DATABASE_URL })
  assert.deepEqual({ status: command.status, stderr: command.stderr }, { status: 1, stderr: `${sentence}\n` })
})

test('an unusable folder, host or master key is reported in one sentence, and nothing is encrypted with it', async () => {
  const file = join(dataDir, 'a-file')
  writeFileSync(file, '')
  const folder = run('main.ts', [], { TOLLGATE_DATA_DIR: file })
  assert.equal(folder.status, 1)
  assert.match(folder.stderr, /^Tollgate does not start: TOLLGATE_DATA_DIR is .*a-file, .*ENOTDIR.*\.\n$/)
  const command = run('../operator/cli/cli.ts', ['ledger', 'verify'], { TOLLGATE_DATA_DIR: file })
  assert.match(
    command.stderr,
    /^there is no database in .*a-file: set DATABASE_URL or TOLLGATE_DATA_DIR .*\n$/,
  )

  const database = await cloneDatabase()
  try {
    const env = { DATABASE_URL: database.url, TOLLGATE_MASTER_KEY: '1'.repeat(64) }
    const host = run('main.ts', [], { ...env, HOST: '192.0.2.1' })
    const sentence = 'cannot listen on 192.0.2.1: this machine does not have that address. Set HOST.'
    assert.deepEqual(
      { status: host.status, stderr: host.stderr },
      { status: 1, stderr: `Tollgate does not start: ${sentence}\n` },
    )
    await openPlatformKey(database.db, openVault(Buffer.from(env.TOLLGATE_MASTER_KEY, 'hex')), new Date())
    const key = run('main.ts', [], { ...env, TOLLGATE_MASTER_KEY: '2'.repeat(64) })
    assert.equal(key.status, 1)
    assert.match(key.stderr, /^Tollgate does not start: TOLLGATE_MASTER_KEY, .* use the original key\.\n$/)
    const merchant = ['merchant', 'create', '--name', 'Sealed', '--site', 'sealed.example', '--fee-bps', '0']
    const sealed = run('../operator/cli/cli.ts', merchant, { ...env, TOLLGATE_MASTER_KEY: '2'.repeat(64) })
    assert.deepEqual(
      { status: sealed.status, stdout: sealed.stdout },
      { status: 1, stdout: '' },
      'no merchant with an unusable key is created',
    )
    assert.match(sealed.stderr, /^TOLLGATE_MASTER_KEY/)
    const doctor = run('../operator/cli/cli.ts', ['doctor'], { ...env, TOLLGATE_MASTER_KEY: '2'.repeat(64) })
    assert.match(doctor.stdout, /^fail +master key/m)
  } finally {
    await database.drop()
  }
})

test('the first start prints what to do next after the ready line; later starts do not', async (t) => {
  const database = await cloneDatabase()
  const installation = await openInstallation({ DATABASE_URL: database.url })
  t.after(async () => {
    await installation.remove()
    await database.drop()
  })
  const first = await installation.start()
  const { baseUrl } = first.account
  assert.equal((await fetch(baseUrl)).headers.get('content-type'), 'text/html; charset=utf-8')
  await first.stop()
  assert.match(installation.output(), /^ready: sandbox gateway at .*$/m)
  const steps = installation.output().split('What to do next:')
  assert.equal(steps.length, 2)
  assert.match(steps[1] ?? '', /tollgate -- pay$/m)
  assert.ok(steps[1]?.includes(join(installation.dataDir, 'demo.json')))
  await (await installation.start()).stop()
  assert.equal(installation.output().split('What to do next:').length, 2)
})

test('a command prints its result on standard output, and ends by itself with 0', async () => {
  const database = await cloneDatabase()
  try {
    const { status, stdout, stderr } = run('../operator/cli/cli.ts', ['ledger', 'verify', '--json'], {
      DATABASE_URL: database.url,
    })
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    assert.deepEqual(JSON.parse(stdout).differences, [])
  } finally {
    await database.drop()
  }
})

test("the help begins with the commands of a shop's developer", () => {
  const { status, stdout } = run('../operator/cli/cli.ts', ['--help'], {})
  assert.equal(status, 0)
  assert.match(stdout, /^Usage: .*\n\nFor developers of a shop\n {2}pay .*\n {2}listen /)
})

test('an invalid call ends with 2, and prints only on standard error', () => {
  const { status, stdout, stderr } = run('../operator/cli/cli.ts', ['merchnat', 'list'], {})
  const said = 'There is no command "merchnat". Did you mean "merchant"?\n'
  assert.deepEqual({ status, stdout, stderr }, { status: 2, stdout: '', stderr: said })
})
