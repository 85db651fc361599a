// What a rail provides to the contract tests: how to control its counterparty, and how its payers act. It pays like a payer,
// on the counterparty's pages over HTTP.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../src/base/clock.ts'
import type { Money } from '../src/base/money.ts'
import type { AttemptRef, Callback, Channel, PayerAction, StartRequest } from '../src/channels/contract.ts'
import type { Method } from '../src/channels/method.ts'
import type { ProxyAnswer, ProxyRequest } from './faulty-proxy.ts'

export type Behaviour =
  /** Paid once the payer approves; a card immediately. */
  | 'pays'
  /** Declined once the payer declines; a card immediately. */
  | 'declines'
  /** Waits for the payer, and is paid once the payer approves. */
  | 'waits'
  /** Opened, or charged, but without a response. */
  | 'silent-but-opened'
  /** Not opened, and without a response. */
  | 'silent-and-not-opened'
  /** Refused at opening. */
  | 'refused'

/** The parameters of the browser's return. */
export type Answer = Readonly<Record<string, string>>

export type ChannelDriver = {
  /** With a time-out that is long enough on a busy machine. */
  readonly channel: Channel
  /** The same with a short time-out, for responses that never come. */
  within(timeoutMs: number): Channel
  /** A request that makes the counterparty behave like this. */
  request(behaviour: Behaviour, reference: string): StartRequest
  /** The payer acts; returns the parameters of the browser's return, if any. */
  act(action: PayerAction, deed: 'approve' | 'decline'): Promise<Answer>
  /** The payer transfers this amount. Required for every method in `sentByPayers`, unless it takes the exact amount. */
  send?(action: PayerAction, amount: bigint): Promise<void>
  /** The counterparty takes only the exact amount, whatever the method. */
  readonly takesExactAmount?: boolean
  /** The counterparty returns the payer's action only at opening: if that response is lost, nobody can pay, and it is closed. */
  readonly returnsActionOnce?: boolean
  /** The counterparty makes a refund again if it is sent again, so one without an answer is not repeated. */
  readonly refundsAreNotRepeated?: boolean
  /** How the channel receives the result without a query. */
  readonly push: CallbackPush | BrowserPush | Polled
  /** An amount whose refund the counterparty refuses. */
  readonly refusedRefund: Money
  /** Required for the first rail of each protocol. */
  readonly faults?: FaultAccess
  /** Whether the counterparty's records show a charge for the reference. */
  isCharged(reference: string): Promise<boolean>
  close(): Promise<void>
}

/** How tests get between the channel and its counterparty. */
export type FaultAccess = {
  /** The counterparty's address. */
  readonly url: string
  /** The channel at another address, or with another clock. */
  connect(changes: { readonly url?: string; readonly clock?: Clock }): Channel
  /** With credentials that the counterparty does not accept, such as expired ones. */
  connectAsStranger(): Channel
  /** Values of the settings that nobody may see. */
  readonly secrets: readonly string[]
  /** The calls about a payment, by path; unset: all. Faults do not meet others, such as the call for an access token. */
  readonly isAboutPayment?: (path: string) => boolean
  /** What the counterparty itself may answer without deciding anything, signed if its answers are. */
  readonly evasions: readonly Evasion[]
  /** Changes its true answers, signed if they are: a state to one that nobody has seen, a sum of money to another. */
  readonly forge: {
    state(answer: ProxyAnswer): ProxyAnswer
    money(answer: ProxyAnswer, money: Money): ProxyAnswer
  }
  /** A message of the counterparty may name the true sum before the answer names another one. */
  readonly comesByMessage?: true
}

/** It is busy or broken, or has a code that nobody has seen. */
export type Evasion = { readonly what: string; answer(request: ProxyRequest): ProxyAnswer }

export type CallbackPush = {
  readonly kind: 'callback'
  /** asking: the message only triggers a query. */
  readonly believes: 'signature' | 'asking'
  /** The callbacks that the counterparty has sent. */
  received(): readonly Callback[]
  /** The same message with another amount, validly signed by the counterparty. */
  forge(callback: Callback, money: Money): Callback
}

/** The browser brings the proof, and `complete` verifies it. */
export type BrowserPush = {
  readonly kind: 'browser'
  forge(answer: Answer, money: Money): Promise<Answer>
}

/** The channel is only polled: `testReadingChannelContract`. */
export type Polled = { readonly kind: 'polled' }

/** Methods with transfers by payers, which may be short, in surplus, in parts, or late. */
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

/** The lines of all secrets in the settings of an entry, and what is secret in the addresses of nodes. */
export function secretsIn(entry: Readonly<Record<string, unknown>>): string[] {
  const named = Object.entries(entry).filter(([name]) =>
    /secret|privateKey|password|clientCertificate|(api|trans(fers)?|hmac|v3|client)Key/i.test(name),
  )
  const lines = named.flatMap(([, value]) => textsIn(value).flatMap((text) => text.split('\n')))
  const kept = lines.filter((line) => line !== '' && !line.startsWith('-----'))
  return [...kept, ...textsIn(entry.rpcUrls).flatMap(keysIn)]
}

/** A setting is a text, or a list of them while an old key stays valid. */
function textsIn(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

const SHORTEST_KEY = 8

/** Every part of an address after its host that is long enough for a key, and its user's password. */
function keysIn(address: string): string[] {
  const { pathname, searchParams, username, password } = new URL(address)
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password]
  return parts.map(decodeURIComponent).filter((part) => part.length >= SHORTEST_KEY)
}

export function makeReference(): string {
  return `A${randomBytes(13).toString('hex').toUpperCase()}`
}
