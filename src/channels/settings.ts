// A channel's settings: one entry of the channels file, or of the sandbox's own list.
import type { Clock } from '../base/clock.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Reference } from '../reference/reference.ts'
import type { Channel } from './contract.ts'
import type { Method } from './method.ts'

export type ChannelSettings = {
  /** Unique and never reused: attempts and ledger accounts contain it. */
  readonly name: string
  readonly method: Method
  /** Address and credentials; see the method's folder. */
  readonly [setting: string]: unknown
}

/** What the gateway passes to every channel. */
export type ChannelTools = {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly useToken: UseToken
  readonly reference: Pick<Reference, 'find'>
}

/** A wallet token pays one order: true on its first use, and again for the same order. */
export type UseToken = (
  token: { readonly merNo: number; readonly tokenId: string },
  reference: string,
) => Promise<boolean>

export type Connect = (settings: ChannelSettings, tools: ChannelTools) => Channel

export function textSetting(settings: ChannelSettings, name: string): string {
  const value = settings[name]
  if (typeof value === 'string' && value !== '') return value
  throw new SettingError(`channel ${settings.name}: "${name}" is missing`)
}

export function addressSetting(settings: ChannelSettings, name: string): string {
  const text = textSetting(settings, name)
  if (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '')
  throw new SettingError(`channel ${settings.name}: "${name}" must be an http or https address`)
}
