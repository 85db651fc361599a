// The SDK as merchants get it: installed in an empty folder from a running gateway, type-checked there, and run by the
// machine's own Node. The project's program is the README.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { filled } from '../harness/guides.ts'
import { useDatabase } from '../harness/harness.ts'

/** The limit for the compressed code. */
const MOST_BYTES = 20_000

const root = fileURLToPath(new URL('../..', import.meta.url))
const project = mkdtempSync(join(tmpdir(), 'tollgate-sdk-'))
const installed = join(project, 'node_modules/@tollgate/sdk')
let installation: Installation
let gateway: GatewayProcess

useDatabase({
  async before({ url }) {
    installation = await openInstallation({ DATABASE_URL: url })
    gateway = await installation.start()
    install(gateway.account.baseUrl)
  },
  async after() {
    rmSync(project, { recursive: true })
    await installation.remove()
  },
})

const readme = readFileSync(join(root, 'sdk/README.md'), 'utf8')

/** Types the command of the README. npm reaches no registry: nothing listens at that address. */
function install(baseUrl: string): void {
  const [, command = ''] = /^```sh\n(npm install .*?)^```$/ms.exec(readme) ?? []
  const settings = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }
  execFileSync('bash', ['-ec', filled(command, { baseUrl })], {
    cwd: project,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const name = 'tollgate-sdk-0.1.0.tgz'
  assert.deepEqual(dependencies, { '@tollgate/sdk': `${baseUrl}/downloads/${name}` })
  // The README says that the program is a module.
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
}

const samples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text).join('\n')

/** Returns the lines of the compiler's complaints. The compiler uses Node's types, as a shop does. */
function complaints(source: string): string[] {
  writeFileSync(join(project, 'program.ts'), source)
  const types = join(root, 'node_modules/@types')
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022']
  const modules = ['--module', 'nodenext', '--typeRoots', types, '--types', 'node']
  const program = join(root, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(program, [...options, ...modules, 'program.ts'], {
    cwd: project,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((line) => line !== '')
}

test('the page of the downloads names the size and the hashes of each package', async () => {
  const { baseUrl } = gateway.account
  const page = await (await fetch(`${baseUrl}/downloads`)).text()
  const files = [...page.matchAll(/href="\.\/downloads\/([^"]+)"/g)].map(([, file = '']) => file)
  assert.deepEqual(files, [
    'tollgate-sdk-0.1.0.tgz',
    'tollgate-medusa-0.1.0.tgz',
    'tollgate-vendure-0.1.0.tgz',
  ])
  for (const file of files) {
    const bytes = Buffer.from(await (await fetch(`${baseUrl}/downloads/${file}`)).arrayBuffer())
    const hash = (name: string) => createHash(name).update(bytes)
    for (const text of [
      `${bytes.length} bytes`,
      hash('sha256').digest('hex'),
      `sha512-${hash('sha512').digest('base64')}`,
    ])
      assert.ok(page.includes(text), `${file}: ${text}`)
  }
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'))
  assert.ok(page.includes(lock.packages['node_modules/@tollgate/sdk'].integrity), 'npm found the same hash')
})

test('the same sources make the same packages', () => {
  const again = join(project, 'downloads')
  execFileSync(process.execPath, [join(root, 'plugins/pack.ts'), again])
  for (const file of globSync('*', { cwd: again }))
    assert.ok(readFileSync(join(again, file)).equals(readFileSync(join(root, 'downloads', file))), file)
})

test('the package is small and has no dependencies', () => {
  const code = globSync(join(installed, 'dist/*.js')).map((path) => readFileSync(path))
  const size = gzipSync(Buffer.concat(code)).length
  assert.ok(code.length > 10 && size < MOST_BYTES, `${size} bytes`)
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual(
    { dependencies: manifest.dependencies, peerDependencies: manifest.peerDependencies },
    { dependencies: undefined, peerDependencies: undefined },
  )
})

test('the samples of the README have types, and wrong calls have none', () => {
  assert.deepEqual(complaints(samples), [])
  const start = `import { Tollgate } from '@tollgate/sdk'
    const tollgate = new Tollgate({ baseUrl: '', merNo: 1, key: '', site: '' })
    const order = { merOrderNo: '', currencyCode: '', sourceAmount: '', returnUrl: '', ipAddress: '' }\n`
  assert.deepEqual(complaints(`${start} tollgate.pay('alipay', { ...order, osType: 'IOS' })`), [])
  const wrong = [
    "tollgate.pay('pix', order)",
    "tollgate.pay('alipay', { ...order, osType: 'WINDOWS' })",
    "tollgate.pay('alipay', { ...order, sourceAmount: 10 })",
    "tollgate.pay('cheque', order)",
    "tollgate.payOut('spei', order)",
    "tollgate.refund({ merOrderNo: '', amount: '1.00' })",
    "new Tollgate({ baseUrl: '', merNo: 1, site: '' })",
  ]
  const found = complaints(`${start}${wrong.join('\n')}`)
  const lines = found.flatMap((line) => /^program\.ts\((\d+),/.exec(line)?.[1] ?? [])
  assert.deepEqual(
    [...new Set(lines)],
    wrong.map((_, at) => String(at + 4)),
  )
})

test("the samples of the README run on the machine's own Node", async () => {
  writeFileSync(join(project, 'program.js'), stripTypeScriptTypes(samples))
  const { merNo, key, baseUrl } = gateway.account
  const env = { PATH: otherPath(), TOLLGATE_URL: baseUrl, TOLLGATE_MERNO: String(merNo), TOLLGATE_KEY: key }
  const { stdout, stderr, status } = spawnSync('node', ['program.js'], {
    cwd: project,
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  const expected = [
    /^Send the payer to http/,
    /^pending 0002/,
    /^pending$/,
    /^succeeded$/,
    /^pix-\d+ 1 10\.00$/,
    /^\{$/,
  ]
  for (const [at, pattern] of expected.entries()) assert.match(stdout.split('\n')[at] ?? '', pattern)
  assert.match(stdout, /succeeded\npayment\n$/)
})

/** Returns the PATH without the pinned Node, which npm puts first. */
function otherPath(): string {
  return (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
}
