// A line of the audit log names the actor, the actor's network address, the action, the object and the reason. A line
// is written in the transaction of the change that the line describes, and never changes.

export type Actor = {
  readonly kind: 'user' | 'command' | 'system'
  /** The e-mail address of a user, or the operating system's account that ran the command. */
  readonly name: string
  /** The network address of the actor, if the action came over the network. */
  readonly address?: string
}

export type AuditEntry = {
  /** The number of the merchant that the change concerns, or 0 for the platform. */
  readonly merNo: number
  readonly at: Date
  readonly actor: Actor
  /** The kind of object and the verb, as in `merchant.approve`. */
  readonly action: string
  /** The object of the action: a merchant number, trade number, user or rule. */
  readonly subject: string
  /** The fields that changed, without secrets, card numbers and bank accounts. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
}
