import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts'

const asRoot = process.getuid?.() === 0
const template = temporaryFolder()

before(async () => {
  const postgres = await openEmbeddedPostgres({ dataDir: template, say: () => {} })
  await postgres.close()
})
after(() => rmSync(template, { recursive: true }))

test('keeps its data over a restart, with durable settings and its own socket', async (t) => {
  const { dataDir, open } = usedPlace(t)
  const first = await open()
  await query(first, `create table survivors as select 'Zoë' as name`)
  await first.close()
  assert.equal(serverPid(dataDir), undefined)

  const second = await open()
  assert.deepEqual(await query(second, 'select name from survivors'), [{ name: 'Zoë' }])
  assert.equal(statSync(second.connection.host).mode & 0o777, 0o700)
  const settings = `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'listen_addresses',
    'log_parameter_max_length', 'log_parameter_max_length_on_error', 'synchronous_commit') order by name`
  assert.deepEqual((await query(second, settings)).map(Object.values), [
    ['fsync', 'on'],
    ['full_page_writes', 'on'],
    ['listen_addresses', ''],
    ['log_parameter_max_length', '0'],
    ['log_parameter_max_length_on_error', '0'],
    ['synchronous_commit', 'on'],
  ])
  const encoding = `select pg_encoding_to_char(encoding) as encoding, datlocale as locale
    from pg_database where datname = current_database()`
  assert.deepEqual(await query(second, encoding), [{ encoding: 'UTF8', locale: 'C.UTF-8' }])
})

test('writes no parameter to its log', async (t) => {
  const { dataDir, open } = usedPlace(t)
  const postgres = await open()
  await assert.rejects(query(postgres, 'select $1::int', 'personal'), /invalid input.*personal/)
  await query(postgres, 'select pg_sleep(1.1), $1::text', 'personal')
  const log = readFileSync(join(clusterOf(dataDir), 'server.log'), 'utf8')
  assert.match(log, /duration: .*pg_sleep/)
  assert.doesNotMatch(log, /personal/)
})

test('is shared, and stops when its last user closes it', async (t) => {
  const { dataDir, open } = usedPlace(t)
  const gateway = await open()
  const commandLine = await open()
  const pid = serverPid(dataDir)
  assert.deepEqual(commandLine.connection, gateway.connection)

  await gateway.close()
  await gateway.close()
  assert.deepEqual(await query(commandLine, 'select 1 as one'), [{ one: 1 }])
  assert.equal(serverPid(dataDir), pid)

  await commandLine.close()
  assert.equal(isRunning(pid), false)
})

test('many concurrent users always find a server, and leave none running', async (t) => {
  const { dataDir, open } = usedPlace(t)
  const visit = async (delayMs: number) => {
    await sleep(delayMs)
    for (let round = 0; round < 4; round += 1) {
      const visitor = await open()
      assert.deepEqual(await query(visitor, 'select 1 as one'), [{ one: 1 }])
      await visitor.close()
    }
  }
  await Promise.all([0, 10, 20].map(visit))
  assert.equal(serverPid(dataDir), undefined)
})

test('adopts the server of a gateway that was killed', async (t) => {
  const { dataDir, open, openInChild } = usedPlace(t)
  const gateway = await openInChild()
  const pid = serverPid(dataDir)
  await kill(gateway)
  assert.equal(isRunning(pid), true)

  const next = await open()
  assert.equal(serverPid(dataDir), pid)
  await next.close()
  assert.equal(isRunning(pid), false)
})

test('recovers after the server itself was killed', async (t) => {
  const { dataDir, open, openInChild } = usedPlace(t)
  const gateway = await openInChild()
  const pid = serverPid(dataDir)
  await kill(gateway)
  const witness = await open()
  await query(witness, 'create table survivors as select 7 as seven')
  killServer(pid)

  const [row] = await eventually(() => query(witness, 'select seven from survivors'))
  assert.deepEqual(row, { seven: 7 }, 'a process that still uses it starts it again')
  assert.notEqual(serverPid(dataDir), pid)
  await witness.close()
  assert.equal(serverPid(dataDir), undefined)
})

test("starts although a dead server's lock file has the id of a running process", async (t) => {
  const { dataDir, open } = usedPlace(t)
  const { uid, gid } = statSync(clusterOf(dataDir))
  const stranger = spawn('sleep', ['600'], { uid, gid })
  t.after(() => kill(stranger))
  for (const lock of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const text = [stranger.pid, clusterOf(dataDir), 1, 5432, clusterOf(dataDir), '', ''].join('\n')
    writeFileSync(join(clusterOf(dataDir), lock), text)
  }
  const next = await open()
  assert.deepEqual(await query(next, 'select 1 as one'), [{ one: 1 }])
  assert.equal(stranger.exitCode, null)
})

test('two processes that start at the same time in an empty folder share one cluster', async (t) => {
  const { dataDir, open, openInChild } = emptyPlace(t)
  mkdirSync(join(dataDir, 'postgres.new-999999999-0badcafe'))
  const [first] = await Promise.all([open(), openInChild()])
  assert.deepEqual(
    await query(first, 'select count(*)::int as n from pg_locks where locktype = $$advisory$$'),
    [{ n: 2 }],
  )
  const left = readdirSync(dataDir).filter((name) => name.includes('.new-'))
  assert.deepEqual(left, [], 'drafts of this start and of a killed one are removed')
})

test('a path too long for a socket, with odd characters in it, works', async (t) => {
  const { dataDir, open } = usedPlace(t, `a "long", ${'x'.repeat(90)}`)
  const postgres = await open()
  const { host } = postgres.connection
  t.after(() => rmSync(host, { recursive: true, force: true }))
  assert.ok(join(host, '.s.PGSQL.5432').length <= 100)
  assert.equal(statSync(host).mode & 0o777, 0o700)
  assert.equal(statSync(host).uid, statSync(clusterOf(dataDir)).uid)
  await postgres.close()

  chmodSync(host, 0o777)
  await assert.rejects(open(), /open to others/)
})

test('a server that cannot start is reported with its own message', async (t) => {
  const { dataDir, open } = usedPlace(t)
  writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '9.6\n')
  await assert.rejects(
    open(),
    /did not start: it ended with status 1(.|\n)*initialized by PostgreSQL version 9.6/,
  )
})

test('as root, the cluster of a data folder that only root can enter is created elsewhere', {
  skip: !asRoot,
}, async (t) => {
  const { dataDir, open, openInChild } = emptyPlace(t)
  chmodSync(dataDir, 0o700)
  const [first] = await Promise.all([open(), openInChild()])
  const cluster = clusterOf(dataDir)
  assert.match(cluster, /^\/var\/lib\/tollgate\//)
  await query(first, 'create table survivors as select 7 as seven')
  await first.close()

  const second = await open()
  assert.deepEqual(await query(second, 'select seven from survivors'), [{ seven: 7 }])
  assert.equal(clusterOf(dataDir), cluster)
})

test('a pointer to a missing cluster is refused, not replaced by an empty database', async (t) => {
  const { dataDir, open } = emptyPlace(t)
  writeFileSync(join(dataDir, 'postgres.location'), `${join(dataDir, 'nowhere')}\n`)
  await assert.rejects(open(), /says that the database lies in .*nowhere, but it is not there/)
})

type Place = {
  readonly dataDir: string
  open(): Promise<EmbeddedPostgres>
  /** Opens the server in a separate process, which can be killed. */
  openInChild(): Promise<ChildProcess>
}

/** Creates an empty data folder. The folder and everything opened in it are removed after the test. */
function emptyPlace(t: TestContext, name = '.'): Place {
  const folder = temporaryFolder()
  const dataDir = join(folder, name)
  const opened: EmbeddedPostgres[] = []
  const children: ChildProcess[] = []
  t.after(async () => {
    await Promise.all(children.map(kill))
    for (const postgres of opened) await postgres.close()
    if (existsSync(join(dataDir, 'postgres.location')))
      rmSync(clusterOf(dataDir), { recursive: true, force: true })
    rmSync(folder, { recursive: true })
  })
  return {
    dataDir,
    async open() {
      const postgres = await openEmbeddedPostgres({ dataDir, say: () => {} })
      opened.push(postgres)
      return postgres
    },
    async openInChild() {
      const child = startChild(dataDir)
      children.push(child)
      await once(child.stdout, 'data')
      return child
    },
  }
}

/** Creates a data folder with a copied cluster, which is faster than creating a cluster. */
function usedPlace(t: TestContext, name = '.'): Place {
  const place = emptyPlace(t, name)
  mkdirSync(place.dataDir, { recursive: true })
  spawnSync('cp', ['-a', clusterOf(template), place.dataDir])
  return place
}

function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-pg-'))
  chmodSync(dir, 0o755)
  return dir
}

function startChild(dataDir: string) {
  const module = JSON.stringify(import.meta.resolve('./embedded-postgres.ts'))
  const script = `const { openEmbeddedPostgres } = await import(${module})
    await openEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, say() {} })
    console.log('open')`
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function killServer(pid: number | undefined): void {
  assert.ok(pid !== undefined)
  process.kill(pid, 'SIGKILL')
}

async function query(
  postgres: EmbeddedPostgres,
  text: string,
  ...values: string[]
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(postgres.connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}

async function eventually<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    try {
      return await attempt()
    } catch {
      await sleep(50)
    }
  }
  return await attempt()
}

function clusterOf(dataDir: string): string {
  const pointer = join(dataDir, 'postgres.location')
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataDir, 'postgres')
}

function serverPid(dataDir: string): number | undefined {
  const lock = join(clusterOf(dataDir), 'postmaster.pid')
  return existsSync(lock) ? Number.parseInt(readFileSync(lock, 'utf8'), 10) : undefined
}

/** True if the process runs. A zombie counts as ended. */
function isRunning(pid: number | undefined): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}
