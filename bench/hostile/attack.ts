// An attack is something that strangers, payers or merchants' servers can do to a running gateway. Each attack has a
// limited number of connections, runs on loopback only, and ends on request.

export type Victim = {
  readonly port: number
  /** A payer's link whose order waits for a wallet. */
  readonly payUrl: string
  /** The end of the links to a payer's pages, by the kind of page. */
  readonly tokens: Readonly<Record<string, string>>
  readonly shop: { readonly merNo: number; readonly key: string; readonly site: string }
}

/** Starts the attack; the returned function ends it. */
export type Attack = (victim: Victim) => Promise<() => void>
