// The list of channels, from the TOLLGATE_CHANNELS file or from the sandbox. The file has credentials, so no other user may read
// it. A mistake stops the start with one sentence: a channel that was skipped silently would fail for the first merchant who
// needs it.
import { readFileSync, statSync } from 'node:fs'
import { hasCode } from '../base/error-code.ts'
import { type Fields, isObject } from '../base/object.ts'
import { isMethod, type Method, methodNames } from '../channels/method.ts'
import { payoutMethods } from '../channels/payout/methods.ts'
import { defaultProtocol, protocols } from '../channels/protocols.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import { SettingError } from '../errors/catalogue.ts'
import { INSECURE_ADDRESS, isSecureAddress } from '../http/client/secure-address.ts'
import { readSecrets, secretFilesIn, sourcesBeside } from './read-secrets.ts'

const OTHERS = 0o077
const MAX_CHANNELS = 200
/** The name is part of URLs, attempts and ledger accounts. */
const namePattern = /^[a-z][a-z0-9_-]{0,31}$/

export function readChannelsFile(file: string): ChannelSettings[] {
  const list = readJson(file)
  const sources = sourcesBeside(file)
  const read = (entry: unknown, index: number) => readSecrets(entry, whereIs(entry, index), sources)
  return parseChannels(Array.isArray(list) ? list.map(read) : list, 'TOLLGATE_CHANNELS')
}

function whereIs(entry: unknown, index: number): string {
  const isNamed = isObject(entry) && typeof entry.name === 'string' && namePattern.test(entry.name)
  return isNamed ? `channel ${entry.name}` : `TOLLGATE_CHANNELS, entry ${index + 1}`
}

/**
 * The files with secrets that the channels file names and that users other than their owner may read. They are used all the
 * same: a container's mounts may have such modes, and be out of everybody's reach.
 */
export function openSecretFiles(file: string): string[] {
  const files = new Set(secretFilesIn(readJson(file), sourcesBeside(file)))
  return [...files].filter((one) => {
    const { mode = 0 } = statSync(one, { throwIfNoEntry: false }) ?? {}
    return (mode & OTHERS) !== 0
  })
}

function readJson(file: string): unknown {
  let text: string
  try {
    if ((statSync(file).mode & OTHERS) !== 0)
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

/** Only where the mistake is: the parser's message would quote the file. */
function placeIn(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? []
  if (line !== undefined) return `: look at line ${line}, column ${column}`
  return message.startsWith('Unexpected end') ? ': it is empty, or ends too early' : ''
}

/** Every error begins with `source`. Errors quote names, never values. */
export function parseChannels(list: unknown, source: string): ChannelSettings[] {
  if (!Array.isArray(list) || list.length > MAX_CHANNELS)
    throw new SettingError(`${source} must be a list of at most ${MAX_CHANNELS} channels`)
  const channels = list.map((entry, index) => parseChannel(entry, `${source}, entry ${index + 1}`))
  const twice = repeated(channels.map(({ name }) => name))
  if (twice !== undefined) throw new SettingError(`${source} has two channels with the "name" ${twice}`)
  // A payer who sends on the wrong network must not pay another order, which has the same address there.
  if (repeated(channels.flatMap(({ xpub }) => xpub ?? [])) !== undefined)
    throw new SettingError(`${source} has two channels with the same "xpub": give each its own account`)
  // Both would give the same CLABEs to their orders. One that only pays out gives none.
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

/** `methods`, or `method` for a single one. */
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

/** Checks every URL in an entry, whatever the setting's name: credentials and payments are sent there. */
export function requireSecureAddresses(
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

/** An entry of the second list replaces one with the same name. */
export function mergeChannels(
  first: readonly ChannelSettings[],
  second: readonly ChannelSettings[],
): ChannelSettings[] {
  const byName = new Map([...first, ...second].map((entry) => [entry.name, entry]))
  return [...byName.values()]
}
