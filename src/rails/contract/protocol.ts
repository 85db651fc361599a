// A protocol is a way to talk to a counterparty. Each entry of the channels file names a protocol, which makes a
// connection from the entry.
import type { Channel } from './channel.ts'
import type { PayoutRail } from './payout-rail.ts'
import type { ChannelSettings, ChannelTools } from './settings.ts'
import type { DayStatement } from './statement.ts'

/** Makes a connection from an entry, without any network call. Throws a SettingError if a setting is wrong. */
export type Protocol = (settings: ChannelSettings, tools: ChannelTools) => Connection

export type Connection = {
  readonly channels: readonly Channel[]
  /** The rail for the kinds of account in the entry. Undefined if the entry lists none. */
  readonly rail?: PayoutRail
  /** Checks the address and the credentials by a call to the counterparty that moves no money. */
  check(signal: AbortSignal): Promise<Checked>
  /** Returns the movements that the counterparty lists as final on a day (YYYY-MM-DD, UTC). */
  statement?(day: string): Promise<DayStatement>
  /**
   * Background work, such as reading new blocks. One process at a time does this work. After a stall, two processes may
   * overlap.
   */
  readonly watcher?: Watcher
}

/** `message` tells an operator what the counterparty answered or what to do, and never contains a credential. */
export type Checked = { readonly isRight: boolean; readonly message: string }

export type Watcher = {
  readonly everyMs: number
  /** Does one round of the work. After an error, the next round retries it. */
  work(signal: AbortSignal): Promise<void>
}
