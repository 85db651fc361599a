// A check tests one promise of the protocol at a bridge, over HTTP.
import type { Money } from '../../platform/base/money.ts'
import type { Fields } from '../../platform/base/object.ts'
import type { Outcome } from '../contract/channel.ts'
import type { AccountKind } from '../contract/payout-rail.ts'
import type { Method } from '../methods/methods.ts'
import type { Terminal } from '../methods/terminal.ts'
import type { Reply } from '../toolkit/transport.ts'
import type { CallbackInbox } from './callback-inbox.ts'

export type Check = {
  /** The name of the check, as in the table of checks in docs/bridge-protocol.md. */
  readonly name: string
  readonly title: string
  readonly todo: string
  /** The operations that the check calls. If the bridge lacks one of them, the check is skipped. */
  readonly needs: readonly string[]
  /**
   * Checks the promise. Throws a Broken if the bridge breaks the promise, or a NotChecked if the promise cannot be
   * checked.
   */
  run(bridge: TestedBridge): Promise<void>
}

export type BridgeToCheck = {
  readonly url: string
  readonly secret: string
  /** The method to check. If undefined, checks that need a method are skipped. */
  readonly method: Method | undefined
  readonly payoutKind: AccountKind
  /** True if the operator named the kind of payout. Only then may payouts be sent to a bridge without "simulate". */
  readonly isPayoutNamed: boolean
  readonly account: string
  readonly cardNumber: string
  /** A test token of Apple Pay or Google Pay. */
  readonly walletToken: string | undefined
  readonly currency: string
}

export type TestedBridge = BridgeToCheck & {
  /** Sends a signed request. If there is no response, the check fails. */
  call(operation: string, body: Fields): Promise<Answer>
  /** Sends this body unchanged. `changes` make the signature wrong. */
  callWith(operation: string, body: string, changes: SignatureChanges): Promise<Reply>
  /** Starts a payment by the gateway's own channel for the method, for a payer at this terminal. */
  start(method: Method, terminal: Terminal): Promise<Outcome>
  reference(): string
  readonly offers: (operation: string) => boolean
  readonly money: Money
  readonly inbox: CallbackInbox
  /** Queries at the end of the run, which check that final payments and payouts have not changed. */
  readonly finals: (() => Promise<void>)[]
}

export type Answer = { readonly status: number; readonly body: unknown }

export type SignatureChanges = {
  readonly secret?: string
  /** The path that is signed instead of the operation's path. */
  readonly path?: string
  /** The body that is signed instead of the body that is sent. */
  readonly body?: string
  /** The seconds between the current time and the signed timestamp. Negative for an old request. */
  readonly ageS?: number
  readonly unsigned?: true
  /** The text that is sent instead of the signature. With '', no signature is sent. */
  readonly signature?: string
}

/**
 * Thrown if the bridge breaks the promise that the check tests. The message says in one sentence what the bridge did.
 */
export class Broken extends Error {
  override readonly name = 'Broken'
  /** Advice about this fault. If undefined, the advice of the check applies. */
  readonly todo: string | undefined
  constructor(complaint: string, todo?: string) {
    super(complaint)
    this.todo = todo
  }
}

/** Thrown if the check must be skipped. The message says why the promise could not be checked. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked'
}

export function hold(condition: boolean, complaint: string, todo?: string): asserts condition {
  if (!condition) throw new Broken(complaint, todo)
}
