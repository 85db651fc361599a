// A protocol is a way to talk to a counterparty: our own bridge, or that of a bank, an acquirer or a chain. An entry of the
// channels file names its protocol, and the protocol makes a connection of the entry.
import type { Channel } from './contract.ts'
import type { PayoutRail } from './payout/contract.ts'
import type { ChannelSettings, ChannelTools } from './settings.ts'
import type { DayStatement } from './statement.ts'

/** Throws a SettingError with one sentence if a setting is wrong. Makes no call. */
export type Protocol = (settings: ChannelSettings, tools: ChannelTools) => Connection

export type Connection = {
  /** One for each pay-in method of the entry. */
  readonly channels: readonly Channel[]
  /** Sends the payouts of the entry's kinds. */
  readonly rail?: PayoutRail
  /** Asks the counterparty something harmless, to find out whether address and credentials are right. */
  check(signal: AbortSignal): Promise<Checked>
  /** What the counterparty lists as final on a day (YYYY-MM-DD, UTC). */
  statement?(day: string): Promise<DayStatement>
  /** Background work, such as reading new blocks or files. One node does it at a time. */
  readonly watcher?: Watcher
}

/** `message` is one sentence for an operator: what was asked and answered, or what to do. It never contains a credential. */
export type Checked = { readonly isRight: boolean; readonly message: string }

export type Watcher = {
  readonly everyMs: number
  /** One round. After an error the next round tries again. */
  work(signal: AbortSignal): Promise<void>
}
