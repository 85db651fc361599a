// A real gateway at log level debug, between counterparties that repeat the whole request in every error. The story
// then collects everything that the gateway left behind: its output, its metrics, its tables, and the answers of the
// back office.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import type { ChannelEntry } from '../../sandbox/place.ts'
import { PAGE_ROWS } from '../../src/interfaces/backoffice/schemas.ts'
import { PLATFORM } from '../../src/people/roles/permissions.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { signatureHeader } from '../../src/rails/toolkit/signature.ts'
import type { Fault } from '../counterparties/faulty-proxy.ts'
import { caller, makeSession } from './back-office.ts'
import type { Account } from './client.ts'
import { eventually } from './eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from './gateway-process.ts'
import { cloneDatabase, type TestDatabase } from './harness.ts'
import { type Hidden, leaksIn } from './leaks.ts'
import { type Operator, operatorAt } from './operator.ts'

export type Place = readonly [where: string, text: string]

export type LeakStory = {
  readonly database: TestDatabase
  readonly installation: Installation
  readonly gateway: GatewayProcess
  readonly account: Account
  /** Routes the demo merchant's payments by this method to the channel. */
  route(method: string, channel: string): Promise<void>
  /** Removes the route. */
  unroute(method: string, channel: string): Promise<void>
  close(): Promise<void>
}

export async function openLeakStory(
  entriesIn: (dataDir: string) => readonly ChannelEntry[],
): Promise<LeakStory> {
  const database = await cloneDatabase()
  const installation = await openInstallation({ DATABASE_URL: database.url, TOLLGATE_LOG_LEVEL: 'debug' })
  const { dataDir } = installation
  const channels = join(dataDir, 'channels.json')
  writeFileSync(channels, JSON.stringify(entriesIn(dataDir)), { mode: 0o600 })
  const gateway = await installation.start({
    TOLLGATE_CHANNELS: channels,
    TOLLGATE_CHANNEL_TIMEOUT_MS: '5000',
  })
  const { account } = gateway
  const operator: Operator = operatorAt({ databaseUrl: database.url, dataDir })
  const of = (method: string, channel: string) => [
    ...['merchant', 'route', String(account.merNo)],
    ...['--method', method, '--channel', channel],
  ]
  return {
    database,
    installation,
    gateway,
    account,
    route: async (method, channel) => void (await operator.run(...of(method, channel), '--priority', '1')),
    unroute: async (method, channel) => void (await operator.run(...of(method, channel), '--off')),
    async close() {
      await installation.remove()
      await database.drop()
    },
  }
}

export const said = (request: object) => JSON.stringify(request)

/** Makes a refusal that contains the whole request under every name that counterparties use for error texts. */
export const refusal = (status: number): Fault => {
  return async (_, request) => {
    const text = said(request)
    const code = status === 401 ? 'unauthorised' : 'invalid_request'
    const error = signatureHeader in request.headers ? code : { type: code, code: -32_000, message: text }
    const body = {
      ...{ detail: text, mensagem: text, message: text, reason: text, refusalReason: text },
      ...{ resultado: { id: 0, descripcionError: text }, errorCode: '702', error },
    }
    return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  }
}

export const babbling: Fault = async (_, request) => ({ status: 200, headers: {}, body: said(request) })

/** Answers with the whole request, in a text that is not valid JSON. */
const garbled: Fault = async (_, request) => ({ status: 200, headers: {}, body: `{${said(request)}` })

const breaking: Fault = async () => 'break'

/** The faults of counterparties: refusals, nonsense and broken connections. */
export const faults: readonly Fault[] = [...[500, 401, 403, 422].map(refusal), babbling, garbled, breaking]

/**
 * Makes the gateway ask the channels about everything that is open, so that the log has the reason why each is still
 * open.
 */
export async function askAgain({ database, installation }: LeakStory): Promise<void> {
  const asked = () => installation.output().split('"msg":"asked again"').length
  const before = asked()
  const { length } = await database.db.query({
    text: 'update attempt_rows set ask_at = now() where ask_at is not null returning 1',
  })
  assert.ok(length > 0, 'something is open')
  assert.ok(await eventually(() => asked() >= before + length), 'not all were asked about')
}

/**
 * Searches everything while the gateway runs, and returns the searched places. The log must mention every channel,
 * which proves that the story has used it.
 */
export async function assertNowhere(story: LeakStory, hidden: Hidden): Promise<readonly Place[]> {
  const places = await placesOf(story)
  const output = story.installation.output()
  for (const { name } of hidden.entries ?? []) assert.ok(output.includes(`"${name}"`), String(name))
  const leaks = places.flatMap(([where, text]) => leaksIn(text, hidden).map((leak) => `${leak} in ${where}`))
  assert.deepEqual(leaks, [])
  return places
}

async function placesOf({ database, installation, account }: LeakStory): Promise<Place[]> {
  const metrics = await (await fetch(`${account.baseUrl}/metrics`)).text()
  const shown = await readOffice(database.db, account)
  const tables = await readTables(database.db)
  return [['the output', installation.output()], ['the metrics', metrics], ...shown, ...tables]
}

async function readOffice(db: Db, { baseUrl, merNo }: Account): Promise<Place[]> {
  const email = 'admin@platform.example'
  const token = await makeSession(db, { merNo: PLATFORM, role: 'admin', email, password: undefined })
  const admin = caller(baseUrl, email, `tollgate=${token}`)
  const { rows } = await admin.call('GET /orders', { query: { merNo } })
  assert.ok(rows.length > 0 && rows.length < PAGE_ROWS, `${rows.length} orders on one page`)
  const places: Place[] = [
    ['the orders', JSON.stringify(rows)],
    ['the alerts', JSON.stringify(await admin.call('GET /alerts', {}))],
    ['the channels', JSON.stringify(await admin.call('GET /channels', {}))],
    ['the operations', JSON.stringify(await admin.call('GET /operations', {}))],
  ]
  for (const { tradeNo } of rows) {
    const page = await admin.call('GET /orders/:tradeNo', { params: { tradeNo } })
    places.push(['the page of an order', JSON.stringify(page)])
  }
  return places
}

/**
 * Reads every table as text, in which compressed values are plain, and the bodies that the request log has compressed
 * itself.
 */
export async function readTables(db: Db): Promise<Place[]> {
  const tables = await db.query<{ name: string }>({
    text: `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  })
  const all = await Promise.all(tables.map(({ name }) => readTable(db, name)))
  return [...all, await readRequestLog(db)]
}

async function readTable(db: Db, name: string): Promise<Place> {
  const rows = await db.query<{ text: string }>({
    text: `select row_to_json(t)::text as text from ${name} t`,
  })
  return [`table ${name}`, rows.map((row) => row.text).join('\n')]
}

/** Reads the bodies of the request log. The gateway compresses them, so the table's text does not contain them. */
async function readRequestLog(db: Db): Promise<Place> {
  const blocks = await db.query<{ packed: Buffer }>({ text: 'select packed from request_log_bodies' })
  const texts = blocks.map(({ packed }) => zstdDecompressSync(packed).toString('utf8'))
  return ['the bodies of the request log', texts.join('\n')]
}
