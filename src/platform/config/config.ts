// Reads the settings from the environment once. A bad setting throws a SettingError that names it and its rule.

import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { allFastPaths, type FastPaths } from './base/fast-paths.ts'
import { parseDecimal } from './base/money.ts'
import { readOrCreateSecret } from './base/secret-file.ts'
import { readWebAddress, WEB_ADDRESS } from './base/web-address.ts'
import { SettingError } from './errors/catalogue.ts'
import { isAddressRange } from './http/addresses.ts'
import { INSECURE_ADDRESS, isSecureAddress } from './http/client/secure-address.ts'

export type Mode = 'sandbox' | 'live'
export type Role = 'all' | 'api' | 'worker'

export type Config = {
  /** Sandbox: no money moves, simulated counterparties. Live refuses both. */
  readonly mode: Mode
  /** `api` serves merchants and payers, `worker` runs the background jobs, `all` does both. */
  readonly role: Role
  readonly host: string
  readonly port: number
  /** Our public address: links and page addresses start with it. */
  readonly baseUrl: string
  /** Hosts that may be reached over plain http in live. */
  readonly plainHttpHosts: readonly string[]
  /** A second listener for health and metrics. In live it is the only one that serves metrics. */
  readonly ops: ListenAddress | undefined
  readonly dataDir: string
  /** Unset: the gateway starts an embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | undefined
  /** The 32-byte key that encrypts every stored secret. */
  readonly masterKey: Buffer
  /** Length of one minute of the notification schedule. Live requires 60000. */
  readonly minuteMs: number
  /** Ports that notifications may go to. Default: any in sandbox, the usual web ports in live. */
  readonly notifyPorts: readonly number[] | 'any'
  /** Private addresses and ranges that notifications may go to nevertheless. */
  readonly notifyAllow: readonly string[]
  /** Addresses and ranges whose X-Forwarded-For header we trust. */
  readonly trustedProxies: readonly string[]
  /** The JSON file that configures channels. Live has no others. */
  readonly channelsFile: string | undefined
  /** A CSV file of card BINs with brand and country. */
  readonly binsFile: string | undefined
  /** Address of the sandbox's counterparties. Unset: in sandbox the program starts them. */
  readonly sandboxUrl: string | undefined
  readonly sandboxSecret: string | undefined
  /** A file with milliseconds to add to the clock. Only the sandbox takes one: simulations move its clock. */
  readonly clockFile: string | undefined
  /** After this time without a channel's response the outcome is unknown. */
  readonly channelTimeoutMs: number
  readonly logLevel: string
  /** Maximum open connections; further ones are closed immediately. */
  readonly maxConnections: number
  readonly fastPaths: FastPaths
  /** In US cents: above this value an operator's decision needs a second person. */
  readonly secondPersonAbove: bigint
  /** The mail server, with user and password. Unset: no mail is sent; the sandbox shows its mails. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  /** Whether companies may register themselves. */
  readonly registration: boolean
  /** How long the request log is kept; 0 turns it off. */
  readonly requestLogDays: number
  /** The address of the other mode's gateway, if there is one. */
  readonly otherUrl: string | undefined
}

export type ListenAddress = { readonly host: string; readonly port: number }

/** How long a channel may take to respond. */
const usualTimeoutMs = { sandbox: 4_000, live: 20_000 } as const

type Env = Readonly<Record<string, string | undefined>>

export function readConfig(env: Env): Config {
  const mode = oneOf(env, 'TOLLGATE_MODE', ['sandbox', 'live'] as const, 'sandbox')
  const host = env.HOST || '127.0.0.1'
  const port = whole(env, 'PORT', 8080, 1, 65_535)
  const dataDir = resolve(env.TOLLGATE_DATA_DIR || './data')
  return Object.freeze({
    mode,
    role: oneOf(env, 'TOLLGATE_ROLE', ['all', 'api', 'worker'] as const, 'all'),
    host,
    port,
    baseUrl: baseUrl(env, mode, { host, port }),
    plainHttpHosts: plainHttpHosts(env),
    ops: opsAddress(env),
    dataDir,
    databaseUrl: databaseAddress(env),
    masterKey: masterKey(env, mode, dataDir),
    minuteMs: minuteMs(env, mode),
    notifyPorts: notifyPorts(env, mode),
    notifyAllow: notifyAllow(env),
    trustedProxies: trustedProxies(env, mode),
    channelsFile: env.TOLLGATE_CHANNELS ? resolve(env.TOLLGATE_CHANNELS) : undefined,
    binsFile: env.TOLLGATE_BINS ? resolve(env.TOLLGATE_BINS) : undefined,
    sandboxUrl: sandboxUrl(env, mode),
    sandboxSecret: env.TOLLGATE_SANDBOX_SECRET || undefined,
    clockFile: clockFile(env, mode),
    channelTimeoutMs: whole(env, 'TOLLGATE_CHANNEL_TIMEOUT_MS', usualTimeoutMs[mode], 100, 60_000),
    logLevel: oneOf(env, 'TOLLGATE_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'] as const, 'info'),
    maxConnections: whole(env, 'TOLLGATE_MAX_CONNECTIONS', 10_000, 1, 1_000_000),
    fastPaths: allFastPaths(oneOf(env, 'TOLLGATE_FAST_PATHS', ['on', 'off'] as const, 'on') === 'on'),
    secondPersonAbove: secondPersonAbove(env.TOLLGATE_SECOND_PERSON_AMOUNT || '1000.00'),
    ...mailSettings(env),
    registration:
      oneOf(env, 'TOLLGATE_REGISTRATION', ['on', 'off'] as const, mode === 'sandbox' ? 'on' : 'off') === 'on',
    requestLogDays: whole(env, 'TOLLGATE_REQUEST_LOG_DAYS', 30, 0, 400),
    otherUrl: webAddress(env, 'TOLLGATE_OTHER_URL'),
  })
}

function refuse(name: string, rule: string): never {
  throw new SettingError(`${name} ${rule}`)
}

function oneOf<const Value extends string>(
  env: Env,
  name: string,
  values: readonly Value[],
  defaultValue: Value,
): Value {
  const text = env[name] || defaultValue
  return values.find((value) => value === text) ?? refuse(name, `must be one of ${values.join(', ')}`)
}

function whole(env: Env, name: string, defaultValue: number, least: number, most: number): number {
  const text = env[name] || String(defaultValue)
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  return refuse(name, `must be a whole number from ${least} to ${most}`)
}

function webAddress(env: Env, name: string): string | undefined {
  const text = env[name]
  if (!text) return undefined
  const address = readWebAddress(text)
  const url = address === undefined ? null : URL.parse(address)
  if (address === undefined || url === null || url.search !== '' || url.hash !== '')
    return refuse(name, WEB_ADDRESS)
  if (url.username !== '' || url.password !== '')
    return refuse(name, 'must not contain a user name or password')
  return address
}

function baseUrl(env: Env, mode: Mode, { host, port }: ListenAddress): string {
  const text = webAddress(env, 'TOLLGATE_BASE_URL')
  if (mode === 'sandbox') return text ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (text === undefined)
    return refuse(
      'TOLLGATE_BASE_URL',
      'is required in live: set it to the https address that merchants and payers use',
    )
  return isSecureAddress(new URL(text), plainHttpHosts(env))
    ? text
    : refuse('TOLLGATE_BASE_URL', INSECURE_ADDRESS)
}

function plainHttpHosts(env: Env): readonly string[] {
  return list(env.TOLLGATE_PLAIN_HTTP_HOSTS).map((host) => {
    const url = /^([^:/?#@*\s]+|\[[\da-f:.]+\])$/i.test(host) ? URL.parse(`http://${host}`) : null
    return (
      url?.hostname ??
      refuse(
        'TOLLGATE_PLAIN_HTTP_HOSTS',
        'must be a comma-separated list of host names without scheme, port or path',
      )
    )
  })
}

function opsAddress(env: Env): ListenAddress | undefined {
  if (!env.TOLLGATE_OPS_PORT) return undefined
  return { host: env.TOLLGATE_OPS_HOST || '127.0.0.1', port: whole(env, 'TOLLGATE_OPS_PORT', 0, 1, 65_535) }
}

function databaseAddress(env: Env): string | undefined {
  const text = env.DATABASE_URL
  if (!text) return undefined
  if (!/^postgres(ql)?:\/\//.test(text))
    return refuse('DATABASE_URL', 'must begin with postgres:// or postgresql://')
  return text
}

/** Both or none: a server refuses mail without a sender. */
function mailSettings(env: Env): Pick<Config, 'smtpUrl' | 'mailFrom'> {
  const [smtpUrl, mailFrom] = [env.TOLLGATE_SMTP_URL, env.TOLLGATE_MAIL_FROM]
  if (!smtpUrl && !mailFrom) return { smtpUrl: undefined, mailFrom: undefined }
  const protocol = URL.parse(smtpUrl ?? '')?.protocol
  if (!smtpUrl || (protocol !== 'smtp:' && protocol !== 'smtps:'))
    return refuse('TOLLGATE_SMTP_URL', 'must be an address such as smtps://user:password@mail.example:465')
  if (!mailFrom || !/^([^<>\p{C}]{1,100} )?<?[^\s<>@\p{C}]+@[^\s<>@\p{C}]+>?$/u.test(mailFrom))
    return refuse('TOLLGATE_MAIL_FROM', 'must be an address such as Payments <payments@company.example>')
  return { smtpUrl, mailFrom }
}

function minuteMs(env: Env, mode: Mode): number {
  const value = whole(env, 'TOLLGATE_MINUTE_MS', 60_000, 1, 3_600_000)
  if (mode === 'live' && value !== 60_000)
    return refuse('TOLLGATE_MINUTE_MS', 'must be 60000 in live: only the sandbox may change it')
  return value
}

function secondPersonAbove(text: string): bigint {
  return (
    parseDecimal(text, 'USD') ?? refuse('TOLLGATE_SECOND_PERSON_AMOUNT', 'must be an amount such as 1000.00')
  )
}

const webPorts: readonly number[] = [80, 443, 8080, 8443]

function notifyPorts(env: Env, mode: Mode): readonly number[] | 'any' {
  const text = env.TOLLGATE_NOTIFY_PORTS || (mode === 'sandbox' ? 'any' : webPorts.join(','))
  if (text === 'any') return 'any'
  const ports = list(text).map(Number)
  if (ports.every((port) => Number.isInteger(port) && port >= 1 && port <= 65_535)) return ports
  return refuse('TOLLGATE_NOTIFY_PORTS', 'must be "any" or a comma-separated list of ports')
}

function notifyAllow(env: Env): readonly string[] {
  const ranges = list(env.TOLLGATE_NOTIFY_ALLOW)
  if (ranges.every(isAddressRange)) return ranges
  return refuse(
    'TOLLGATE_NOTIFY_ALLOW',
    'must be a comma-separated list of addresses or ranges such as 10.1.0.0/16',
  )
}

/** Required in live: behind an unlisted proxy, rate limits and address lists would see only the proxy's address. */
function trustedProxies(env: Env, mode: Mode): readonly string[] {
  const name = 'TOLLGATE_TRUSTED_PROXIES'
  const text = env.TOLLGATE_TRUSTED_PROXIES
  if (mode === 'live' && !text)
    return refuse(
      name,
      'is required in live: list the addresses of your proxies, or set "none" if clients connect directly',
    )
  const ranges = text === 'none' ? [] : list(text)
  const isSaid = !text || text === 'none' || ranges.length > 0
  if (isSaid && ranges.every(isAddressRange)) return ranges
  return refuse(name, 'must be "none" or a comma-separated list of addresses or ranges such as 10.1.0.0/16')
}

function sandboxUrl(env: Env, mode: Mode): string | undefined {
  const url = webAddress(env, 'TOLLGATE_SANDBOX_URL')
  if (mode === 'live' && url !== undefined)
    return refuse('TOLLGATE_SANDBOX_URL', 'must not be set in live: it is for the sandbox')
  return url
}

function clockFile(env: Env, mode: Mode): string | undefined {
  if (!env.TOLLGATE_CLOCK_FILE) return undefined
  if (mode === 'live') return refuse('TOLLGATE_CLOCK_FILE', 'must not be set in live: it is for simulations')
  return resolve(env.TOLLGATE_CLOCK_FILE)
}

function list(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function masterKey(env: Env, mode: Mode, dataDir: string): Buffer {
  const text = env.TOLLGATE_MASTER_KEY
  if (text)
    return (
      decodeKey(text) ??
      refuse('TOLLGATE_MASTER_KEY', 'must be 32 bytes, written as 64 hex digits or as base64')
    )
  if (mode === 'live')
    return refuse('TOLLGATE_MASTER_KEY', 'is required in live: create one with "openssl rand -hex 32"')
  return sandboxKey(dataDir)
}

function sandboxKey(dataDir: string): Buffer {
  const file = join(dataDir, 'master.key')
  const text = fromDataFolder(dataDir, () => readOrCreateSecret(file, () => randomBytes(32).toString('hex')))
  return decodeKey(text) ?? refuse(file, 'does not contain a master key of 64 hex digits')
}

/** Reading the sandbox's master key is the first use of the data folder, so an unusable folder is reported here. */
function fromDataFolder(dataDir: string, read: () => string): string {
  try {
    return read()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return refuse(
      'TOLLGATE_DATA_DIR',
      `is ${dataDir}, which cannot be used: ${why}. Make it writable or choose another folder`,
    )
  }
}

function decodeKey(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return key.length === 32 ? key : undefined
}
