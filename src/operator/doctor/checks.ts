// The checks of `doctor`. A check changes nothing; a finding says what to do about it.
import { access, constants, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import { openDataFolder } from '../base/secret-file.ts'
import type { Config } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'
import { currenciesInUse, opensSecrets } from '../merchants/load-merchants.ts'
import { findPlatformKey } from '../merchants/platform-key.ts'
import { verifyIndex } from '../order-queries/search/verify-index.ts'
import { hashOf, type Manifest, scriptManifest } from '../pages/manifest.ts'
import type { Queryable } from '../postgres/db.ts'
import { pendingMigrations } from '../postgres/migrate.ts'
import { currenciesWithoutRate } from '../rates/missing-rates.ts'
import { requireMode } from '../runtime/database-mode.ts'
import { misspeltSettings } from '../runtime/misspelt-settings.ts'
import { certificateProblem } from './certificate-problem.ts'

export type Finding = {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** What to do about it; absent when the check passed. */
  readonly todo?: string
}

export async function checkNode(): Promise<Finding> {
  const file = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  const pinned: string = JSON.parse(file).devDependencies.node
  const found = `Node ${process.versions.node}`
  if (process.versions.node === pinned) return { check: 'node', status: 'ok', found }
  const todo = `start it through npm, which uses the pinned Node ${pinned}`
  return { check: 'node', status: 'warn', found, todo }
}

export function checkSettings(config: Config): Finding {
  const { mode, role, databaseUrl, baseUrl } = config
  const database = databaseUrl === undefined ? 'embedded database' : 'database from DATABASE_URL'
  const found = `${mode}, role ${role}, ${database}, ${baseUrl}`
  if (mode === 'live' && !baseUrl.startsWith('https://')) {
    return { check: 'settings', status: 'warn', found, todo: 'set TOLLGATE_BASE_URL to your https address' }
  }
  return { check: 'settings', status: 'ok', found }
}

/** Nothing, if all names are right. */
export function checkNames(env: NodeJS.ProcessEnv): Finding[] {
  return misspeltSettings(env).map(({ name, meant }) => {
    return {
      check: 'settings',
      status: 'warn',
      found: `${name} has no effect`,
      todo: `if ${meant} is meant, correct its name; if not, remove it`,
    }
  })
}

export function checkMail({ mode, smtpUrl, mailFrom }: Config): Finding {
  const check = 'mail'
  if (smtpUrl !== undefined) return { check, status: 'ok', found: `sent by SMTP as ${mailFrom}` }
  if (mode === 'sandbox') return { check, status: 'ok', found: 'kept, and shown at /sandbox/mail' }
  const todo = 'set TOLLGATE_SMTP_URL and TOLLGATE_MAIL_FROM; until then nobody gets invitations or alerts'
  return { check, status: 'warn', found: 'no mail is sent', todo }
}

export async function checkDataFolder({ dataDir }: Config): Promise<Finding> {
  const check = 'data folder'
  try {
    openDataFolder(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const todo = 'make it writable for this user, or set TOLLGATE_DATA_DIR to another folder'
    return { check, status: 'fail', found: `${dataDir} cannot be written: ${reason(error)}`, todo }
  }
  const open = await openToOthers(dataDir)
  if (open.length === 0) return { check, status: 'ok', found: dataDir }
  const found = `others can read ${open.join(' and ')}`
  return { check, status: 'warn', found, todo: `chmod go= ${open.join(' ')}` }
}

/** Files and folders with secrets that users other than their owner can read. */
async function openToOthers(dataDir: string): Promise<string[]> {
  const files = ['master.key', 'demo.json', 'sandbox'].map((name) => join(dataDir, name))
  const modes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mode }) => mode,
        () => 0,
      ),
    ),
  )
  return files.filter((_, at) => ((modes[at] ?? 0) & 0o077) !== 0)
}

export async function checkMigrations(db: Queryable): Promise<Finding> {
  const check = 'migrations'
  try {
    const pending = await pendingMigrations(db)
    if (pending.length === 0) return { check, status: 'ok', found: 'all applied' }
    const [first = '', ...others] = pending
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    const found = `not applied: ${first}${more}`
    return { check, status: 'fail', found, todo: 'start the gateway, which applies them' }
  } catch (error) {
    return { check, status: 'fail', found: reason(error), todo: 'use the release that matches this database' }
  }
}

export async function checkMode(db: Queryable, { mode }: Pick<Config, 'mode'>): Promise<Finding> {
  const check = 'mode'
  try {
    await requireMode(db, mode)
    return { check, status: 'ok', found: `the database is ready for ${mode}` }
  } catch (error) {
    return {
      check,
      status: 'fail',
      found: reason(error),
      todo: 'correct it first: neither the gateway nor a command runs on this database',
    }
  }
}

export async function checkMasterKey(db: Queryable, vault: Vault): Promise<Finding> {
  const check = 'master key'
  const fits = await findPlatformKey(db, vault).then(
    (key) => key && true,
    () => false,
  )
  const opens = fits === false ? false : ((await opensSecrets(db, vault)) ?? fits)
  if (opens === undefined) return { check, status: 'ok', found: 'no stored secret to decrypt yet' }
  if (opens) return { check, status: 'ok', found: 'decrypts the stored secrets' }
  const todo =
    'restore the key that encrypted them: set TOLLGATE_MASTER_KEY, or bring back the file master.key'
  return { check, status: 'fail', found: 'does not decrypt every stored secret', todo }
}

export async function checkRates(db: Queryable, clock: Clock): Promise<Finding> {
  const check = 'rates'
  const missing = await currenciesWithoutRate(db, await currenciesInUse(db), clock.now())
  if (missing.length === 0) return { check, status: 'ok', found: 'every open currency has a rate to USD' }
  const todo = 'set them with "fx set --from CUR --to USD --rate …"; until then payments in them are refused'
  return { check, status: 'warn', found: `no rate to USD for ${missing.join(', ')}`, todo }
}

/** Payments do not depend on the search, so a gap in it is no failure. */
export async function checkSearch(db: Queryable): Promise<Finding> {
  const check = 'search'
  const { state, compared, wrong, first } = await verifyIndex(db)
  if (state === 'none') return { check, status: 'ok', found: 'nothing is indexed yet' }
  if (state === 'building') return { check, status: 'ok', found: 'the index is being built' }
  if (wrong === 0) return { check, status: 'ok', found: `finds all ${compared} orders that were compared` }
  const found = `${wrong} of ${compared} orders are missing or out of date, the first is ${first?.tradeNo}`
  return { check, status: 'warn', found, todo: 'run "search rebuild"' }
}

const WARN_MS = 1_000
const FAIL_MS = 60_000

export async function checkClock(db: Queryable, clock: Clock): Promise<Finding> {
  const check = 'clock'
  const before = clock.now().getTime()
  const [row] = await db.query<{ at: Date }>({ text: 'select clock_timestamp() as at' })
  const middle = (before + clock.now().getTime()) / 2
  const apartMs = Math.round(Math.abs((row?.at.getTime() ?? middle) - middle))
  const found = `${apartMs} ms off the database's clock`
  if (apartMs <= WARN_MS) return { check, status: 'ok', found }
  const todo = 'synchronise both machines by NTP'
  return { check, status: apartMs > FAIL_MS ? 'fail' : 'warn', found, todo }
}

const OTHER_TODO =
  'set TOLLGATE_BASE_URL to the address of the gateway, or let the proxy pass every path to it'

export async function checkGateway(baseUrl: string): Promise<Finding> {
  const check = 'gateway'
  const todo = 'start it with "npm start", or set PORT, HOST and TOLLGATE_BASE_URL as it uses them'
  try {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const { status } = Object(await answer.json().catch(() => undefined))
    if (answer.ok && status === 'ready') return { check, status: 'ok', found: `ready at ${baseUrl}` }
    // A proxy says so when no gateway runs behind it.
    if (answer.status < 500)
      return { check, status: 'fail', found: `another program answers at ${baseUrl}`, todo: OTHER_TODO }
    return { check, status: 'warn', found: `${baseUrl}/readyz answers HTTP ${answer.status}`, todo }
  } catch (error) {
    const problem = certificateProblem(error)
    const why = problem?.found ?? reason(error)
    return {
      check,
      status: 'warn',
      found: `does not answer at ${baseUrl}: ${why}`,
      todo: problem?.todo ?? todo,
    }
  }
}

/** Only the running gateway knows who forwards requests to it: see watch-forwarding.ts. */
export async function checkProxies(baseUrl: string): Promise<Finding> {
  const check = 'proxies'
  try {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const forwarding = Object(Object(await answer.json()).detail).forwarding
    const problem = forwardingProblem(forwarding, baseUrl)
    if (problem !== undefined) return { check, status: 'warn', ...problem }
    return { check, status: 'ok', found: 'the gateway has seen no X-Forwarded-For from an untrusted address' }
  } catch (error) {
    return { check, status: 'warn', found: `the gateway at ${baseUrl} does not respond`, todo: remedy(error) }
  }
}

/** What is wrong with the proxies, by what /readyz says of the request that asked it through the public address. */
export function forwardingProblem(
  forwarding: unknown,
  baseUrl: string,
): Required<Pick<Finding, 'found' | 'todo'>> | undefined {
  if (forwarding === 'untrusted')
    return {
      found: 'the gateway got X-Forwarded-For from an untrusted address, which its log names',
      todo: 'if that is your proxy, add it to TOLLGATE_TRUSTED_PROXIES and start the gateway again; until then all payers count as one',
    }
  // The gateway itself speaks no TLS, so a proxy was there.
  if (forwarding === 'direct' && baseUrl.startsWith('https:'))
    return {
      found: 'the proxy sends no X-Forwarded-For, so all payers count as one',
      todo: 'let it add the address of the client to X-Forwarded-For',
    }
  return undefined
}

/** Compares what browsers get with what was released: the served scripts, and the script tags of a served page. */
export async function checkScripts(baseUrl: string): Promise<Finding> {
  const check = 'page scripts'
  const todo = 'stop serving the pages and find out who changed them'
  try {
    const wrong = await differingScripts(baseUrl, scriptManifest())
    if (wrong.length === 0) return { check, status: 'ok', found: 'all match the manifest' }
    return { check, status: 'fail', found: wrong.join('; '), todo }
  } catch (error) {
    if (error instanceof SettingError) return { check, status: 'fail', found: error.message, todo }
    return { check, status: 'warn', found: `cannot be fetched from ${baseUrl}`, todo: remedy(error) }
  }
}

function remedy(error: unknown): string {
  return certificateProblem(error)?.todo ?? 'start the gateway'
}

async function differingScripts(baseUrl: string, manifest: Manifest): Promise<string[]> {
  const fetched = async (path: string) => {
    const answer = await fetch(baseUrl + path, { signal: AbortSignal.timeout(5_000) })
    // A proxy says so when no gateway runs behind it.
    if (answer.status >= 500) throw new Error(`${path} answers HTTP ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  }
  const names = Object.keys(manifest)
  const scripts = await Promise.all(names.map((name) => fetched(scriptPath(name))))
  const served = scripts.map((script, at) => [names[at] ?? '', hashOf(script)] as const)
  const changed = served.filter(([name, hash]) => manifest[name] !== hash)
  // An unknown link also gives a page with all the scripts.
  const page = (await fetched('/pay/none')).toString('utf8')
  return [...changed.map(([name]) => `${name} has been changed`), ...wrongTags(page, manifest)]
}

/** Shops load the drop-in from the root; our own pages load the others. */
export function scriptPath(script: string): string {
  return script === 'drop-in.js' ? `/${script}` : `/assets/${script}`
}

export function wrongTags(page: string, manifest: Manifest): string[] {
  const tags = [...page.matchAll(/<script\b[^>]*>/gi)].map(([tag]) => tag)
  const isListed = (tag: string) => {
    const [, name = ''] = / src="(?:[^"]*\/)?([^"/]+)"/.exec(tag) ?? []
    const [, hash] = / integrity="([^"]+)"/.exec(tag) ?? []
    return hash !== undefined && manifest[name] === hash
  }
  if (tags.length === 0) return ['a served page has no script']
  return tags.filter((tag) => !isListed(tag)).map((tag) => `a served page has ${tag}`)
}

export function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  // What fetch throws says only that it failed.
  if (error instanceof TypeError && error.cause !== undefined) return reason(error.cause)
  return error instanceof Error ? error.message : String(error)
}
