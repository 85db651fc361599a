// What a check is: one promise of the protocol, tried at a bridge over HTTP.
import type { Money } from '../base/money.ts'
import type { Fields } from '../base/object.ts'
import type { Outcome } from '../channels/contract.ts'
import type { Method } from '../channels/method.ts'
import type { AccountKind } from '../channels/payout/contract.ts'
import type { Terminal } from '../channels/terminal.ts'
import type { Reply } from '../channels/transport.ts'
import type { CallbackInbox } from './callback-inbox.ts'

export type Check = {
  /** Also a heading in docs/bridge-protocol.md. */
  readonly name: string
  readonly title: string
  /** What to do when it fails. */
  readonly todo: string
  /** The operations that it calls: if the bridge has not all of them, the check is skipped. */
  readonly needs: readonly string[]
  /** Throws a Broken if the bridge breaks the promise, or a NotChecked if it cannot be checked here. */
  run(bridge: TestedBridge): Promise<void>
}

export type TestedBridge = {
  /** Sends a signed request. Without a response, the check has failed. */
  call(operation: string, body: Fields): Promise<Answer>
  /** Sends exactly this, with these changes to what is signed. */
  callWith(operation: string, body: string, changes: SignatureChanges): Promise<Reply>
  /** Starts a payment by the gateway's own channel for the method, as a payer at this terminal. */
  start(method: Method, terminal: Terminal): Promise<Outcome>
  /** A reference that nobody has used. */
  reference(): string
  readonly offers: (operation: string) => boolean
  readonly method: Method | undefined
  readonly payoutKind: AccountKind
  /** The operator named the kind, so payouts may be sent. */
  readonly isPayoutNamed: boolean
  readonly account: string
  readonly cardNumber: string
  /** A test token of Apple Pay or Google Pay. */
  readonly walletToken: string | undefined
  readonly money: Money
  readonly inbox: CallbackInbox
  /** What is looked at once more at the end of the run, because it was final. */
  readonly finals: (() => Promise<void>)[]
}

export type Answer = { readonly status: number; readonly body: unknown }

export type SignatureChanges = {
  readonly secret?: string
  /** Signed instead of the operation's path. */
  readonly path?: string
  /** Signed instead of the body. */
  readonly body?: string
  /** Added to the current time. */
  readonly ageS?: number
  readonly unsigned?: true
  /** Sent instead of the signature; empty: none. */
  readonly signature?: string
}

/** The message says what the bridge did, in one sentence. */
export class Broken extends Error {
  override readonly name = 'Broken'
  /** What to do about this fault; unset: what the check advises. */
  readonly todo: string | undefined
  constructor(complaint: string, todo?: string) {
    super(complaint)
    this.todo = todo
  }
}

/** The message says why it could not be checked. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked'
}

export function hold(condition: boolean, complaint: string, todo?: string): asserts condition {
  if (!condition) throw new Broken(complaint, todo)
}
