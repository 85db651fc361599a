// A channel's settings: one entry of the channels file, or of the sandbox's own list.
import type { Clock } from '../base/clock.ts'
import type { Rate } from '../base/money.ts'
import { isObject } from '../base/object.ts'
import { readWebAddress, WEB_ADDRESS } from '../base/web-address.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Reference } from '../reference/reference.ts'
import type { Channel } from './contract.ts'
import type { Method } from './method.ts'
import type { AccountKind } from './payout/contract.ts'
import type { ChannelStore, Numbered } from './store.ts'

export type NamedSettings = {
  /** Unique and never reused: attempts and ledger accounts contain it. */
  readonly name: string
  /** Address and credentials; see the protocol's folder. Secrets given by file or environment are already read. */
  readonly [setting: string]: unknown
}

export type ChannelSettings = NamedSettings & {
  readonly protocol: string
  readonly methods: readonly Method[]
  /** The accounts that payouts through it may go to. */
  readonly payoutKinds: readonly AccountKind[]
}

/** What an entry sets beyond what it serves, without the values: some are secrets. */
export function settingNames(entry: ChannelSettings): string[] {
  const { name: _, protocol: __, method: ___, methods: ____, payoutKinds: _____, ...settings } = entry
  return Object.keys(settings).toSorted()
}

/** What the gateway passes to every channel. */
export type ChannelTools = {
  /** Real money: credentials of a test mode are refused, and what a test may leave out is required. */
  readonly isLive?: boolean
  readonly clock: Clock
  readonly timeoutMs: number
  readonly useToken: UseToken
  readonly isPaid: IsPaid
  readonly reference: Pick<Reference, 'find'>
  /** Units of `to` for one unit of `from`; undefined when there is no rate. */
  rateOf(from: string, to: string): Rate | undefined
  readonly log: { warn(details: object, message: string): void }
  /** An operator must look at something. `alarms.ts` says how none is lost. */
  alarm(reference: string, what: string): void
  /** What the channel of this name remembers; `numbered`: what its numbers are of. */
  storeOf(channel: string, numbered?: Numbered): ChannelStore
  /** Where the counterparty of this channel sends callbacks about payouts; unset: nowhere. */
  callbackUrlOf?(channel: string): string
}

/**
 * Whether the books have the attempt of this reference as paid. An operator may have accepted the money of one that its channel
 * calls failed.
 */
export type IsPaid = (reference: string) => Promise<boolean>

/** A wallet token pays one order: true on its first use, and again for the same order. */
export type UseToken = (
  token: { readonly merNo: number; readonly tokenId: string },
  reference: string,
) => Promise<boolean>

/** Makes the channel of one method; for protocols with one such function per method. */
export type Connect = (settings: NamedSettings, tools: ChannelTools) => Channel

/** After the name of its channel, which it may begin with already. */
export function aboutChannel(name: string, message: string): string {
  const prefix = `channel ${name}: `
  return `${name}: ${message.startsWith(prefix) ? message.slice(prefix.length) : message}`
}

/** As in docs/channels: "…" or "646180…". */
const EXAMPLE = /^\S*…$/

export function textSetting(settings: NamedSettings, name: string): string {
  const value = settings[name]
  if (typeof value === 'string' && EXAMPLE.test(value))
    throw new SettingError(
      `channel ${settings.name}: "${name}" is still that of the example: put your own value there`,
    )
  if (typeof value === 'string' && value !== '') return value
  if (value !== undefined && value !== '') {
    const or = isObject(value) ? ', or { "file": "PATH" }, or { "env": "NAME" }' : ''
    throw new SettingError(`channel ${settings.name}: "${name}" must be a text${or}`)
  }
  throw new SettingError(`channel ${settings.name}: "${name}" is missing`)
}

/** Unset: false. */
export function flagSetting(settings: NamedSettings, name: string): boolean {
  const value = settings[name] ?? false
  if (typeof value === 'boolean') return value
  throw new SettingError(`channel ${settings.name}: "${name}" must be true or false`)
}

export function addressSetting(settings: NamedSettings, name: string): string {
  const address = readWebAddress(textSetting(settings, name))
  if (address !== undefined) return address
  throw new SettingError(`channel ${settings.name}: "${name}" ${WEB_ADDRESS}`)
}
