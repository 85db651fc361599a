// The settings, read from the environment. A wrong setting throws a SettingError with the setting's name and rule.

import { resolve } from 'node:path'
import { allFastPaths, type FastPaths } from '../base/fast-paths.ts'
import { masterKeyOf, type ReadBy } from '../base/master-key.ts'
import { parseDecimal } from '../base/money.ts'
import { readWebAddress, WEB_ADDRESS } from '../base/web-address.ts'
import { SettingError } from '../errors/catalogue.ts'
import { isAddressRange } from '../http/addresses.ts'
import { INSECURE_ADDRESS, isSecureAddress, reachOfHost } from '../http/client/public-address.ts'

export type Mode = 'sandbox' | 'live'
type Role = 'all' | 'api' | 'worker'

export type Config = {
  /** In `sandbox`, counterparties are simulated and no money moves. `live` accepts no simulated counterparty. */
  readonly mode: Mode
  /** `api` serves merchants and payers, `worker` runs the background jobs, `all` does both. */
  readonly role: Role
  readonly host: string
  readonly port: number
  /** The public address. All links to our pages start with this address. */
  readonly baseUrl: string
  /** Hosts that may be reached over plain http in live mode. */
  readonly plainHttpHosts: readonly string[]
  /** A second listener, for health and metrics. In live, only this listener serves metrics. */
  readonly ops: ListenAddress | undefined
  readonly dataDir: string
  /** The address of PostgreSQL. If undefined, the gateway starts an embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | undefined
  /** The 32-byte key that encrypts every stored secret. */
  readonly masterKey: Buffer
  /**
   * The length of a minute, in milliseconds, in the schedules of notifications, mails and disputes. Must be 60000 in
   * live.
   */
  readonly minuteMs: number
  readonly notifyPorts: readonly number[] | 'any'
  /**
   * Private addresses and ranges to which notifications may go. `isLocal` also allows loopback. Notifications to all
   * other private addresses are refused.
   */
  readonly notifyAllow: readonly string[]
  /**
   * True for a sandbox that only its own machine can reach: `HOST` and the host of `TOLLGATE_BASE_URL` are loopback.
   * Everybody may read its mails, its documents show the demo merchant's key, and notifications may go to loopback.
   */
  readonly isLocal: boolean
  /** Addresses and ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** The JSON file of channels. In live, no other channels exist. */
  readonly channelsFile: string | undefined
  /** A CSV file of card BINs with brand and country. */
  readonly binsFile: string | undefined
  /** The address of the simulated counterparties. If undefined, a sandbox starts the simulation itself. */
  readonly sandboxUrl: string | undefined
  readonly sandboxSecret: string | undefined
  /** A file with the milliseconds by which the clock is shifted, for simulations. Refused in live. */
  readonly clockFile: string | undefined
  /** The timeout of a call to a channel. If the request may have been sent by then, the outcome is unknown. */
  readonly channelTimeoutMs: number
  readonly logLevel: string
  /** The maximum number of connections. Further connections are closed immediately. */
  readonly maxConnections: number
  readonly fastPaths: FastPaths
  /** The value in US cents above which an operator's decision needs a second person. */
  readonly secondPersonAbove: bigint
  /** The mail server, with user and password. If undefined, no mail is sent; a sandbox shows its mails on a page. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  /** True if companies may register themselves. */
  readonly registration: boolean
  /** The days for which logged requests are kept. 0 turns the request log off. */
  readonly requestLogDays: number
  /** The address of the operator's other gateway: the live gateway for a sandbox, and the sandbox for live. */
  readonly otherUrl: string | undefined
}

type ListenAddress = { readonly host: string; readonly port: number }

const usualTimeoutMs = { sandbox: 4_000, live: 20_000 } as const

/** The names of the settings without `TOLLGATE_`. The compiler refuses code that reads a setting with another name. */
const names = [
  ...['BASE_URL', 'BINS', 'CHANNELS', 'CHANNEL_TIMEOUT_MS', 'CLOCK_FILE', 'DATA_DIR', 'FAST_PATHS'],
  ...['LOG_LEVEL', 'MAIL_FROM', 'MASTER_KEY', 'MAX_CONNECTIONS', 'MINUTE_MS', 'MODE', 'NOTIFY_ALLOW'],
  ...['NOTIFY_PORTS', 'OPS_HOST', 'OPS_PORT', 'OTHER_URL', 'PLAIN_HTTP_HOSTS', 'REGISTRATION'],
  ...['REQUEST_LOG_DAYS', 'ROLE', 'SANDBOX_SECRET', 'SANDBOX_URL', 'SECOND_PERSON_AMOUNT', 'SMTP_URL'],
  'TRUSTED_PROXIES',
] as const
export const settingNames = names.map((name) => `TOLLGATE_${name}` as const)

type Name = (typeof settingNames)[number] | 'HOST' | 'PORT' | 'DATABASE_URL'
type Env = Readonly<Partial<Record<Name, string | undefined>>>

export function readConfig(env: Env, by: ReadBy = 'gateway'): Config {
  const mode = oneOf(env, 'TOLLGATE_MODE', ['sandbox', 'live'] as const, 'sandbox')
  const host = env.HOST || '127.0.0.1'
  const port = whole(env, 'PORT', 8080, 1, 65_535)
  const dataDir = resolve(env.TOLLGATE_DATA_DIR || './data')
  const publicUrl = baseUrl(env, mode, { host, port })
  const masterKey = masterKeyOf(env.TOLLGATE_MASTER_KEY, mode, dataDir, by)
  return Object.freeze({
    mode,
    role: oneOf(env, 'TOLLGATE_ROLE', ['all', 'api', 'worker'] as const, 'all'),
    host,
    port,
    baseUrl: publicUrl,
    plainHttpHosts: plainHttpHosts(env),
    ops: opsAddress(env),
    dataDir,
    databaseUrl: databaseAddress(env),
    get masterKey() {
      return masterKey()
    },
    minuteMs: minuteMs(env, mode),
    notifyPorts: notifyPorts(env, mode),
    notifyAllow: notifyAllow(env),
    isLocal:
      mode === 'sandbox' &&
      [host, new URL(publicUrl).hostname].every((one) => reachOfHost(one) === 'loopback'),
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

function refuse(name: Name, rule: string): never {
  throw new SettingError(`${name} ${rule}`)
}

function oneOf<const Value extends string>(
  env: Env,
  name: Name,
  values: readonly Value[],
  defaultValue: Value,
): Value {
  const text = env[name] || defaultValue
  return values.find((value) => value === text) ?? refuse(name, `must be one of ${values.join(', ')}`)
}

function whole(env: Env, name: Name, defaultValue: number, least: number, most: number): number {
  const text = env[name] || String(defaultValue)
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  return refuse(name, `must be a whole number from ${least} to ${most}`)
}

function webAddress(env: Env, name: Name): string | undefined {
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

/**
 * Reads the settings for mail. TOLLGATE_SMTP_URL needs TOLLGATE_MAIL_FROM, because mail servers refuse mail without a
 * sender. TOLLGATE_MAIL_FROM alone is refused too.
 */
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

/**
 * The ports for notifications in live, by default. Merchants choose the address, and a service at another port may
 * belong to somebody else.
 */
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

/**
 * Reads the trusted proxies, which are required in live: behind an unlisted proxy, rate limits and address lists would
 * see only the proxy's address.
 */
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
