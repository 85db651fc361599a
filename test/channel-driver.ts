// What a rail brings to the contract suite: how to make its counterparty behave, and how its payers act. It pays as a payer
// does, through the pages of the counterparty, over HTTP.
import { randomBytes } from 'node:crypto'
import type { Money } from '../src/base/money.ts'
import type { AttemptRef, Callback, Channel, PayerAction, StartRequest } from '../src/channels/contract.ts'
import type { Method } from '../src/channels/method.ts'

export type Behaviour =
  /** Is paid once the payer approves; a card needs no payer. */
  | 'pays'
  /** Is declined once the payer declines; a card at once. */
  | 'declines'
  /** Waits for its payer, and is paid once that one approves. */
  | 'waits'
  /** Opened, or charged, but no answer comes. */
  | 'silent-but-opened'
  /** Neither opened nor answered. */
  | 'silent-and-not-opened'
  /** Turned away at the door. */
  | 'refused'

/** What a browser brings back, as fields. */
export type Answer = Readonly<Record<string, string>>

export type ChannelDriver = {
  /** With time enough on the busiest machine. */
  readonly channel: Channel
  /** The same with so little time: for answers that never come. */
  within(timeoutMs: number): Channel
  /** A request that the counterparty meets with this behaviour. */
  request(behaviour: Behaviour, reference: string): StartRequest
  /** The payer does so; what the browser then brings back, nothing if it stays away. */
  act(action: PayerAction, deed: 'approve' | 'decline'): Promise<Answer>
  /** A payer sends so much. Every method in `sentByPayers` has it. */
  send?(action: PayerAction, amount: bigint): Promise<void>
  /** What the payer must do is told at opening and never again: if that answer is lost, nobody can pay, and it is closed. */
  readonly tellsOnce?: boolean
  /** How the channel hears what the payer did, without asking. */
  readonly news: CallbackNews | BrowserNews
  /** An amount whose refund the counterparty turns down. */
  readonly refusedRefund: Money
  /** Whether money was taken for the reference, by the counterparty's own book. */
  isCharged(reference: string): Promise<boolean>
  close(): Promise<void>
}

export type CallbackNews = {
  readonly kind: 'callback'
  /** asking: the message is only a reason to ask. */
  readonly believes: 'signature' | 'asking'
  /** What the counterparty has sent. */
  received(): readonly Callback[]
  /** The same message about other money, with all the proof that the counterparty could give. */
  forge(callback: Callback, money: Money): Callback
}

/** The browser itself carries the proof, and `complete` judges it. */
export type BrowserNews = {
  readonly kind: 'browser'
  forge(answer: Answer, money: Money): Promise<Answer>
}

/** Methods whose payers send money by themselves: less, more, in parts, or too late. */
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

/** The driver is there once the tests run. */
export type Suite = {
  readonly driver: () => ChannelDriver
  readonly given: (behaviour: Behaviour) => Given
}

export function makeReference(): string {
  return `A${randomBytes(13).toString('hex').toUpperCase()}`
}
