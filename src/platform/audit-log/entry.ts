// A line of the audit log: who did what to which object, and why. Lines never change.

export type Actor = {
  readonly kind: 'user' | 'command' | 'system'
  /**
   * The e-mail address of a user, the operating system's account that ran a command, or the name of a part of the
   * system.
   */
  readonly name: string
  /** The network address, if the action came over the network. */
  readonly address?: string
}

export type AuditEntry = {
  /** The merchant that the change concerns, or 0 for the platform. */
  readonly merNo: number
  readonly at: Date
  readonly actor: Actor
  /** The area and the verb, as in `merchant.approve`. */
  readonly action: string
  /** The changed object: a merchant number, trade number, user or rule. */
  readonly subject: string
  /** The fields that changed, without secrets, card numbers and bank accounts. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
}
