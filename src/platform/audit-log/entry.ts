// One line of the audit log: who did what to what, from where, and why. Lines are written in the transaction of the change
// that they describe, and are never changed.

export type Actor = {
  readonly kind: 'user' | 'command' | 'system'
  /** An e-mail address, or the account that ran the command. */
  readonly name: string
  /** From where, if it came over the network. */
  readonly address?: string
}

export type AuditEntry = {
  /** Whom it concerns; 0 is the platform. */
  readonly merNo: number
  readonly at: Date
  readonly actor: Actor
  /** Subject and verb, as in `merchant.approve`. */
  readonly action: string
  /** What it was done to: a merchant number, trade number, user, rule. */
  readonly subject: string
  /** Only what changed. Never a secret, a card number or an account. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
}
