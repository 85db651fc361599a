// The SDK's handlers in real servers, with the SDK as npm packs it. Each has to pass the integration exam, in which genuine
// notifications are acknowledged, forged ones refused, and a body that is not passed on byte for byte fails.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startChild } from '../../bench/child.ts'
import { type Examined, type Examiner, explain, namesIn, openExaminer } from '../../test/harness/examiner.ts'
import { freePort } from '../../test/harness/gateway-process.ts'
import { buildFrameworks } from './build-plugin.ts'

const next = 'node_modules/next/dist/bin/next'
/** The programs, in the folder of the servers. Next gets its port as an argument. */
const servers: Readonly<Record<string, (port: string) => readonly string[]>> = {
  "Node's http": () => ['node.js'],
  Express: () => ['express.js'],
  Fastify: () => ['fastify.js'],
  Hono: () => ['hono.js'],
  Next: (port) => [next, 'dev', '--hostname', '127.0.0.1', '--port', port],
}

let folder: string
let examiner: Examiner

before(async () => {
  folder = await buildFrameworks()
  examiner = await openExaminer()
})
after(() => examiner?.close())

type Server = { readonly notifyUrl: string; output(): string; stop(): Promise<void> }

async function start(name: string, { key, webhookSecret }: Examined): Promise<Server> {
  const port = String(await freePort())
  let printed = ''
  const { stop } = await startChild({
    name,
    args: servers[name]?.(port) ?? [],
    cwd: folder,
    env: {
      PORT: port,
      TOLLGATE_KEY: key,
      TOLLGATE_WEBHOOK_SECRET: webhookSecret,
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'development',
    },
    ready: /^ready$|Ready in/m,
    onOutput: (text) => {
      printed += text
    },
  })
  return { notifyUrl: `http://127.0.0.1:${port}/notify`, output: () => printed, stop }
}

test('the handlers have the types that each framework asks for', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const options = ['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--noEmit']
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/tsc'),
    [...options, ...types, '--target', 'es2022', '--module', 'nodenext', 'types.ts'],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.equal(stdout, '')
})

describe('the handler for', { concurrency: 2 }, () => {
  for (const name of Object.keys(servers))
    it(`${name} passes the exam`, async () => {
      const merchant = await examiner.newMerchant()
      const server = await start(name, merchant)
      try {
        // Next compiles the route when it is asked for the first time.
        const forged = await fetch(server.notifyUrl, { method: 'POST', body: 'code=0&sign=0' })
        assert.deepEqual(
          { status: forged.status, taken: /\btaken:/.test(server.output()) },
          { status: 400, taken: false },
        )
        const { report } = await examiner.examine(merchant.merNo, server.notifyUrl)
        assert.ok(report.passed, explain(report))
        assert.deepEqual(namesIn(report, 'skipped'), [], explain(report))
        assert.match(server.output(), /^\s*taken: payment succeeded EXAM-/m)
      } finally {
        await server.stop()
      }
    })
})
