// The checks of `doctor`. A check changes nothing. A finding names the remedy of a problem.
import { access, constants, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { currenciesInUse, opensSecrets } from '../../money/merchants/load-merchants.ts'
import { findPlatformKey } from '../../money/merchants/platform-key.ts'
import { listStuck, readStuck } from '../../money/notifications/watchdog.ts'
import { countOverdue, countUnresolved } from '../../money/order-queries/list-unresolved.ts'
import { verifyIndex } from '../../money/order-queries/search/verify-index.ts'
import { currenciesWithoutRate } from '../../money/rates/list-rates.ts'
import type { Clock } from '../../platform/base/clock.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { hasCode } from '../../platform/base/thrown.ts'
import type { Config } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import {
  type CertificateFault,
  certificateFault,
  certificateFaults,
} from '../../platform/http/client/connection-faults.ts'
import { hashOf, type Manifest, scriptManifest } from '../../platform/pages/manifest.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { pendingMigrations } from '../../platform/postgres/migrate.ts'
import { misspeltSettings } from '../../platform/runtime/misspelt-settings.ts'
import { requireMode } from '../../platform/runtime/open-database.ts'

export type Finding = {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** The remedy. Missing if the check passed. */
  readonly todo?: string
}

export function ok(check: string, found: string): Finding {
  return { check, status: 'ok', found }
}

export function warning(check: string, found: string, todo: string): Finding {
  return { check, status: 'warn', found, todo }
}

export function failure(check: string, found: string, todo: string): Finding {
  return { check, status: 'fail', found, todo }
}

export async function checkNode(): Promise<Finding> {
  const file = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  const pinned: string = JSON.parse(file).devDependencies.node
  const found = `Node ${process.versions.node}`
  if (process.versions.node === pinned) return ok('node', found)
  const todo = `start it through npm, which uses the pinned Node ${pinned}`
  return warning('node', found, todo)
}

export function checkSettings(config: Config): Finding {
  const { mode, role, databaseUrl, baseUrl } = config
  const database = databaseUrl === undefined ? 'embedded database' : 'database from DATABASE_URL'
  const found = `${mode}, role ${role}, ${database}, ${baseUrl}`
  if (mode === 'live' && !baseUrl.startsWith('https://'))
    return warning('settings', found, 'set TOLLGATE_BASE_URL to your https address')
  return ok('settings', found)
}

export function checkNames(env: NodeJS.ProcessEnv): Finding[] {
  return misspeltSettings(env).map(({ name, meant }) => {
    const todo = `if ${meant} is meant, correct its name; if not, remove it`
    return warning('settings', `${name} has no effect`, todo)
  })
}

export function checkMail({ mode, smtpUrl, mailFrom }: Config): Finding {
  const check = 'mail'
  if (smtpUrl !== undefined) return ok(check, `sent by SMTP as ${mailFrom}`)
  if (mode === 'sandbox') return ok(check, 'kept, and shown at /sandbox/mail')
  const todo = 'set TOLLGATE_SMTP_URL and TOLLGATE_MAIL_FROM; until then nobody gets invitations or alerts'
  return warning(check, 'no mail is sent', todo)
}

export async function checkDataFolder({ dataDir, databaseUrl, mode }: Config): Promise<Finding> {
  const check = 'data folder'
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      if (mode === 'live' && databaseUrl !== undefined)
        return ok(check, `${dataDir} does not exist, and is not needed`)
      const todo = 'set TOLLGATE_DATA_DIR as the gateway has it, or run "npm start", which creates it'
      return failure(check, `${dataDir} does not exist`, todo)
    }
    const todo = 'make it writable for this user, or set TOLLGATE_DATA_DIR to another folder'
    return failure(check, `${dataDir} cannot be written: ${reason(error)}`, todo)
  }
  const open = await openToOthers(dataDir)
  if (open.length === 0) return ok(check, dataDir)
  const found = `others can read ${open.join(' and ')}`
  return warning(check, found, `chmod go= ${open.join(' ')}`)
}

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
    if (pending.length === 0) return ok(check, 'all applied')
    const [first = '', ...others] = pending
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    const found = `not applied: ${first}${more}`
    return failure(check, found, 'start the gateway, which applies them')
  } catch (error) {
    return failure(check, reason(error), 'use the release that matches this database')
  }
}

export async function checkMode(db: Queryable, { mode }: Pick<Config, 'mode'>): Promise<Finding> {
  const check = 'mode'
  try {
    await requireMode(db, mode)
    return ok(check, `the database is ready for ${mode}`)
  } catch (error) {
    const todo = 'correct it first: neither the gateway nor a command runs on this database'
    return failure(check, reason(error), todo)
  }
}

export async function checkMasterKey(db: Queryable, vault: Vault): Promise<Finding> {
  const check = 'master key'
  const fits = await findPlatformKey(db, vault).then(
    (key) => key && true,
    () => false,
  )
  const opens = fits === false ? false : ((await opensSecrets(db, vault)) ?? fits)
  if (opens === undefined) return ok(check, 'no stored secret to decrypt yet')
  if (opens) return ok(check, 'decrypts the stored secrets')
  const todo =
    'restore the key that encrypted them: set TOLLGATE_MASTER_KEY, or bring back the file master.key'
  return failure(check, 'does not decrypt every stored secret', todo)
}

export async function checkRates(db: Queryable, clock: Clock): Promise<Finding> {
  const check = 'rates'
  const missing = await currenciesWithoutRate(db, await currenciesInUse(db), clock.now())
  if (missing.length === 0) return ok(check, 'every open currency has a rate to USD')
  const todo = 'set them with "fx set --from CUR --to USD --rate …"; until then payments in them are refused'
  return warning(check, `no rate to USD for ${missing.join(', ')}`, todo)
}

/** Checks the search index. Payments do not depend on the index, so a gap is only a warning. */
export async function checkSearch(db: Queryable): Promise<Finding> {
  const check = 'search'
  const { state, compared, wrong, first } = await verifyIndex(db)
  if (state === 'none') return ok(check, 'nothing is indexed yet')
  if (state === 'building') return ok(check, 'the index is being built')
  if (wrong === 0) return ok(check, `finds all ${compared} orders that were compared`)
  const found = `${wrong} of ${compared} orders are missing or out of date, the first is ${first?.tradeNo}`
  return warning(check, found, 'run "search rebuild"')
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
  if (apartMs <= WARN_MS) return ok(check, found)
  const todo = 'synchronise both machines by NTP'
  return apartMs > FAIL_MS ? failure(check, found, todo) : warning(check, found, todo)
}

const OTHER_TODO =
  'set TOLLGATE_BASE_URL to the address of the gateway, or let the proxy pass every path to it'

export async function checkGateway(baseUrl: string): Promise<Finding> {
  const check = 'gateway'
  const todo = 'start it with "npm start", or set PORT, HOST and TOLLGATE_BASE_URL as it uses them'
  try {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const { status } = Object(await answer.json().catch(() => undefined))
    if (answer.ok && status === 'ready') return ok(check, `ready at ${baseUrl}`)
    // A status of 500 or more comes from a gateway that is not ready, or from a proxy whose gateway is down. Any other
    // response is from another program.
    if (answer.status < 500) return failure(check, `another program answers at ${baseUrl}`, OTHER_TODO)
    return warning(check, `${baseUrl}/readyz answers HTTP ${answer.status}`, todo)
  } catch (error) {
    const problem = certificateProblem(error)
    const why = problem?.found ?? reason(error)
    return warning(check, `does not answer at ${baseUrl}: ${why}`, problem?.todo ?? todo)
  }
}

/**
 * Checks how requests are forwarded. Only the running gateway sees which addresses forward requests: see
 * watch-forwarding.ts.
 */
export async function checkProxies(baseUrl: string): Promise<Finding> {
  const check = 'proxies'
  try {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const forwarding = Object(Object(await answer.json()).detail).forwarding
    const problem = forwardingProblem(forwarding, baseUrl)
    if (problem !== undefined) return warning(check, problem.found, problem.todo)
    return ok(check, 'the gateway has seen no X-Forwarded-For from an untrusted address')
  } catch (error) {
    return warning(check, `the gateway at ${baseUrl} does not respond`, remedy(error))
  }
}

/**
 * Returns the problem with the forwarding, if there is one. `forwarding` is what /readyz reports to a request through
 * the public address. `direct` is about that request. `untrusted` may be about an earlier request.
 */
export function forwardingProblem(
  forwarding: unknown,
  baseUrl: string,
): Required<Pick<Finding, 'found' | 'todo'>> | undefined {
  if (forwarding === 'untrusted')
    return {
      found: 'the gateway got X-Forwarded-For from an untrusted address, which its log names',
      todo: 'if that is your proxy, add it to TOLLGATE_TRUSTED_PROXIES and start the gateway again; until then all payers count as one',
    }
  // The gateway speaks no TLS, so an https request came through a proxy.
  if (forwarding === 'direct' && baseUrl.startsWith('https:'))
    return {
      found: 'the proxy sends no X-Forwarded-For, so all payers count as one',
      todo: 'let it add the address of the client to X-Forwarded-For',
    }
  return undefined
}

/** Compares the served scripts and the script tags of a served page with the manifest of the release. */
export async function checkScripts(baseUrl: string): Promise<Finding> {
  const check = 'page scripts'
  const todo = 'stop serving the pages and find out who changed them'
  try {
    const wrong = await differingScripts(baseUrl, scriptManifest())
    if (wrong.length === 0) return ok(check, 'all match the manifest')
    return failure(check, wrong.join('; '), todo)
  } catch (error) {
    if (error instanceof SettingError) return failure(check, error.message, todo)
    return warning(check, `cannot be fetched from ${baseUrl}`, remedy(error))
  }
}

function remedy(error: unknown): string {
  return certificateProblem(error)?.todo ?? 'start the gateway'
}

async function differingScripts(baseUrl: string, manifest: Manifest): Promise<string[]> {
  const fetched = async (path: string) => {
    const answer = await fetch(baseUrl + path, { signal: AbortSignal.timeout(5_000) })
    // A status of 500 or more comes from a proxy whose gateway is down.
    if (answer.status >= 500) throw new Error(`${path} answers HTTP ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  }
  const names = Object.keys(manifest)
  const scripts = await Promise.all(names.map((name) => fetched(scriptPath(name))))
  const served = scripts.map((script, at) => [names[at] ?? '', hashOf(script)] as const)
  const changed = served.filter(([name, hash]) => manifest[name] !== hash)
  // The page of an unknown link contains all scripts.
  const page = (await fetched('/pay/none')).toString('utf8')
  return [...changed.map(([name]) => `${name} has been changed`), ...wrongTags(page, manifest)]
}

/** The path of a script. Shops load the drop-in from the root. Our own pages load the other scripts. */
export function scriptPath(script: string): string {
  return script === 'drop-in.js' ? `/${script}` : `/assets/${script}`
}

function wrongTags(page: string, manifest: Manifest): string[] {
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
  // If `fetch` fails, the message of its error says only "fetch failed". The cause of the error has the reason.
  if (error instanceof TypeError && error.cause !== undefined) return reason(error.cause)
  return error instanceof Error ? error.message : String(error)
}

// Certificate problems at the public address. Without a valid certificate, nobody can use a running gateway, and a
// restart does not help.

const remedies: Readonly<Record<CertificateFault, string>> = {
  expired: 'renew the certificate at the proxy, and let the proxy load it',
  early: 'synchronise the clock of this machine by NTP, or replace the certificate at the proxy',
  foreign: 'give the proxy a certificate for the host of TOLLGATE_BASE_URL, or correct the setting',
  untrusted:
    'let the proxy send its certificate with the whole chain; for an authority of your own, set NODE_EXTRA_CA_CERTS to its file',
}

/** The problem with the certificate of our public address. Undefined if `fetch` failed for another reason. */
export function certificateProblem(
  error: unknown,
): { readonly found: string; readonly todo: string } | undefined {
  const fault = error instanceof Error ? certificateFault(error.cause) : undefined
  return fault && { found: certificateFaults[fault], todo: remedies[fault] }
}

/**
 * Warns if notifications are retrying or overdue. The back office's queue of deliveries counts them in the same way.
 */
export async function checkNotifications(db: Db, clock: Clock): Promise<Finding> {
  const check = 'notifications'
  const now = clock.now()
  const { retrying, overdue } = await readStuck(db, now)
  const [first, ...others] = await listStuck(db, now)
  if (first === undefined) return ok(check, 'none is retrying or overdue')
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const found = `merchant ${first.merNo}${more}: ${retrying} retrying after a failed attempt, ${overdue} overdue`
  const todo =
    first.retrying > 0
      ? `see the reasons by "notify list --state retrying --mer-no ${first.merNo}", and ask the merchant to repair its server`
      : 'check that a process with the role "all" or "worker" runs'
  return warning(check, found, todo)
}

const DAY_MS = 86_400_000

/** Warns if a channel is late with the outcome of a payment, refund, payout or return. */
export async function checkOutcomes(db: Queryable, clock: Clock): Promise<Finding> {
  const check = 'outcomes'
  const now = clock.now()
  const unknown = (await countUnresolved(db, now)).count
  const { count, oldest } = await countOverdue(db, now)
  const inAll = unknown === 0 ? 'every outcome is known' : `${unknown} unknown`
  if (oldest === undefined) return ok(check, inAll)
  const { kind, id, since } = oldest
  const days = Math.floor((now.getTime() - since.getTime()) / DAY_MS)
  const more = count === 1 ? '' : `, and ${count - 1} more`
  const long = days === 1 ? 'a day' : `${days} days`
  const found = `${inAll}; the channel has not said for ${long} how ${kind} ${id} ended${more}`
  const todo =
    kind === 'return'
      ? 'ask the channel, and see "review list"'
      : 'see "outcome list"; ask the channel, then decide with "outcome decide"'
  return warning(check, found, todo)
}
