// What an attack is: something that strangers, payers or merchants' own servers can do to a running gateway. Each one is
// bounded in connections, runs on loopback only, and ends on request.

export type Victim = {
  readonly port: number
  /** A payer's link whose order waits for a wallet. */
  readonly payUrl: string
  readonly shop: { readonly merNo: number; readonly key: string; readonly site: string }
}

/** Starts the attack; the answer ends it. */
export type Attack = (victim: Victim) => Promise<() => void>
