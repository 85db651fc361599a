// The store of a channel in the database: the numbers of its references, and small records such as a file that was
// read, a block or an incoming transfer. If a counterparty cannot be queried, its channel answers `ask` from these
// records.
//
// Invariant: one `write` commits records together with the references that the channel must be asked about next. So a
// crash can neither lose a deposit nor count it twice. See docs/decisions/0292-channels-remember-records.md.

/** The content of a record in JSON. Amounts of money are texts of digits. */
export type RecordBody = Readonly<Record<string, unknown>>

export type ChannelRecord = {
  /** The kind of the record, which each channel names itself, such as `deposit` or `file`. */
  readonly kind: string
  /** The key, unique within the kind. */
  readonly key: string
  /**
   * The reference of the payment, refund or payout. Undefined if the record belongs to none, or if the reference is
   * unknown.
   */
  readonly reference?: string | undefined
  readonly body: RecordBody
}

export type RecordKey = Pick<ChannelRecord, 'kind' | 'key'>

export type RecordChange =
  /** Adds the record if no record has this kind and key. Otherwise changes nothing. */
  | { readonly add: ChannelRecord }
  /** Adds or replaces the record. */
  | { readonly put: ChannelRecord }
  | { readonly remove: RecordKey }

/**
 * The setting (`xpub` or `clabePrefix`) from which a channel derives one account per number. `key` is a hash of the
 * setting's name and value.
 */
export type Numbered = { readonly setting: string; readonly key: string }

export type ChannelStore = {
  /**
   * Returns the reference's number within the channel. The first call assigns the next free number, beginning with 0.
   */
  numberOf(reference: string): Promise<number>
  referenceOf(number: number): Promise<string | undefined>
  find(key: RecordKey): Promise<ChannelRecord | undefined>
  /** Lists the records of a reference in the order of their keys. */
  listOf(kind: string, reference: string): Promise<readonly ChannelRecord[]>
  /** Lists records of a kind in the order of their keys, beginning after the key `after`. */
  list(
    kind: string,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<readonly ChannelRecord[]>
  /**
   * Writes all changes in one transaction. Returns for each change whether it changed a record. Soon after the commit,
   * the gateway asks the channel about each reference in `ask`.
   */
  write(changes: readonly RecordChange[], ask?: readonly string[]): Promise<readonly boolean[]>
}
