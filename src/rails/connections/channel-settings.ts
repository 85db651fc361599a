// Reads the entries of all channels from the TOLLGATE_CHANNELS file and from the sandbox. The file contains
// credentials, so it is refused if too many users may access it (`isOpenToOthers`). A wrong entry prevents the start of
// the gateway: if the entry were skipped, nobody would notice before a merchant needs the channel.
import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fields, isObject } from '../../platform/base/object.ts'
import { hasCode } from '../../platform/base/thrown.ts'
import type { Config } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import { INSECURE_ADDRESS, isSecureAddress } from '../../platform/http/client/public-address.ts'
import { payoutMethods } from '../contract/payout-rail.ts'
import type { ChannelSettings } from '../contract/settings.ts'
import { isMethod, type Method, methodNames } from '../methods/methods.ts'
import { defaultProtocol, protocols } from '../protocols/protocols.ts'
import { httpTransport } from '../toolkit/transport.ts'

/** Returns the entries of the file and, if the sandbox's address is configured, of the sandbox. */
export async function readEntries(config: Config): Promise<ChannelSettings[]> {
  const sandbox = sandboxOf(config)
  const simulated = sandbox === undefined ? [] : await askSandbox(sandbox)
  return withFile(config, simulated)
}

type FileConfig = Pick<Config, 'channelsFile' | 'mode' | 'plainHttpHosts'>

/** Adds the entries of the file to `others`. An entry of the file replaces another entry with the same name. */
export function withFile(config: FileConfig, others: readonly ChannelSettings[]): ChannelSettings[] {
  const named = config.channelsFile === undefined ? [] : readChannelsFile(config.channelsFile)
  if (config.mode === 'live') requireSecureAddresses(named, config.plainHttpHosts)
  return [...new Map([...others, ...named].map((entry) => [entry.name, entry])).values()]
}

type SandboxAddress = { readonly url: string; readonly secret: string }

/** Returns the address of the sandbox. Undefined if none is configured, and in live, which has no sandbox. */
function sandboxOf({ mode, sandboxUrl: url, sandboxSecret: secret }: Config): SandboxAddress | undefined {
  return mode === 'live' || url === undefined || secret === undefined ? undefined : { url, secret }
}

/** True if the gateway starts its own sandbox. No other process can read the entries of such a sandbox. */
export function lacksSandbox(config: Config): boolean {
  return config.mode === 'sandbox' && sandboxOf(config) === undefined
}

const ASK_WITHIN_MS = 15_000
const ASK_EVERY_MS = 250

/**
 * Asks the sandbox for its entries. Retries while the sandbox does not answer, because it may have been started at the
 * same time.
 */
async function askSandbox(sandbox: SandboxAddress): Promise<ChannelSettings[]> {
  const transport = httpTransport<'settings'>(sandbox)
  const deadline = AbortSignal.timeout(ASK_WITHIN_MS)
  while (!deadline.aborted) {
    const reply = await transport('settings', {}, deadline)
    if (reply.kind === 'answer') {
      if (reply.status === 200 && isObject(reply.body))
        return parseChannels(reply.body.channels, 'TOLLGATE_SANDBOX_URL')
      throw new SettingError(`TOLLGATE_SANDBOX_URL answered ${reply.status}: check TOLLGATE_SANDBOX_SECRET`)
    }
    await sleep(ASK_EVERY_MS)
  }
  throw new SettingError('TOLLGATE_SANDBOX_URL does not answer: start it with "npm run sandbox"')
}

const OTHERS = 0o077
const GROUP_MAY_READ = 0o040
const MAX_CHANNELS = 200
/** The format of an entry's name. URLs, attempts and ledger accounts contain the name. */
const namePattern = /^[a-z][a-z0-9_-]{0,31}$/

export function readChannelsFile(file: string): ChannelSettings[] {
  const list = readJson(file)
  const read = (entry: unknown, index: number) => readSecrets(entry, whereIs(entry, index), dirname(file))
  return parseChannels(Array.isArray(list) ? list.map(read) : list, 'TOLLGATE_CHANNELS')
}

function whereIs(entry: unknown, index: number): string {
  const isNamed = isObject(entry) && typeof entry.name === 'string' && namePattern.test(entry.name)
  return isNamed ? `channel ${entry.name}` : `TOLLGATE_CHANNELS, entry ${index + 1}`
}

/**
 * Lists the secret files that too many users may read. The gateway uses such files all the same, because files that are
 * mounted into a container may have such a mode although no other user can reach them.
 */
export function openSecretFiles(file: string): string[] {
  const files = new Set(secretFilesIn(readJson(file), dirname(file)))
  return [...files].filter((one) => {
    const stats = statSync(one, { throwIfNoEntry: false })
    return stats !== undefined && isOpenToOthers(stats)
  })
}

/**
 * True if too many users may access the file. If the file belongs to our user, only our user may access it. If it
 * belongs to another user, the group may read it, too: Kubernetes mounts secrets as files of root that our group may
 * read.
 */
function isOpenToOthers({ mode, uid }: Stats): boolean {
  const allowed = uid === process.getuid?.() ? 0 : GROUP_MAY_READ
  return (mode & OTHERS & ~allowed) !== 0
}

function readJson(file: string): unknown {
  let text: string
  try {
    if (isOpenToOthers(statSync(file)))
      throw new SettingError(
        `TOLLGATE_CHANNELS: ${file} holds credentials, so only its owner may read it (chmod 600)`,
      )
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof SettingError) throw error
    const what = hasCode(error, 'ENOENT') ? 'does not exist' : 'cannot be read'
    throw new SettingError(`TOLLGATE_CHANNELS: ${file} ${what}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SettingError(`TOLLGATE_CHANNELS: ${file} is not JSON${placeIn(error)}`)
  }
}

/** Returns the place of a JSON syntax error. The parser's own message is dropped, because it quotes the file. */
function placeIn(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? []
  if (line !== undefined) return `: look at line ${line}, column ${column}`
  return message.startsWith('Unexpected end') ? ': it is empty, or ends too early' : ''
}

/** Parses a list of channels. An error message names `source` or the channel, and never quotes a secret. */
export function parseChannels(list: unknown, source: string): ChannelSettings[] {
  if (!Array.isArray(list) || list.length > MAX_CHANNELS)
    throw new SettingError(`${source} must be a list of at most ${MAX_CHANNELS} channels`)
  const channels = list.map((entry, index) => parseChannel(entry, `${source}, entry ${index + 1}`))
  const twice = repeated(channels.map(({ name }) => name))
  if (twice !== undefined) throw new SettingError(`${source} has two channels with the "name" ${twice}`)
  // Two channels with the same "xpub" would give the same address to two orders. If a payer chose the wrong network,
  // the payment would count for the other order.
  if (repeated(channels.flatMap(({ xpub }) => xpub ?? [])) !== undefined)
    throw new SettingError(`${source} has two channels with the same "xpub": give each its own account`)
  // Two channels with the same prefix would give the same CLABEs to their orders. Channels without pay-in methods may
  // have the same prefix, because they give out no CLABEs.
  const paidBy = channels.filter(({ methods }) => methods.length > 0)
  if (repeated(paidBy.flatMap(({ clabePrefix }) => clabePrefix ?? [])) !== undefined)
    throw new SettingError(`${source} has two channels with the same "clabePrefix": give each its own`)
  return channels
}

function repeated<Value>(values: readonly Value[]): Value | undefined {
  return values.find((value, index) => values.indexOf(value) !== index)
}

function parseChannel(entry: unknown, where: string): ChannelSettings {
  if (!isObject(entry)) throw new SettingError(`${where} must be an object`)
  const { name } = entry
  if (typeof name !== 'string' || !namePattern.test(name))
    throw new SettingError(`${where} needs a "name" of up to 32 small letters, digits, - and _`)
  const named = methodsOf(entry, name)
  const methods = named.filter(isMethod)
  const payoutKinds = named.flatMap((one) => payoutMethods.get(one) ?? [])
  const protocol = protocolOf(entry, name, methods)
  return { ...entry, name, methods, payoutKinds, protocol }
}

function methodsOf({ method, methods = [method] }: Fields, channel: string): string[] {
  const list = Array.isArray(methods) ? methods.filter((one) => typeof one === 'string') : []
  const isRight = Array.isArray(methods) && list.length > 0 && list.length === methods.length
  if (!isRight) throw new SettingError(`channel ${channel} needs "methods", a list such as ["card"]`)
  const unknown = list.find((one) => !isMethod(one) && !payoutMethods.has(one))
  if (unknown !== undefined)
    throw new SettingError(
      `channel ${channel}: there is no method ${JSON.stringify(unknown)}; methods are ${methodNames().join(', ')}, ${[...payoutMethods.keys()].join(', ')}`,
    )
  return [...new Set(list)]
}

function protocolOf({ protocol }: Fields, channel: string, methods: readonly Method[]): string {
  if (typeof protocol === 'string' && protocols.has(protocol)) return protocol
  if (protocol !== undefined)
    throw new SettingError(
      `channel ${channel}: "protocol" must be one of ${[...protocols.keys()].join(', ')}`,
    )
  const defaults = new Set(methods.map(defaultProtocol))
  const [only = 'bridge', ...others] = [...defaults]
  if (others.length > 0)
    throw new SettingError(`channel ${channel} needs a "protocol": its methods have different ones`)
  return only
}

/**
 * Throws if a URL is insecure. Every setting is checked, whatever its name, because credentials and payments may go to
 * any URL.
 */
function requireSecureAddresses(
  channels: readonly ChannelSettings[],
  plainHttpHosts: readonly string[],
): void {
  for (const settings of channels)
    for (const [name, value] of Object.entries(settings))
      if (webAddressesIn(value).some((url) => !isSecureAddress(url, plainHttpHosts)))
        throw new SettingError(`channel ${settings.name}: "${name}" ${INSECURE_ADDRESS}`)
}

function webAddressesIn(value: unknown): URL[] {
  if (Array.isArray(value)) return value.flatMap(webAddressesIn)
  if (isObject(value)) return Object.values(value).flatMap(webAddressesIn)
  const url = typeof value === 'string' && /^https?:/i.test(value) ? URL.parse(value) : null
  return url === null ? [] : [url]
}

/**
 * Replaces every `{ "file": "PATH" }` and `{ "env": "NAME" }` in an entry by the secret. Relative paths are relative to
 * `folder`. Error messages name the entry by `where`.
 */
function readSecrets(value: unknown, where: string, folder: string): unknown {
  if (Array.isArray(value)) return value.map((one) => readSecrets(one, where, folder))
  if (!isObject(value)) return value
  const [only, ...others] = Object.entries(value)
  if (only !== undefined && others.length === 0 && typeof only[1] === 'string') {
    if (only[0] === 'file') return fromFile(only[1], where, folder)
    if (only[0] === 'env') return fromEnv(only[1], where)
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, readSecrets(one, `${where}: "${name}"`, folder)]),
  )
}

function secretFilesIn(value: unknown, folder: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => secretFilesIn(one, folder))
  if (!isObject(value)) return []
  const { file, ...others } = value
  if (typeof file === 'string' && Object.keys(others).length === 0) return [resolve(folder, file)]
  return Object.values(value).flatMap((one) => secretFilesIn(one, folder))
}

/** Reads the secret without the line break that editors add at the end. */
function fromFile(path: string, where: string, folder: string): string {
  let text: string
  try {
    text = readFileSync(resolve(folder, path), 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const isAbsent = hasCode(error, 'ENOENT')
    const why = isAbsent ? 'does not exist' : 'cannot be read: it must be a file that this user may read'
    throw new SettingError(`${where}: the file ${path} ${why}`)
  }
  if (text !== '') return text
  throw new SettingError(`${where}: the file ${path} is empty`)
}

function fromEnv(name: string, where: string): string {
  const value = process.env[name]
  if (value !== undefined && value !== '') return value
  throw new SettingError(`${where}: the environment variable ${name} is not set`)
}
