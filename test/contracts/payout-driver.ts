// The driver that a payout rail provides to the contract tests: it connects to the counterparty, and controls it.
import type { Money } from '../../src/platform/base/money.ts'
import type { Callback } from '../../src/rails/contract/channel.ts'
import type { CardExpiry, PayoutRail, PayoutRequest } from '../../src/rails/contract/payout-rail.ts'
import type { ProxyAnswer } from '../counterparties/faulty-proxy.ts'

export type PayoutBehaviour =
  /** The payout is paid once the counterparty decides. */
  | 'pays'
  /** The beneficiary's bank refuses the payout. */
  | 'declines'
  /** The counterparty does not accept such a payout. */
  | 'refused'

export type PayoutDriver = {
  /** The counterparty's address; '' if there is none. */
  readonly url: string
  /** Connects a rail to the counterparty at this address: its own, or a proxy's. */
  connect(url: string, timeoutMs: number): PayoutRail
  /** Connects a rail with credentials that the counterparty does not accept, such as expired ones. */
  connectAsStranger(url: string, timeoutMs: number): PayoutRail
  /** Returns a request that makes the counterparty behave like this. */
  request(behaviour: PayoutBehaviour, reference: string): PayoutRequest
  /** Makes the counterparty decide on this payout, or waits for its decision. */
  decide(reference: string): Promise<void>
  /** Sends the money of a paid payout back, as the beneficiary's bank. */
  giveBack(reference: string): Promise<void>
  /** True if the counterparty states how much came back, in another field than the payout's own amount. */
  readonly statesReturn: boolean
  /** Sends only this amount back. Undefined if the counterparty reports no such return. */
  giveBackPart?(reference: string, amount: bigint): Promise<void>
  /** Returns the number of times that the counterparty's records show the payout as paid. */
  countPaid(reference: string): Promise<number>
  /**
   * Changes the counterparty's true response: to another amount, or to an unknown state. If responses are signed, the
   * changed response is signed, too.
   */
  readonly forge: {
    amount(answer: ProxyAnswer, money: Money): ProxyAnswer
    state(answer: ProxyAnswer): ProxyAnswer
    /** Changes the currency; undefined if the counterparty names no currency. */
    readonly currency: ((answer: ProxyAnswer, currency: string) => ProxyAnswer) | undefined
  }
  /**
   * True if the counterparty cannot be asked by our reference, so that asking sends the payout again under the same
   * idempotency key.
   */
  readonly asksBySending?: boolean
  /**
   * True for the path of a call about a payout; by default every call. Faults do not meet other calls, such as the call
   * for an access token.
   */
  readonly isAboutPayout?: (path: string) => boolean
  /** Returns the callbacks that the counterparty has sent, in order. Required if the rail reads callbacks. */
  received?(): readonly Callback[]
  /**
   * Makes the same callback in another currency, signed by the counterparty. Required if the rail believes callbacks
   * instead of asking.
   */
  forgeCallback?(callback: Callback, currency: string): Callback
  /** A card number that the counterparty tokenises; required if the rail pays to cards. */
  readonly cardNumber?: string
  /** The card's expiry; required if the rail needs it. */
  readonly cardExpiry?: CardExpiry
  close(): Promise<void>
}

/** The driver is available once the tests run. */
export type PayoutSuite = {
  readonly driver: () => PayoutDriver
  /** Returns the rail with a time-out that is long enough on a busy machine. */
  readonly rail: () => PayoutRail
}
