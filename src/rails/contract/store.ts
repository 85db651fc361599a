// What a channel remembers in the database: numbers of its references, and small records such as a file that was read, a
// block, an incoming transfer. A channel whose counterparty cannot be asked (a chain, a folder of files) answers `ask` from
// its records.
//
// Invariant: all changes of one `write` are committed together, with the references that are to be asked about because of
// them. So a crash neither loses a deposit nor counts one twice.

/** Values of JSON; money is a text of digits. */
export type RecordBody = Readonly<Record<string, unknown>>

export type ChannelRecord = {
  /** The channel's own word, such as `deposit` or `file`. */
  readonly kind: string
  /** Unique within the kind. */
  readonly key: string
  /** The payment, refund or payout that it belongs to; undefined if that is not known. */
  readonly reference?: string | undefined
  readonly body: RecordBody
}

export type RecordKey = Pick<ChannelRecord, 'kind' | 'key'>

export type RecordChange =
  /** Adds it if the key is new, and otherwise changes nothing. */
  | { readonly add: ChannelRecord }
  /** Adds or replaces it. */
  | { readonly put: ChannelRecord }
  | { readonly remove: RecordKey }

/** What a channel's numbers are of: a setting, and a hash of its value. */
export type Numbered = { readonly setting: string; readonly key: string }

export type ChannelStore = {
  /** The reference's number within the channel, from 0 upwards; the same on every call. */
  numberOf(reference: string): Promise<number>
  /** Undefined if no reference has this number. */
  referenceOf(number: number): Promise<string | undefined>
  find(key: RecordKey): Promise<ChannelRecord | undefined>
  /** The records of a reference, in the order of their keys. */
  listOf(kind: string, reference: string): Promise<readonly ChannelRecord[]>
  /** A page in the order of keys, after a key. */
  list(
    kind: string,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ChannelRecord[]>
  /**
   * Returns for each change whether it changed anything. The payments, refunds and payouts of `ask` are asked about soon after
   * the commit, as if the counterparty had sent a callback about them.
   */
  write(changes: readonly RecordChange[], ask?: readonly string[]): Promise<readonly boolean[]>
}
