// The list of channels, from the TOLLGATE_CHANNELS file or from the sandbox. The file has credentials, so no other user may read
// it. A mistake stops the start with one sentence: a channel that was skipped silently would fail for the first merchant who
// needs it.
import { readFileSync, statSync } from 'node:fs'
import { isObject } from '../base/object.ts'
import { isMethod } from '../channels/method.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import { SettingError } from '../errors/catalogue.ts'
import { INSECURE_ADDRESS, isSecureAddress } from '../http/client/secure-address.ts'

const OTHERS = 0o077
const MAX_CHANNELS = 200
/** The name is part of URLs, attempts and ledger accounts. */
const namePattern = /^[a-z][a-z0-9_-]{0,31}$/

export function readChannelsFile(file: string): ChannelSettings[] {
  return parseChannels(readJson(file), 'TOLLGATE_CHANNELS')
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
    throw new SettingError(`TOLLGATE_CHANNELS: ${file} cannot be read`)
  }
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message would quote the file.
    throw new SettingError(`TOLLGATE_CHANNELS: ${file} is not JSON`)
  }
}

/** Every error begins with `source`. Errors quote names, never values. */
export function parseChannels(list: unknown, source: string): ChannelSettings[] {
  if (!Array.isArray(list) || list.length > MAX_CHANNELS)
    throw new SettingError(`${source} must be a list of at most ${MAX_CHANNELS} channels`)
  const channels = list.map((entry, index) => parseChannel(entry, `${source}, entry ${index + 1}`))
  const names = channels.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new SettingError(`${source} has two channels with the "name" ${twice}`)
  return channels
}

function parseChannel(entry: unknown, where: string): ChannelSettings {
  if (!isObject(entry)) throw new SettingError(`${where} must be an object`)
  const { name, method } = entry
  if (typeof name !== 'string' || !namePattern.test(name))
    throw new SettingError(`${where} needs a "name" of up to 32 small letters, digits, - and _`)
  if (typeof method !== 'string' || !isMethod(method))
    throw new SettingError(`channel ${name} needs a "method" that we know`)
  return { ...entry, name, method }
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
