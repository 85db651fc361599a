// What a payout rail provides to the contract tests: how to connect to its counterparty, and how to control it.
import type { Money } from '../src/base/money.ts'
import type { Callback } from '../src/channels/contract.ts'
import type { CardExpiry, PayoutRail, PayoutRequest } from '../src/channels/payout/contract.ts'
import type { ProxyAnswer } from './faulty-proxy.ts'

export type PayoutBehaviour =
  /** Paid once the counterparty decides. */
  | 'pays'
  /** The beneficiary's bank refuses it. */
  | 'declines'
  /** The counterparty does not accept such a payout. */
  | 'refused'

export type PayoutDriver = {
  /** The counterparty's address; '' if it has none. */
  readonly url: string
  /** A rail to the counterparty at this address: its own, or a proxy's. */
  connect(url: string, timeoutMs: number): PayoutRail
  /** The same with credentials that the counterparty does not accept, such as expired ones. */
  connectAsStranger(url: string, timeoutMs: number): PayoutRail
  /** A request that makes the counterparty behave like this. */
  request(behaviour: PayoutBehaviour, reference: string): PayoutRequest
  /** Makes the counterparty decide on this payout, or waits until it has. */
  decide(reference: string): Promise<void>
  /** The beneficiary's bank sends the money of a paid payout back. */
  giveBack(reference: string): Promise<void>
  /** How often the counterparty's records show the payout as paid. */
  countPaid(reference: string): Promise<number>
  /** Changes the counterparty's true response, signed if responses are: another amount, or a state that nobody has seen. */
  readonly forge: {
    amount(answer: ProxyAnswer, money: Money): ProxyAnswer
    state(answer: ProxyAnswer): ProxyAnswer
    /** Undefined: the counterparty names no currency. */
    readonly currency: ((answer: ProxyAnswer, currency: string) => ProxyAnswer) | undefined
  }
  /** The counterparty cannot be asked by our reference, so asking sends it again under the same idempotency key. */
  readonly asksBySending?: boolean
  /** The calls about a payout, by path; unset: all. Faults do not meet others, such as the call for an access token. */
  readonly isAboutPayout?: (path: string) => boolean
  /** Required if the rail reads callbacks: those that the counterparty has sent, in order. */
  received?(): readonly Callback[]
  /** Required if the rail believes callbacks, instead of asking: the same one in another currency, signed by the counterparty. */
  forgeCallback?(callback: Callback, currency: string): Callback
  /** A card number that the counterparty tokenises; required if the rail pays to cards. */
  readonly cardNumber?: string
  /** Required if the rail needs it. */
  readonly cardExpiry?: CardExpiry
  close(): Promise<void>
}

/** The driver is available once the tests run. */
export type PayoutSuite = {
  readonly driver: () => PayoutDriver
  /** With a time-out that is long enough on a busy machine. */
  readonly rail: () => PayoutRail
}
