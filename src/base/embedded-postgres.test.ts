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
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.ts'

const asRoot = process.getuid?.() === 0
let template: Promise<string> | undefined

test('keeps its data over a restart, durable and behind a socket of its own', async (t) => {
  const dataDir = dataFolder(t)
  const first = await open(t, dataDir)
  await query(first, `create table kept as select 'Zoë' as name`)
  await first.close()
  assert.equal(serverPid(dataDir), undefined)

  const second = await open(t, dataDir)
  assert.deepEqual(await query(second, 'select name from kept'), [{ name: 'Zoë' }])
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

test('is shared, and the last to leave stops it', async (t) => {
  const dataDir = await usedDataFolder(t)
  const gateway = await open(t, dataDir)
  const commandLine = await open(t, dataDir)
  const pid = serverPid(dataDir)
  assert.deepEqual(commandLine.connection, gateway.connection)

  await gateway.close()
  await gateway.close()
  assert.deepEqual(await query(commandLine, 'select 1 as one'), [{ one: 1 }])
  assert.equal(serverPid(dataDir), pid)

  await commandLine.close()
  assert.equal(isRunning(pid), false)
})

test('many that come and go at once always find a server, and leave none behind', async (t) => {
  const dataDir = await usedDataFolder(t)
  const visit = async (delayMs: number) => {
    await sleep(delayMs)
    for (let round = 0; round < 4; round += 1) {
      const visitor = await open(t, dataDir)
      assert.deepEqual(await query(visitor, 'select 1 as one'), [{ one: 1 }])
      await visitor.close()
    }
  }
  await Promise.all([0, 10, 20].map(visit))
  assert.equal(serverPid(dataDir), undefined)
})

test('adopts the server of a gateway that was killed', async (t) => {
  const dataDir = await usedDataFolder(t)
  const gateway = await openInChild(t, dataDir)
  const pid = serverPid(dataDir)
  await kill(gateway)
  assert.equal(isRunning(pid), true)

  const next = await open(t, dataDir)
  assert.equal(serverPid(dataDir), pid)
  await next.close()
  assert.equal(isRunning(pid), false)
})

test('recovers after the server itself was killed', async (t) => {
  const dataDir = await usedDataFolder(t)
  const gateway = await openInChild(t, dataDir)
  const pid = serverPid(dataDir)
  await kill(gateway)
  const witness = await open(t, dataDir)
  await query(witness, 'create table kept as select 7 as seven')
  killServer(pid)

  const [row] = await eventually(() => query(witness, 'select seven from kept'))
  assert.deepEqual(row, { seven: 7 }, 'whoever still uses it starts it again')
  assert.notEqual(serverPid(dataDir), pid)
  await witness.close()
  assert.equal(serverPid(dataDir), undefined)
})

test('starts although the lock of a dead server names a living process', async (t) => {
  const dataDir = await usedDataFolder(t)
  const { uid, gid } = statSync(clusterOf(dataDir))
  const stranger = spawn('sleep', ['60'], { uid, gid })
  t.after(() => kill(stranger))
  for (const lock of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const text = [stranger.pid, clusterOf(dataDir), 1, 5432, clusterOf(dataDir), '', ''].join('\n')
    writeFileSync(join(clusterOf(dataDir), lock), text)
  }
  const next = await open(t, dataDir)
  assert.deepEqual(await query(next, 'select 1 as one'), [{ one: 1 }])
  assert.equal(stranger.exitCode, null)
})

test('two who start at once in an empty folder share one cluster', async (t) => {
  const dataDir = dataFolder(t)
  mkdirSync(join(dataDir, 'postgres.new-999999999-0badcafe'))
  const [first] = await Promise.all([open(t, dataDir), openInChild(t, dataDir)])
  assert.deepEqual(
    await query(first, 'select count(*)::int as n from pg_locks where locktype = $$advisory$$'),
    [{ n: 2 }],
  )
  const left = readdirSync(dataDir).filter((name) => name.includes('.new-'))
  assert.deepEqual(left, [], 'drafts of this start and of one that was killed are swept away')
})

test('a path too long for a socket, with odd characters in it, works', async (t) => {
  const dataDir = join(dataFolder(t), `a "long", ${'x'.repeat(90)}`)
  const postgres = await open(t, dataDir)
  const { host } = postgres.connection
  t.after(() => rmSync(host, { recursive: true, force: true }))
  assert.ok(join(host, '.s.PGSQL.5432').length <= 100)
  assert.equal(statSync(host).mode & 0o777, 0o700)
  assert.equal(statSync(host).uid, statSync(clusterOf(dataDir)).uid)
  await postgres.close()

  chmodSync(host, 0o777)
  await assert.rejects(open(t, dataDir), /open to others/)
})

test('a server that cannot start is reported with its own words', async (t) => {
  const dataDir = await usedDataFolder(t)
  writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '9.6\n')
  await assert.rejects(
    open(t, dataDir),
    /did not start: it ended with status 1(.|\n)*database files are incompatible with server/,
  )
})

test('as root, a data folder that only root enters gets a cluster elsewhere', {
  skip: !asRoot,
}, async (t) => {
  const dataDir = dataFolder(t)
  chmodSync(dataDir, 0o700)
  const [first] = await Promise.all([open(t, dataDir), openInChild(t, dataDir)])
  const cluster = clusterOf(dataDir)
  assert.match(cluster, /^\/var\/lib\/tollgate\//)
  await query(first, 'create table kept as select 7 as seven')
  await first.close()

  const second = await open(t, dataDir)
  assert.deepEqual(await query(second, 'select seven from kept'), [{ seven: 7 }])
  assert.equal(clusterOf(dataDir), cluster)
})

test('a pointer to a cluster that is gone is refused, not replaced by an empty database', async (t) => {
  const dataDir = dataFolder(t)
  writeFileSync(join(dataDir, 'postgres.location'), `${join(dataDir, 'nowhere')}\n`)
  await assert.rejects(open(t, dataDir), /says that the database lies in .*nowhere, but it is not there/)
})

function dataFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-pg-'))
  chmodSync(dir, 0o755)
  t.after(() => {
    for (const home of [dir, ...readdirSync(dir).map((name) => join(dir, name))]) removeCluster(home)
    rmSync(dir, { recursive: true, force: true })
  })
  return dir
}

/** A data folder with a cluster that was made before: a copy, which is faster than making one. */
async function usedDataFolder(t: TestContext): Promise<string> {
  const dataDir = dataFolder(t)
  template ??= makeTemplate()
  spawnSync('cp', ['-a', join(await template, 'postgres'), dataDir])
  return dataDir
}

async function makeTemplate(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-pg-'))
  chmodSync(dir, 0o755)
  after(() => rmSync(dir, { recursive: true }))
  const postgres = await openEmbeddedPostgres({ dataDir: dir, say: () => {} })
  await postgres.close()
  return dir
}

function removeCluster(home: string): void {
  const pid = serverPid(home)
  if (pid !== undefined && isRunning(pid)) process.kill(pid, 'SIGQUIT')
  if (existsSync(join(home, 'postgres.location'))) rmSync(clusterOf(home), { recursive: true, force: true })
}

async function open(t: TestContext, dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres({ dataDir, say: () => {} })
  t.after(() => postgres.close())
  return postgres
}

/** A process of its own, which can be killed. */
async function openInChild(t: TestContext, dataDir: string): Promise<ChildProcess> {
  const module = JSON.stringify(import.meta.resolve('./embedded-postgres.ts'))
  const script = `const { openEmbeddedPostgres } = await import(${module})
    await openEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, say() {} })
    console.log('open')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => kill(child))
  await once(child.stdout, 'data')
  return child
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

async function query(postgres: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(postgres.connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function eventually<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < 200; tries += 1) {
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

/** A zombie, which waits for its parent to notice, runs no more. */
function isRunning(pid: number | undefined): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}
