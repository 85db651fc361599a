// Runs the parts of deploy/ that need no containers and no init system: the unit and the alerts by their own tools, the
// image's files as another user who can write to the data folder only, and the unit's command with the settings of its
// example.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type ImageFolder, makeImageFolder } from '../deploy/image-folder.ts'
import { execForm, imageEnv, read, root, unitValues } from '../deploy/read-deploy.ts'
import { missingTool } from '../harness/debian-packages.ts'
import { freePort } from '../harness/gateway-process.ts'
import { cloneDatabase } from '../harness/harness.ts'

/** The highest exposure that is accepted, as `systemd-analyze security` computes it: 1.5 of 10, in tenths. */
const MOST_EXPOSURE = '15'
const NOBODY = 65_534
/** A new embedded database takes long on a busy machine. */
const READY_WITHIN_MS = 300_000

const run = promisify(execFile)
const temporary = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(temporary, { recursive: true, force: true })
})

const systemd = await missingTool([{ program: 'systemd-analyze', package: 'systemd' }])
const promtool = await missingTool([{ program: 'promtool', package: 'prometheus' }])
for (const missing of [systemd, promtool]) if (missing !== undefined) console.error(`Not tested: ${missing}`)

test('systemd accepts the unit, and finds it well confined', { skip: systemd ?? false }, async () => {
  const unit = join(temporary, 'tollgate.service')
  writeFileSync(unit, read('deploy/tollgate.service').replaceAll('/opt/tollgate', root.replace(/\/$/, '')))
  const { stdout, stderr } = await run('systemd-analyze', ['verify', unit])
  assert.equal(stdout + stderr, '')
  await run('systemd-analyze', [
    'security',
    '--offline=true',
    `--threshold=${MOST_EXPOSURE}`,
    '--no-pager',
    unit,
  ])
})

test('promtool accepts the alerts, and their tests pass', { skip: promtool ?? false }, async () => {
  const cwd = join(root, 'deploy/prometheus')
  await run('promtool', ['check', 'rules', 'tollgate.rules.yaml'], { cwd })
  await run('promtool', ['test', 'rules', 'tollgate.rules.test.yaml'], { cwd })
})

test('promtool accepts the settings of docs/deployment.md', { skip: promtool ?? false }, async () => {
  const [, sample = ''] = /^```yaml\n(.*?)^```$/ms.exec(read('docs/deployment.md')) ?? []
  const file = join(temporary, 'prometheus.yaml')
  writeFileSync(join(temporary, 'tollgate.rules.yaml'), read('deploy/prometheus/tollgate.rules.yaml'))
  writeFileSync(file, sample)
  const { stdout } = await run('promtool', ['check', 'config', file])
  assert.match(stdout, /SUCCESS: 1 rule files found/)
})

describe("the image's files", () => {
  let image: ImageFolder
  let gateway: Program
  let env: Record<string, string>
  after(() => rmSync(dirname(image.folder), { recursive: true, force: true }))

  it('are enough for a user who can write to the data folder only', async () => {
    image = makeImageFolder()
    if (process.getuid?.() === 0) chownSync(image.data, NOBODY, NOBODY)
    env = {
      ...imageEnv(),
      NODE_COMPILE_CACHE: join(image.folder, 'node_modules/.cache/compiled'),
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      TOLLGATE_DATA_DIR: image.data,
    }
    const [, ...flags] = execForm('ENTRYPOINT')
    gateway = start([image.node, ...flags, ...execForm('CMD')], image.folder, env, NOBODY)
    await gateway.ready()
  })

  it('pass the health check, and serve every metric of the alerts and the dashboard', async () => {
    assert.equal(await healthCheck(image, env), 0)
    const metrics = await (await fetch(`http://127.0.0.1:${env.PORT}/metrics`)).text()
    const expressions = read('deploy/grafana/tollgate.json') + read('deploy/prometheus/tollgate.rules.yaml')
    const names = new Set(expressions.match(/\b(tollgate|process|nodejs)_[a-z0-9_]+\b/g))
    for (const name of names) {
      const family = name.replace(/_(bucket|sum|count)$/, '')
      assert.ok(metrics.includes(`# TYPE ${family} `), name)
    }
    assert.ok(names.has('process_resident_memory_bytes'))
  })

  it('serve the packages for shops', async () => {
    const page = await (await fetch(`http://127.0.0.1:${env.PORT}/downloads`)).text()
    const [, path = ''] = /href="\.(\/downloads\/tollgate-sdk-[^"]+)"/.exec(page) ?? []
    assert.equal(
      (await fetch(`http://127.0.0.1:${env.PORT}${path}`)).headers.get('content-type'),
      'application/gzip',
    )
  })

  it('stop on SIGTERM, and then fail the health check', async () => {
    assert.equal(await gateway.stop(), 0, gateway.output())
    assert.equal(await healthCheck(image, env), 1)
  })
})

async function healthCheck(
  { node, folder }: ImageFolder,
  env: Record<string, string>,
): Promise<number | null> {
  const [, ...args] = execForm('HEALTHCHECK')
  const child = spawn(node, args, { cwd: folder, env, stdio: 'ignore' })
  await once(child, 'close')
  return child.exitCode
}

test("the unit's command starts a live gateway with the settings of the example", async (t) => {
  const database = await cloneDatabase()
  t.after(() => database.drop())
  const channels = join(temporary, 'channels.json')
  const channel = {
    name: 'acquirer-1',
    method: 'card',
    url: 'https://acquirer.example/api',
    secret: 'a secret',
  }
  writeFileSync(channels, JSON.stringify([channel]), { mode: 0o600 })
  const example = pairs(read('deploy/tollgate.env.example').split('\n'))
  const env = {
    ...example,
    ...pairs(unitValues('Environment').map(here)),
    DATABASE_URL: database.url,
    TOLLGATE_DATA_DIR: join(temporary, 'data'),
    TOLLGATE_CHANNELS: channels,
    TOLLGATE_MASTER_KEY: '5a'.repeat(32),
    PORT: String(await freePort()),
    TOLLGATE_OPS_PORT: String(await freePort()),
  }
  const [command = ''] = unitValues('ExecStart')
  const gateway = start(here(command).split(' '), here(unitValues('WorkingDirectory')[0] ?? ''), env)
  await gateway.ready()
  const status = async (port: string, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  assert.equal(await status(env.TOLLGATE_OPS_PORT, '/readyz'), 200)
  assert.equal(await status(env.TOLLGATE_OPS_PORT, '/metrics'), 200)
  assert.equal(await status(env.PORT, '/metrics'), 404)
  assert.equal(await gateway.stop(), 0)
})

function here(text: string): string {
  return text.replaceAll('/opt/tollgate', root.replace(/\/$/, ''))
}

/** Reads lines of NAME=VALUE. Empty lines and comments are ignored. */
function pairs(lines: readonly string[]): Record<string, string> {
  const found = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    return name === '' ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

type Program = { output(): string; ready(): Promise<void>; stop(): Promise<number | null> }

/** Starts the program. If the test runs as root, the program runs as the given user. */
function start(command: readonly string[], cwd: string, env: Record<string, string>, uid?: number): Program {
  const [program = '', ...args] = command
  const user = uid !== undefined && process.getuid?.() === 0 ? { uid, gid: uid } : {}
  const path = { PATH: process.env.PATH ?? '' }
  const child = spawn(program, args, {
    cwd,
    env: { ...path, ...env },
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  return {
    output: () => printed,
    async ready() {
      const deadline = Date.now() + READY_WITHIN_MS
      while (!/^ready/m.test(printed) && !isOver() && Date.now() < deadline) await sleep(100)
      assert.match(printed, /^ready/m)
    },
    async stop() {
      if (!isOver() && child.kill('SIGTERM')) await once(child, 'close')
      return child.exitCode
    },
  }
}
