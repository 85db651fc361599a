// A gateway in the test's own process with its back office, and people who call it over HTTP with real sessions.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandboxFor } from '../sandbox/start-for-gateway.ts'
import type { Api } from '../src/backoffice/api.ts'
import { hashPassword } from '../src/backoffice/password/password.ts'
import { PLATFORM } from '../src/backoffice/permissions.ts'
import type { Problem } from '../src/backoffice/problem.ts'
import type { Input, ReplyOf } from '../src/backoffice/route.ts'
import { sessionIdOf } from '../src/backoffice/session/find-session.ts'
import { insertSession } from '../src/backoffice/session/sql.ts'
import { insertUser } from '../src/backoffice/sql.ts'
import { makeId } from '../src/base/id.ts'
import { openVault } from '../src/base/secret.ts'
import { readConfig } from '../src/config.ts'
import { openGateway } from '../src/gateway.ts'
import type { Db } from '../src/postgres/db.ts'
import { openLog } from '../src/runtime/log.ts'
import { type Account, readDemoAccount } from './client.ts'
import { freePort } from './gateway-process.ts'
import { cloneDatabase } from './harness.ts'
import { givePlatformKey, giveSandboxKeys } from './rsa-keys.ts'

export type RouteKey = keyof Api

export type Answer<Name extends RouteKey> = {
  readonly status: number
  readonly headers: Headers
  /** Undefined if it was refused. */
  readonly reply: ReplyOf<Api[Name]> | undefined
  readonly problem: ReturnType<Problem['toJSON']>['problem'] | undefined
}

export type Person = {
  readonly email: string
  /** As the browser sends them now: calls may change them. */
  readonly cookie: string
  /** However the call ends. */
  attempt<Name extends RouteKey>(name: Name, input: Partial<Input<Api[Name]>>): Promise<Answer<Name>>
  /** The call must succeed. */
  call<Name extends RouteKey>(name: Name, input: Input<Api[Name]>): Promise<ReplyOf<Api[Name]>>
}

export type BackOffice = {
  readonly baseUrl: string
  readonly db: Db
  readonly databaseUrl: string
  readonly dataDir: string
  readonly demo: Account
  /** Somebody with this role who is signed in, second factor included. Operators have merchant number 0. */
  person(merNo: number, role: string, password?: string): Promise<Person>
  operator(role?: string): Promise<Person>
  /** A browser without a session. */
  readonly stranger: Person
  /** Another one each time, which keeps its cookies. */
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
  let people = 0
  const person = async (merNo: number, role: string, password?: string) => {
    const email = `${role}-${++people}@${merNo}.example`
    const token = await makeSession(db, { merNo, role, email, password })
    return caller(baseUrl, email, `tollgate=${token}`)
  }
  return {
    baseUrl,
    db,
    databaseUrl,
    dataDir,
    demo: readDemoAccount(dataDir),
    person,
    operator: (role = 'admin') => person(PLATFORM, role),
    stranger: caller(baseUrl),
    browser: () => caller(baseUrl),
    async close() {
      await gateway.close()
      await sandbox.close()
      await drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Most people need no password, and to hash one takes more processor time than their tests. */
const NO_PASSWORD = 'argon2id$'

type NewPerson = {
  readonly merNo: number
  readonly role: string
  readonly email: string
  readonly password: string | undefined
}

/** Of a new person, second factor included; returns the session's token. */
export async function makeSession(db: Db, { merNo, role, email, password }: NewPerson): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = new Date()
  const passwordHash = password === undefined ? NO_PASSWORD : await hashPassword(password)
  await db.transaction(async (tx) => {
    const userId = makeId('U', merNo, now)
    const user = { merNo, userId, email, name: email, role, language: null, createdAt: now }
    await insertUser(tx, { ...user, passwordHash })
    const session = { merNo, sessionId: sessionIdOf(token), userId, at: now, factorAt: now }
    await insertSession(tx, { ...session, address: '127.0.0.1', agent: 'test' })
  })
  return token
}

/** A browser at a gateway's back office. It keeps its cookies. */
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
