// A payout: its states, their transitions, and the effect of each event. Pure rules.
import { merNoOf } from '../base/id.ts'
import type { Money, Rate } from '../base/money.ts'
import type { Returned } from '../channels/contract.ts'
import { inTheirWords } from '../channels/in-their-words.ts'
import {
  type AccountKind,
  accountKinds,
  type InterfaceAccount,
  type PayoutOutcome,
} from '../channels/payout/contract.ts'
import { nextAskMs, unlessOvertaken } from '../orders/ask-again.ts'
import { type Order, type OrderKey, State, type StateNumber } from '../orders/order.ts'

/** CheckOut: the beneficiary chooses how to be paid. */
export type PayoutKind = AccountKind | 'checkout'

export type InterfacePayout = Exclude<PayoutKind, 'coin'>

export const withdrawTypes: ReadonlyMap<string, InterfacePayout> = new Map([
  ['1', 'card'],
  ['2', 'checkout'],
  ['3', 'bank_account'],
  ['4', 'pix'],
  ['5', 'per_transfer'],
  ['6', 'spei'],
])

/** The interface has no payout in coin: people enter it in the back office. */
export const enteredTypes: ReadonlyMap<string, PayoutKind> = new Map<string, PayoutKind>([
  ...withdrawTypes,
  ['coin', 'coin'],
])

/** A rail that pays in one currency only. */
export const currencyOf: Readonly<Partial<Record<PayoutKind, string>>> = {
  pix: 'BRL',
  per_transfer: 'PEN',
  spei: 'MXN',
}

/** The accounts that a beneficiary may choose for a currency, the usual one first. */
export function kindsFor(currency: string): InterfaceAccount[] {
  const fits = accountKinds.filter((kind) => (currencyOf[kind] ?? currency) === currency)
  const isOwn = (kind: InterfaceAccount) => currencyOf[kind] === currency
  const rank = (kind: InterfaceAccount) => (isOwn(kind) ? 0 : kind === 'bank_account' ? 1 : 2)
  return fits.sort((one, other) => rank(one) - rank(other))
}

export const payoutStates = [
  /** The card number is being exchanged for the rail's token. */
  'tokenising',
  /** The beneficiary must enter an account. */
  'awaiting_account',
  /** An operator must approve or reject it. */
  'awaiting_approval',
  /** To be sent to the rail, under way, or its outcome is unknown. */
  'sending',
  'succeeded',
  'failed',
  /** It succeeded, and the beneficiary's bank sent the money back later. */
  'returned',
] as const
export type PayoutState = (typeof payoutStates)[number]

const transitions: Readonly<Record<PayoutState, readonly PayoutState[]>> = {
  tokenising: ['awaiting_approval', 'sending', 'failed'],
  awaiting_account: ['awaiting_approval', 'sending', 'failed'],
  awaiting_approval: ['sending', 'failed'],
  sending: ['succeeded', 'failed', 'returned'],
  succeeded: ['returned'],
  failed: [],
  returned: [],
}

export function mayFollow(from: PayoutState, to: PayoutState): boolean {
  return transitions[from].includes(to)
}

/** The merchant has the money again. */
export function hasMoneyBack(state: PayoutState): boolean {
  return state === 'failed' || state === 'returned'
}

/** The amount taken from the available balance, with a rate if that is in another currency. */
export type Funding = Money & { readonly rate: Rate | undefined }

/** The beneficiary's account. Encrypted: the account or a card's token, and identity numbers. */
export type StoredAccount = {
  readonly kind: AccountKind
  readonly masked: string
  readonly sealed: Buffer
  readonly beneficiary: Readonly<Record<string, unknown>>
}

/** A payout with its order: both are locked before a decision. */
export type Payout = {
  readonly order: Order
  readonly kind: PayoutKind
  readonly state: PayoutState
  readonly rail: string
  readonly reference: string
  readonly account: StoredAccount | undefined
  readonly fee: bigint
  readonly funding: Funding
  readonly needsApproval: boolean
  readonly sendingAt: Date | undefined
  /** How often the worker has claimed it since it became ready to send. */
  readonly asks: number
}

export type PayoutEvent =
  /** The request with the account also sends the payout by `rail`; the worker does not claim it for `leaseMs`. */
  | {
      readonly kind: 'account'
      readonly account: StoredAccount
      readonly rail: string
      readonly leaseMs: number
    }
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected'; readonly why: string }
  /** The beneficiary entered no account in time. */
  | { readonly kind: 'expired' }
  /** The rail never got the account: nothing can have been paid. */
  | { readonly kind: 'not-sent'; readonly why: string }
  /** Nothing was sent yet, and it goes to another rail than the one chosen at acceptance. */
  | { readonly kind: 'routed'; readonly to: NextRail; readonly claims: number }
  /** Nothing was sent yet, and no rail can send it now. */
  | { readonly kind: 'waits'; readonly claims: number }
  | {
      readonly kind: 'outcome'
      readonly outcome: PayoutOutcome
      /** The rail to try if this one certainly did not take it. */
      readonly next?: NextRail | undefined
      /** The worker's claims before the call, if nothing was sent before it. */
      readonly claims?: number | undefined
      /** The worker's claims when the rail was called; undefined if the rail reports by itself. */
      readonly asks?: number
    }

export type NextRail = { readonly rail: string; readonly leaseMs: number }

export type Decision = {
  readonly state: PayoutState
  readonly orderState: StateNumber
  readonly message: string
  /** When the worker claims it next. */
  readonly askAt: Date | undefined
  /** Somebody else has the payout: they decide when it is claimed next. */
  readonly keepsAskAt?: boolean
  /** Whether the event changed anything, be it only `askAt`. */
  readonly applied: boolean
  /** Set when it goes to another rail. */
  readonly rail?: string
  /** Set when an operator must check. */
  readonly alarm?: string
}

export const WAITING = {
  tokenising: 'The payout is being prepared',
  awaiting_account: "Waiting for the beneficiary's account",
  awaiting_approval: 'Waiting for approval',
  sending: 'The payout is on its way',
} as const

export function decide(payout: Payout, event: PayoutEvent, at: Date): Decision {
  switch (event.kind) {
    case 'account':
      if (payout.state !== 'tokenising' && payout.state !== 'awaiting_account') return unchanged(payout)
      return payout.needsApproval
        ? open(payout, 'awaiting_approval', undefined)
        : open(payout, 'sending', later(at, event.leaseMs))
    case 'approved':
      return payout.state === 'awaiting_approval' ? open(payout, 'sending', at) : unchanged(payout)
    case 'rejected':
      return payout.state === 'awaiting_approval' ? failed(event.why) : unchanged(payout)
    case 'expired':
      return payout.state === 'awaiting_account'
        ? { ...failed('Expired: the beneficiary gave no account in time'), orderState: State.cancelled }
        : unchanged(payout)
    case 'not-sent':
      return payout.state === 'tokenising' ? failed(event.why) : unchanged(payout)
    case 'routed':
      return isUnclaimed(payout, event.claims) && !isBound(payout)
        ? goTo(payout, event.to, at)
        : unchanged(payout)
    case 'waits':
      return isUnclaimed(payout, event.claims)
        ? open(payout, 'sending', later(at, NO_RAIL_MS))
        : unchanged(payout)
    case 'outcome':
      return decideOutcome(payout, event, at)
  }
}

/** How long a payout waits for a rail before it is tried again. */
const NO_RAIL_MS = 30_000

/** Nobody has claimed it since: another claim may have sent it. */
function isUnclaimed({ state, asks }: Payout, claims: number): boolean {
  return state === 'sending' && asks === claims
}

/** Only the rail that made a card's token can use it. */
function isBound({ account }: Payout): boolean {
  return account === undefined || account.kind === 'card'
}

function goTo(payout: Payout, { rail, leaseMs }: NextRail, at: Date): Decision {
  return { ...open(payout, 'sending', later(at, leaseMs)), rail }
}

/**
 * A decision is final, except that the money of a payout may come back later. A contradiction raises an alarm instead of moving
 * money twice.
 */
function decideOutcome(payout: Payout, event: ReportedOutcome, at: Date): Decision {
  const { state, order } = payout
  const outcome = unlessOvertaken(asFarAsKnown(payout, event), event.asks, payout.asks)
  const mayReturn = state === 'sending' || state === 'succeeded'
  if (outcome.kind === 'returned' && mayReturn) return returned(outcome)
  if (state !== 'sending')
    return contradicts(state, outcome)
      ? { ...unchanged(payout), alarm: `was ${state}, the rail now says ${inTheirWords(outcome)}` }
      : unchanged(payout)
  const askAt = later(at, nextAskMs(payout.asks, ageMs(payout, at)))
  const again = { ...open(payout, 'sending', askAt), keepsAskAt: event.asks !== payout.asks }
  if (outcome.kind === 'failed') {
    const { next, claims = 0 } = event
    const isOnlyCall = isUnclaimed(payout, claims) && outcome.cause !== 'declined' && !isBound(payout)
    return next !== undefined && isOnlyCall ? goTo(payout, next, at) : failed(outcome.message)
  }
  if (outcome.kind !== 'succeeded') return again
  if (outcome.money.amount !== order.money.amount || outcome.money.currency !== order.money.currency)
    return { ...again, alarm: 'the rail echoed another amount or currency than the payout has' }
  return {
    state: 'succeeded',
    orderState: State.succeeded,
    message: 'Payout succeeded',
    askAt: undefined,
    applied: true,
  }
}

type ReportedOutcome = Extract<PayoutEvent, { readonly kind: 'outcome' }>

/** A late report of what came before a return does not, nor does the return of a payout that failed. */
function contradicts(state: PayoutState, { kind }: PayoutOutcome): boolean {
  if (state === 'returned') return false
  if (state === 'failed') return kind === 'succeeded'
  return kind === 'returned' || ((kind === 'succeeded' || kind === 'failed') && kind !== state)
}

/**
 * That a call did not reach the rail, or that the rail did not accept its signature, is true of that call only. Once the
 * worker has claimed the payout there may be two, so the outcome of either leaves the payout unknown.
 */
function asFarAsKnown({ asks }: Payout, { outcome, claims = 0 }: ReportedOutcome): PayoutOutcome {
  const isOfOneCall =
    outcome.kind === 'failed' && (outcome.cause === 'unreachable' || outcome.cause === 'unauthorised')
  return isOfOneCall && asks > claims ? { kind: 'unknown', why: outcome.message } : outcome
}

function open(payout: Payout, state: 'awaiting_approval' | 'sending', askAt: Date | undefined): Decision {
  return { state, orderState: payout.order.state, message: WAITING[state], askAt, applied: true }
}

function failed(message: string): Decision {
  return { state: 'failed', orderState: State.failed, message, askAt: undefined, applied: true }
}

function returned({ message }: Returned): Decision {
  return { ...failed(`The payout came back: ${message}`), state: 'returned' }
}

function unchanged({ state, order }: Payout): Decision {
  return { state, orderState: order.state, message: order.message, askAt: undefined, applied: false }
}

function ageMs({ sendingAt }: Payout, at: Date): number {
  return sendingAt === undefined ? 0 : at.getTime() - sendingAt.getTime()
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/** One reference for all retries: the trade number with another first letter. */
export function payoutReference(tradeNo: string): string {
  return `P${tradeNo.slice(1)}`
}

/** The payout of a reference; undefined when it cannot be one of ours. */
export function payoutKeyOf(reference: string): OrderKey | undefined {
  const tradeNo = `T${reference.slice(1)}`
  const merNo = merNoOf(tradeNo)
  return merNo === undefined || payoutReference(tradeNo) !== reference ? undefined : { merNo, tradeNo }
}

/** How long a beneficiary has to enter an account. */
export const AWAITS_ACCOUNT_MS = 3 * 24 * 3_600_000
