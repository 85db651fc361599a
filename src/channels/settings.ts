// How a channel is reached: one entry of the channels file, or what the sandbox tells of its own counterparties.
import type { Clock } from '../base/clock.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Channel } from './contract.ts'
import type { Method } from './method.ts'

export type ChannelSettings = {
  /** Unique among channels; attempts and accounts of the ledger name it, so it is never reused for another. */
  readonly name: string
  readonly method: Method
  /** Address and credentials, as the method's folder asks for them. */
  readonly [setting: string]: unknown
}

/** What every channel is given by the gateway. */
export type ChannelTools = {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly useToken: UseToken
}

/** True once for a wallet's token, and again for the order that it was used for: a token pays one order. */
export type UseToken = (
  token: { readonly merNo: number; readonly tokenId: string },
  reference: string,
) => Promise<boolean>

export type Connect = (settings: ChannelSettings, tools: ChannelTools) => Channel

export function textSetting(settings: ChannelSettings, name: string): string {
  const value = settings[name]
  if (typeof value === 'string' && value !== '') return value
  throw new SettingError(`channel ${settings.name} needs "${name}"`)
}

export function addressSetting(settings: ChannelSettings, name: string): string {
  const text = textSetting(settings, name)
  if (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new SettingError(`channel ${settings.name} needs an http or https address as "${name}"`)
}
