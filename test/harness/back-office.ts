// A gateway in the test's own process with its back office, and people who call it over HTTP with real sessions.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandboxFor } from '../../sandbox/start-for-gateway.ts'
import { openGateway } from '../../src/gateway/gateway.ts'
import type { Api } from '../../src/interfaces/backoffice/api.ts'
import type { Input, ReplyOf } from '../../src/interfaces/backoffice/route.ts'
import { hashPassword } from '../../src/people/passwords/password.ts'
import { PLATFORM } from '../../src/people/roles/permissions.ts'
import { sessionIdOf } from '../../src/people/sessions/find-session.ts'
import { insertSession } from '../../src/people/sessions/sql.ts'
import { insertUser } from '../../src/people/users/store-users.ts'
import { makeId } from '../../src/platform/base/id.ts'
import { openVault } from '../../src/platform/base/secret.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import type { Problem } from '../../src/platform/errors/problem.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { openLog } from '../../src/platform/runtime/log.ts'
import { givePlatformKey, giveSandboxKeys } from '../builders/rsa-keys.ts'
import { type Account, readDemoAccount } from './client.ts'
import { freePort } from './gateway-process.ts'
import { cloneDatabase } from './harness.ts'

export type RouteKey = keyof Api
export type RouteInput<Name extends RouteKey> = Input<Api[Name]>

export type Answer<Name extends RouteKey> = {
  readonly status: number
  readonly headers: Headers
  /** The reply; undefined if the call was refused. */
  readonly reply: ReplyOf<Api[Name]> | undefined
  readonly problem: ReturnType<Problem['toJSON']>['problem'] | undefined
}

export type Person = {
  readonly email: string
  /** The cookies as the browser sends them now: calls may change them. */
  readonly cookie: string
  /** Makes a call that may succeed or fail. */
  attempt<Name extends RouteKey>(name: Name, input: Partial<Input<Api[Name]>>): Promise<Answer<Name>>
  /** Makes a call that must succeed. */
  call<Name extends RouteKey>(name: Name, input: Input<Api[Name]>): Promise<ReplyOf<Api[Name]>>
}

export type BackOffice = {
  readonly baseUrl: string
  readonly db: Db
  readonly databaseUrl: string
  readonly dataDir: string
  readonly demo: Account
  /** Makes a person with this role who is signed in, second factor included. Operators have merchant number 0. */
  person(merNo: number, role: string, password?: string): Promise<Person>
  operator(role?: string): Promise<Person>
  /** A browser without a session. */
  readonly stranger: Person
  /** Makes a new browser, which keeps its cookies. */
  browser(): Person
  close(): Promise<void>
}

export async function openBackOffice(env: Record<string, string> = {}): Promise<BackOffice> {
  const { db, url: databaseUrl, drop } = await cloneDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-back-office-'))
  const port = String(await freePort())
  const settings = readConfig({
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_BASE_URL: `http://localhost:${port}`,
    TOLLGATE_FAST_PATHS: process.env.TOLLGATE_FAST_PATHS,
    PORT: port,
    ...env,
  })
  giveSandboxKeys(dataDir)
  await givePlatformKey(db, openVault(settings.masterKey))
  const sandbox = await startSandboxFor(settings)
  const gateway = await openGateway({ config: sandbox.config, db, log: openLog('silent') })
  await gateway.listen()
  const { baseUrl } = sandbox.config
  return {
    ...peopleAt(db, baseUrl),
    db,
    databaseUrl,
    dataDir,
    demo: readDemoAccount(dataDir),
    async close() {
      await gateway.close()
      await sandbox.close()
      await drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Opens a gateway in live mode, without channels and without the demo. */
export async function openLiveOffice(): Promise<Omit<BackOffice, 'demo'>> {
  const { db, url: databaseUrl, drop } = await cloneDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-live-office-'))
  const port = String(await freePort())
  const config = readConfig({
    TOLLGATE_MODE: 'live',
    TOLLGATE_MASTER_KEY: '1'.repeat(64),
    TOLLGATE_TRUSTED_PROXIES: 'none',
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_BASE_URL: `http://localhost:${port}`,
    TOLLGATE_FAST_PATHS: process.env.TOLLGATE_FAST_PATHS,
    PORT: port,
  })
  await givePlatformKey(db, openVault(config.masterKey))
  const gateway = await openGateway({ config, db, log: openLog('silent') })
  await gateway.listen()
  return {
    ...peopleAt(db, config.baseUrl),
    db,
    databaseUrl,
    dataDir,
    async close() {
      await gateway.close()
      await drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

function peopleAt(db: Db, baseUrl: string) {
  let people = 0
  const person = async (merNo: number, role: string, password?: string) => {
    const email = `${role}-${++people}@${merNo}.example`
    const token = await makeSession(db, { merNo, role, email, password })
    return caller(baseUrl, email, `tollgate=${token}`)
  }
  return {
    baseUrl,
    person,
    operator: (role = 'admin') => person(PLATFORM, role),
    stranger: caller(baseUrl),
    browser: () => caller(baseUrl),
  }
}

/**
 * The hash of a person without a password. Most people need none, and hashing one takes more processor time than their
 * tests.
 */
const NO_PASSWORD = 'argon2id$'

type NewPerson = {
  readonly merNo: number
  readonly role: string
  readonly email: string
  readonly password: string | undefined
}

/** Makes a new person with a session, second factor included, and returns the session's token. */
export async function makeSession(db: Db, { merNo, role, email, password }: NewPerson): Promise<string> {
  const passwordHash = password === undefined ? NO_PASSWORD : await hashPassword(password)
  const now = new Date()
  const userId = makeId('U', merNo, now)
  const user = { merNo, userId, email, name: email, role, language: null, createdAt: now }
  await db.transaction((tx) => insertUser(tx, { ...user, passwordHash }))
  return await renewSession(db, merNo, userId)
}

/** Begins a session of a person, second factor included, and returns its token. */
async function renewSession(db: Db, merNo: number, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const at = new Date()
  const session = { merNo, sessionId: sessionIdOf(token), userId, at, factorAt: at }
  await db.transaction((tx) => insertSession(tx, { ...session, address: '127.0.0.1', agent: 'test' }))
  return token
}

/** Makes a new person without a password, and returns the function that begins a session of the person. */
export async function makePerson(
  db: Db,
  merNo: number,
  role: string,
  email: string,
): Promise<() => Promise<string>> {
  const now = new Date()
  const userId = makeId('U', merNo, now)
  const user = { merNo, userId, email, name: email, role, language: null, createdAt: now }
  await db.transaction((tx) => insertUser(tx, { ...user, passwordHash: NO_PASSWORD }))
  return () => renewSession(db, merNo, userId)
}

/** Makes a browser at a gateway's back office. The browser keeps its cookies. */
export function caller(baseUrl: string, email = '', cookie = ''): Person {
  const jar = new Map<string, string>(
    cookie === '' ? [] : [[cookie.replace(/=.*/, ''), cookie.replace(/.*?=/, '')]],
  )
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const attempt: Person['attempt'] = async (name, input) => {
    const response = await send(baseUrl, cookies(), name, input)
    for (const [, key = '', value = ''] of setCookies(response)) {
      if (value === '') jar.delete(key)
      else jar.set(key, value)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const body = isJson ? JSON.parse(text) : text
    const { status, headers } = response
    return response.ok
      ? { status, headers, reply: body, problem: undefined }
      : { status, headers, reply: undefined, problem: body.problem }
  }
  return {
    email,
    get cookie() {
      return cookies()
    },
    attempt,
    async call(name, input) {
      const { reply, status, problem } = await attempt(name, input)
      if (reply === undefined) throw new Error(`${name} was refused: ${status} ${JSON.stringify(problem)}`)
      return reply
    },
  }
}

function setCookies({ headers }: Response): string[][] {
  return headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? [])
}

type Parts = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

function send(baseUrl: string, cookie: string, name: string, input: unknown): Promise<Response> {
  const { params = {}, query = {}, body }: Parts = input ?? {}
  const [method = '', path = ''] = name.split(' ')
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key] ?? '-')))
  const url = new URL(`${baseUrl}/backoffice/api${filled}`)
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(key, String(one))
  return fetch(url, {
    method,
    headers: {
      cookie,
      origin: baseUrl,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
