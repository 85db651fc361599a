// The driver that a rail provides to the contract tests: it controls the counterparty, and acts as the payer on the
// counterparty's pages over HTTP.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../src/platform/base/clock.ts'
import type { Money } from '../../src/platform/base/money.ts'
import type {
  AttemptRef,
  Callback,
  Channel,
  PayerAction,
  StartRequest,
} from '../../src/rails/contract/channel.ts'
import type { Method } from '../../src/rails/methods/methods.ts'
import type { ProxyAnswer, ProxyRequest } from '../counterparties/faulty-proxy.ts'

export type Behaviour =
  /** The payment is paid once the payer approves, or immediately if a card pays. */
  | 'pays'
  /** The payment is declined once the payer declines, or immediately if a card pays. */
  | 'declines'
  /** The payment waits for the payer, and is paid once the payer approves. */
  | 'waits'
  /** The payment is opened, or charged, but there is no response. */
  | 'silent-but-opened'
  /** The payment is not opened, and there is no response. */
  | 'silent-and-not-opened'
  /** The payment is refused at opening. */
  | 'refused'

/** The parameters of the browser's return. */
export type Answer = Readonly<Record<string, string>>

export type ChannelDriver = {
  /** The channel with a time-out that is long enough on a busy machine. */
  readonly channel: Channel
  /** Returns the channel with a short time-out, for responses that never come. */
  within(timeoutMs: number): Channel
  /** Returns a request that makes the counterparty behave like this. */
  request(behaviour: Behaviour, reference: string): StartRequest
  /** Acts as the payer, and returns the parameters of the browser's return, if any. */
  act(action: PayerAction, deed: 'approve' | 'decline'): Promise<Answer>
  /**
   * Transfers this amount as the payer. Required for every method in `sentByPayers`, except if `takesExactAmount` is
   * true.
   */
  send?(action: PayerAction, amount: bigint): Promise<void>
  /** True if the counterparty takes only the exact amount, whatever the method. */
  readonly takesExactAmount?: boolean
  /**
   * True if the counterparty returns the payer's action only at opening: if that response is lost, nobody can pay, and
   * the payment is closed.
   */
  readonly returnsActionOnce?: boolean
  /**
   * True if the counterparty would make a repeated refund twice, so that a refund without an answer is not repeated.
   */
  readonly refundsAreNotRepeated?: boolean
  /** The way in which the channel receives the result without a query. */
  readonly push: CallbackPush | BrowserPush | Polled
  /** An amount whose refund the counterparty refuses. */
  readonly refusedRefund: Money
  /** The access to faults, which is required for the first rail of each protocol. */
  readonly faults?: FaultAccess
  /** True if the counterparty's records show a charge for the reference. */
  isCharged(reference: string): Promise<boolean>
  close(): Promise<void>
}

/** The access of tests to the connection between the channel and its counterparty. */
export type FaultAccess = {
  /** The counterparty's address. */
  readonly url: string
  /** Connects the channel at another address, or with another clock. */
  connect(changes: { readonly url?: string; readonly clock?: Clock }): Channel
  /** Connects the channel with credentials that the counterparty does not accept, such as expired ones. */
  connectAsStranger(): Channel
  /** The values of the settings that must stay secret. */
  readonly secrets: readonly string[]
  /**
   * True for the path of a call about a payment; by default every call. Faults do not meet other calls, such as the
   * call for an access token.
   */
  readonly isAboutPayment?: (path: string) => boolean
  /** The counterparty's own answers that decide nothing, signed if its answers are signed. */
  readonly evasions: readonly Evasion[]
  /**
   * Changes the counterparty's true answers: `state` sets an unknown state, and `money` sets another amount. If true
   * answers are signed, the changed answers are signed, too.
   */
  readonly forge: {
    state(answer: ProxyAnswer): ProxyAnswer
    money(answer: ProxyAnswer, money: Money): ProxyAnswer
  }
  /** True if a webhook may report the true amount before the changed answer reports another amount. */
  readonly comesByMessage?: true
}

/** An answer of a counterparty that is busy or broken, or uses an unknown code. */
export type Evasion = { readonly what: string; answer(request: ProxyRequest): ProxyAnswer }

export type CallbackPush = {
  readonly kind: 'callback'
  /** The proof that the channel accepts. With `asking`, the message only triggers a query. */
  readonly believes: 'signature' | 'asking'
  /** Returns the callbacks that the counterparty has sent. */
  received(): readonly Callback[]
  /** Makes the same message with another amount, validly signed by the counterparty. */
  forge(callback: Callback, money: Money): Callback
}

/** The browser brings the proof, and `complete` verifies it. */
export type BrowserPush = {
  readonly kind: 'browser'
  forge(answer: Answer, money: Money): Promise<Answer>
}

/** The channel is only polled. `testReadingChannelContract` tests such channels. */
export type Polled = { readonly kind: 'polled' }

/** The methods with transfers by payers, which may be short, in surplus, in parts, or late. */
export const sentByPayers: readonly Method[] = [
  'pix',
  'gcash',
  'spei',
  'per_transfer',
  'sepa',
  'vn_bank',
  'crypto',
]

/** One attempt of a test. */
export type Given = {
  readonly request: StartRequest
  readonly reference: string
  readonly attempt: AttemptRef
  readonly channel: Channel
}

/** The driver is available once the tests run. */
export type Suite = {
  readonly driver: () => ChannelDriver
  readonly given: (behaviour: Behaviour) => Given
}

/** Returns the lines of all secrets in the settings of an entry, and the secrets in the addresses of nodes. */
export function secretsIn(entry: Readonly<Record<string, unknown>>): string[] {
  const named = Object.entries(entry).filter(([name]) =>
    /secret|privateKey|password|clientCertificate|(api|trans(fers)?|hmac|v3|client)Key/i.test(name),
  )
  const lines = named.flatMap(([, value]) => textsIn(value).flatMap((text) => text.split('\n')))
  const kept = lines.filter((line) => line !== '' && !line.startsWith('-----'))
  return [...kept, ...textsIn(entry.rpcUrls).flatMap(keysIn)]
}

/** Returns the texts of a setting, which is a text, or a list of texts while an old key stays valid. */
function textsIn(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

const SHORTEST_KEY = 8

/** Returns the parts of the path and query, the user name and the password of an address, if long enough for a key. */
function keysIn(address: string): string[] {
  const { pathname, searchParams, username, password } = new URL(address)
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password]
  return parts.map(decodeURIComponent).filter((part) => part.length >= SHORTEST_KEY)
}

export function makeReference(): string {
  return `A${randomBytes(13).toString('hex').toUpperCase()}`
}
