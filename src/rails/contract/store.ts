// The store of a channel in the database: the numbers of its references, and small records such as a file that was
// read, a block or an incoming transfer. A channel whose counterparty cannot be queried answers `ask` from its records.
//
// Invariant: one `write` commits records together with the references that the channel must be asked about next. So a
// crash can neither lose a deposit nor count it twice. See docs/decisions/0292-channels-remember-records.md.

/** The content of a record in JSON; money is a text of digits. */
export type RecordBody = Readonly<Record<string, unknown>>

export type ChannelRecord = {
  /** The channel's own word for this kind of record, such as `deposit` or `file`. */
  readonly kind: string
  /** The key, unique within the kind. */
  readonly key: string
  /** The reference of the payment, refund or payout; undefined if the owner is unknown. */
  readonly reference?: string | undefined
  readonly body: RecordBody
}

export type RecordKey = Pick<ChannelRecord, 'kind' | 'key'>

export type RecordChange =
  /** Adds the record if its key is new, and otherwise changes nothing. */
  | { readonly add: ChannelRecord }
  /** Adds or replaces the record. */
  | { readonly put: ChannelRecord }
  | { readonly remove: RecordKey }

/** The setting from which a channel derives an account for each number: its name, and a hash of its value. */
export type Numbered = { readonly setting: string; readonly key: string }

export type ChannelStore = {
  /** Returns the reference's number within the channel. The first call assigns the next free number, from 0 upwards. */
  numberOf(reference: string): Promise<number>
  referenceOf(number: number): Promise<string | undefined>
  find(key: RecordKey): Promise<ChannelRecord | undefined>
  /** Lists the records of a reference in the order of their keys. */
  listOf(kind: string, reference: string): Promise<readonly ChannelRecord[]>
  /** Lists records of a kind whose keys follow `after`, in the order of their keys. */
  list(
    kind: string,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ChannelRecord[]>
  /**
   * Writes all changes in one transaction, and returns for each whether it changed a record. The channel is asked about
   * each reference in `ask` soon after the commit.
   */
  write(changes: readonly RecordChange[], ask?: readonly string[]): Promise<readonly boolean[]>
}
