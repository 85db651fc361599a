// The environment of the fuzzer: a gateway process with all roles, the sandbox's counterparties in another process, a
// relay between the two, and a relay in front of the gateway, through which callbacks come.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath, startChild } from '../bench/child.ts'
import { type Db, openDb } from '../src/platform/postgres/db.ts'
import { giveSandboxKeys } from '../test/builders/rsa-keys.ts'
import type { Account } from '../test/harness/client.ts'
import { eventually } from '../test/harness/eventually.ts'
import { freePort, openInstallation } from '../test/harness/gateway-process.ts'
import { type Operator, operatorAt } from '../test/harness/operator.ts'
import { type Coverage, openCoverage } from './coverage.ts'
import { type Inspector, inspectProcess } from './inspector.ts'
import { openRelay, type Relayed, type RelayOptions, type Seen } from './relay.ts'

export type World = {
  readonly account: Account
  readonly port: number
  /** The public address of the gateway. */
  readonly baseUrl: string
  readonly db: Db
  readonly operator: Operator
  readonly gateway: {
    readonly pid: number
    output(): string
    readonly inspector: Inspector
    readonly coverage: Coverage
  }
  readonly sandbox: { readonly url: string; readonly folder: string }
  /** The first callbacks that counterparties have sent to the gateway. */
  readonly callbacks: Seen[]
  /** Changes the counterparties' answers to the gateway from now on. With undefined, the answers stay as they are. */
  changeAnswers(change: RelayOptions['answer']): void
  close(): Promise<void>
}

export const SECRET = 'a secret between the fuzzed gateway and its sandbox'
/** The length of a minute in the gateway and the sandbox: a notification is delivered again after this time. */
const MINUTE_MS = 1_000
const MOST_CALLBACKS = 1_000

export async function openWorld(databaseUrl: string): Promise<World> {
  const opened = new AsyncDisposableStack()
  try {
    return await open(databaseUrl, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function open(databaseUrl: string, opened: AsyncDisposableStack): Promise<World> {
  const sandbox = await startSandbox(opened)
  const port = await freePort()
  const callbacks: Seen[] = []
  let change: RelayOptions['answer']
  const front = await openRelay({
    to: () => `http://127.0.0.1:${port}`,
    onRequest: (seen) => {
      if (seen.path.startsWith('/callbacks/') && callbacks.length < MOST_CALLBACKS) callbacks.push(seen)
    },
  })
  opened.defer(front.close)
  const channels = await openRelay({
    to: () => sandbox.url,
    answer: (seen, relayed) =>
      seen.path === '/v1/settings'
        ? throughRelay(relayed, sandbox.url, channels.url)
        : (change?.(seen, relayed) ?? relayed),
  })
  opened.defer(channels.close)
  const installation = await openInstallation({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    TOLLGATE_BASE_URL: front.url,
    TOLLGATE_SANDBOX_URL: channels.url,
    TOLLGATE_SANDBOX_SECRET: SECRET,
    TOLLGATE_MINUTE_MS: String(MINUTE_MS),
    TOLLGATE_LOG_LEVEL: 'error',
    NODE_OPTIONS: '--inspect-wait=127.0.0.1:0',
    // Cached code was compiled without counters for its blocks.
    NODE_DISABLE_COMPILE_CACHE: '1',
  })
  opened.defer(installation.remove)
  const starting = installation.start()
  const inspector = await inspectStarting(installation.output)
  const coverage = await openCoverage(inspector)
  await inspector.post('Runtime.runIfWaitingForDebugger')
  const { pid, account } = await starting
  const db = openDb({ connection: { connectionString: databaseUrl }, maxConnections: 4 })
  opened.defer(() => db.close())
  const operator = operatorAt({ databaseUrl, dataDir: installation.dataDir })
  await raiseLimits(operator, account)
  return {
    account: { ...account, baseUrl: `http://127.0.0.1:${port}` },
    port,
    baseUrl: front.url,
    db,
    operator,
    gateway: { pid, output: installation.output, inspector, coverage },
    sandbox,
    callbacks,
    changeAnswers: (wanted) => {
      change = wanted
    },
    async close() {
      inspector.close()
      await opened.disposeAsync()
    },
  }
}

async function startSandbox(opened: AsyncDisposableStack) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-fuzz-'))
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  giveSandboxKeys(dataDir)
  const child = await startChild({
    name: 'the sandbox',
    args: [programPath('../sandbox/main.ts')],
    env: {
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_SANDBOX_SECRET: SECRET,
      TOLLGATE_MINUTE_MS: String(MINUTE_MS),
    },
  })
  opened.defer(child.stop)
  return { url: child.readiness, folder: join(dataDir, 'sandbox') }
}

/** Writes the relay's address into the settings, so that the gateway calls its counterparties through the relay. */
function throughRelay(relayed: Relayed, from: string, to: string): Relayed {
  return { ...relayed, body: Buffer.from(relayed.body.toString('utf8').replaceAll(from, to)) }
}

async function inspectStarting(output: () => string): Promise<Inspector> {
  const address = () => /Debugger listening on (ws:\S+)/.exec(output())?.[1]
  if (!(await eventually(() => address() !== undefined))) throw new Error(`no inspector:\n${output()}`)
  return inspectProcess(address() ?? '')
}

/** Raises the demo merchant's limits, so that a million payments stay below them. */
async function raiseLimits(operator: Operator, { merNo }: Account): Promise<void> {
  const most = ['--limit-daily', '999999999.00', '--limit-monthly', '999999999.00']
  await operator.run('merchant', 'set', String(merNo), ...most)
}
