// A channel's settings: one entry of the channels file, or of the sandbox's own list.
import type { Clock } from '../../platform/base/clock.ts'
import type { Rate } from '../../platform/base/money.ts'
import { isObject } from '../../platform/base/object.ts'
import { readWebAddress, WEB_ADDRESS } from '../../platform/base/web-address.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { Reference } from '../../platform/reference/reference.ts'
import type { Method } from '../methods/methods.ts'
import type { Channel } from './channel.ts'
import type { AccountKind } from './payout-rail.ts'
import type { ChannelStore, Numbered } from './store.ts'

export type NamedSettings = {
  /** The entry's name. A name must never be reused, because attempts and ledger accounts contain it. */
  readonly name: string
  /**
   * The protocol's own settings. References to files and environment variables have already been replaced by the
   * secrets.
   */
  readonly [setting: string]: unknown
}

export type ChannelSettings = NamedSettings & {
  readonly protocol: string
  readonly methods: readonly Method[]
  readonly payoutKinds: readonly AccountKind[]
}

/**
 * Lists the names of all settings except name, protocol and methods. Values are left out, because they may be secrets.
 */
export function settingNames(entry: ChannelSettings): string[] {
  const { name: _, protocol: __, method: ___, methods: ____, payoutKinds: _____, ...settings } = entry
  return Object.keys(settings).toSorted()
}

/** The tools that the gateway passes to every protocol. */
export type ChannelTools = {
  /**
   * True in live. Test credentials are then refused, and some settings that are optional in the sandbox are required.
   */
  readonly isLive?: boolean
  readonly clock: Clock
  readonly timeoutMs: number
  readonly useToken: UseToken
  readonly isPaid: IsPaid
  readonly reference: Pick<Reference, 'find'>
  /** Returns how many units of `to` one unit of `from` is worth. Undefined if there is no rate. */
  rateOf(from: string, to: string): Rate | undefined
  readonly log: { warn(details: object, message: string): void }
  /** Raises an alarm for an operator. See `toolkit/alarms.ts` for how alarms survive a crash. */
  alarm(reference: string, what: string): void
  /**
   * Opens the channel's store. If the channel derives an account for each number, `numbered` names the setting that the
   * accounts are derived from.
   */
  storeOf(channel: string, numbered?: Numbered): ChannelStore
  /**
   * Returns the address for the channel's callbacks. Payment requests contain this address, but payout and refund
   * requests do not, so they need this function. The gateway always sets it.
   */
  callbackUrlOf?(channel: string): string
}

/**
 * True if our books count the attempt as paid. The channel may nevertheless have reported the attempt as failed,
 * because an operator may have accepted the money by hand.
 */
export type IsPaid = (reference: string) => Promise<boolean>

/**
 * Marks a wallet token as used by an order. Returns true on the token's first use, and again for retries of the same
 * order.
 */
export type UseToken = (
  token: { readonly merNo: number; readonly tokenId: string },
  reference: string,
) => Promise<boolean>

export type Connect = (settings: NamedSettings, tools: ChannelTools) => Channel

/** Puts the channel's name before the message. If the message begins with "channel NAME: ", that prefix is dropped. */
export function aboutChannel(name: string, message: string): string {
  const prefix = `channel ${name}: `
  return `${name}: ${message.startsWith(prefix) ? message.slice(prefix.length) : message}`
}

/** A placeholder that was copied from the examples in docs/channels, such as "…" or "646180…". */
const EXAMPLE = /^\S*…$/

export function textSetting(settings: NamedSettings, name: string): string {
  const value = settings[name]
  if (typeof value === 'string' && EXAMPLE.test(value))
    throw new SettingError(
      `channel ${settings.name}: "${name}" is still that of the example: put your own value there`,
    )
  if (typeof value === 'string' && value.trim() !== '') return value
  if (value !== undefined && typeof value !== 'string') {
    const or = isObject(value) ? ', or { "file": "PATH" }, or { "env": "NAME" }' : ''
    throw new SettingError(`channel ${settings.name}: "${name}" must be a text${or}`)
  }
  throw new SettingError(`channel ${settings.name}: "${name}" is missing`)
}

/** Reads a setting that is true or false. If it is unset, it is false. */
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
