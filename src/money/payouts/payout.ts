// Pure rules: a payout's types, states and transitions, the effect of each event, and its reference at the rails.
import type { Actor } from '../../platform/audit-log/entry.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { isSameMoney, type Money, type Rate } from '../../platform/base/money.ts'
import { inTheirWords } from '../../rails/contract/counterparty-texts.ts'
import type { PayoutOutcome } from '../../rails/contract/payout-outcome.ts'
import { type AccountKind, accountKinds, type InterfaceAccount } from '../../rails/contract/payout-rail.ts'
import { alarmAgain, type CameBack, decideReturned } from '../../rails/contract/returned.ts'
import type { Decider } from '../approvals/may-approve.ts'
import { nextAskMs } from '../orders/ask-again.ts'
import { unlessOvertaken } from '../orders/call-lease.ts'
import type { NewPayoutOrder } from '../orders/new-order.ts'
import { type Order, type OrderKey, State, type StateNumber } from '../orders/order.ts'

/** The kind of a payout. With `checkout`, the beneficiary chooses the kind of account. */
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

/** The kinds of payout that people enter in the back office: those of the interface, and payouts in coin. */
export const enteredTypes: ReadonlyMap<string, PayoutKind> = new Map<string, PayoutKind>([
  ...withdrawTypes,
  ['coin', 'coin'],
])

/** The currency of each kind of account that takes only one currency. */
export const currencyOf: Readonly<Partial<Record<PayoutKind, string>>> = {
  pix: 'BRL',
  per_transfer: 'PEN',
  spei: 'MXN',
}

/** Returns the kinds of account for a currency: its own kind if it has one, then the bank account, then the card. */
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
  /** An operator, one of the merchant's own staff, or both must approve the payout. Each side may reject it. */
  'awaiting_approval',
  /** The payout will be sent, or was sent and has no final outcome yet. */
  'sending',
  'succeeded',
  'failed',
  /** The payout succeeded, and the beneficiary's bank sent the money back later. */
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

export function hasMoneyBack(state: PayoutState): boolean {
  return state === 'failed' || state === 'returned'
}

/** The amount taken from the available balance, with the rate if that balance is in another currency. */
export type Funding = Money & { readonly rate: Rate | undefined }

/** The beneficiary's account. `sealed` contains the account or a card's token, and identity numbers. */
export type StoredAccount = {
  readonly kind: AccountKind
  readonly masked: string
  readonly sealed: Buffer
  readonly beneficiary: Readonly<Record<string, unknown>>
}

/** A payout and its order, both locked. */
export type Payout = {
  readonly order: Order
  readonly kind: PayoutKind
  readonly state: PayoutState
  readonly rail: string
  readonly reference: string
  readonly account: StoredAccount | undefined
  readonly fee: bigint
  readonly funding: Funding
  /** The sides that must still approve the payout. */
  readonly awaits: readonly Decider[]
  /** The person who asked for the payout. Undefined if the merchant's own system asked for it. */
  readonly askedBy: Actor | undefined
  readonly sendingAt: Date | undefined
  /** The number of the worker's claims since the payout became ready to send, or since the last event `waits`. */
  readonly asks: number
  /**
   * The part of a returned payout that was credited. Undefined if no amount was reported. In that case, the whole
   * amount was credited.
   */
  readonly returnedAmount: bigint | undefined
  /** The part of a returned payout that was held in suspense. Read only for a further report of the return. */
  readonly returnedHeld?: Money | undefined
}

export type NewPayout = NewPayoutOrder & {
  readonly kind: PayoutKind
  readonly state: PayoutState
  readonly rail: string
  readonly reference: string
  /**
   * The account that the payout goes to. Undefined for CheckOut until the beneficiary enters it, and for a card until
   * the rail returns a token.
   */
  readonly account: StoredAccount | undefined
  readonly beneficiary: Readonly<Record<string, unknown>>
  readonly accountMasked: string
  /** True if an operator must approve the payout. */
  readonly needsApproval: boolean
  /** True if one of the merchant's own staff must approve the payout. */
  readonly needsMerchantApproval: boolean
  /** The person who asked for the payout. Undefined if the merchant's own system asked for it. */
  readonly askedBy: Actor | undefined
  readonly askAt: Date | undefined
}

/** A payout with the fields that merchants and beneficiaries may see. */
export type FoundPayout = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly orderState: StateNumber
  readonly message: string
  readonly returnUrl: string
  readonly kind: PayoutKind
  readonly state: PayoutState
  readonly rail: string
  readonly fee: bigint
  readonly accountMasked: string
  readonly beneficiary: Readonly<Record<string, unknown>>
}

/** A merchant's own rules for the approval of payouts. */
export type PayoutSettings = {
  /** The value in US cents above which a second person must approve a payout run. Undefined if there is none. */
  readonly secondPersonAbove: bigint | undefined
  /**
   * True if `secondPersonAbove` also applies to each payout through the interface: one of the merchant's own staff must
   * approve a payout above this value.
   */
  readonly includesInterface: boolean
  /** The version of the settings. 0 until the settings are first changed. */
  readonly version: number
}

export type PayoutEvent =
  /** The account is stored. The same request then sends the payout by `rail`, so the worker waits for `leaseMs`. */
  | {
      readonly kind: 'account'
      readonly account: StoredAccount
      readonly rail: string
      readonly leaseMs: number
    }
  | { readonly kind: 'approved'; readonly by: Decider }
  | { readonly kind: 'rejected'; readonly by: Decider; readonly why: string }
  /** The beneficiary entered no account in time. */
  | { readonly kind: 'expired' }
  /** The rail never received the account, so nothing can have been paid. */
  | { readonly kind: 'not-sent'; readonly why: string }
  /** The payout was not sent yet, and moves to another rail. */
  | { readonly kind: 'routed'; readonly to: NextRail; readonly claims: number }
  /** The payout was not sent yet, and must wait: no rail can send it now, or an operator may decide it by hand. */
  | { readonly kind: 'waits'; readonly claims: number }
  | {
      readonly kind: 'outcome'
      readonly outcome: PayoutOutcome
      /** The rail to try if this rail certainly did not take the payout. */
      readonly next?: NextRail | undefined
      /**
       * How often the worker had claimed the payout when it was first sent. Undefined for the last rail and for later
       * calls.
       */
      readonly claims?: number | undefined
      /**
       * How often the worker had claimed the payout when the rail was called. Undefined if the rail reports on its own.
       */
      readonly asks?: number
    }

type NextRail = { readonly rail: string; readonly leaseMs: number }

export type Decision = {
  readonly state: PayoutState
  readonly orderState: StateNumber
  readonly message: string
  /** The time of the worker's next claim. */
  readonly askAt: Date | undefined
  /** True if `askAt` is not written, because the outcome does not come from a call of the worker's latest claim. */
  readonly keepsAskAt?: boolean
  /** True if the event changed anything, even if only `askAt`. */
  readonly applied: boolean
  readonly cameBack?: CameBack
  /** The rail to which an outcome or the event `routed` moves the payout. */
  readonly rail?: string
  /** The reason why an operator must check the payout. */
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
      return payout.awaits.length > 0
        ? open(payout, 'awaiting_approval', undefined)
        : open(payout, 'sending', later(at, event.leaseMs))
    case 'approved':
      if (!isAwaited(payout, event.by)) return unchanged(payout)
      return payout.awaits.length > 1
        ? open(payout, 'awaiting_approval', undefined)
        : open(payout, 'sending', at)
    case 'rejected':
      return isAwaited(payout, event.by) ? failed(event.why) : unchanged(payout)
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

/** The time that a payout waits before the worker looks for a rail again. */
const NO_RAIL_MS = 30_000

function isAwaited({ state, awaits }: Payout, by: Decider): boolean {
  return state === 'awaiting_approval' && awaits.includes(by)
}

/**
 * True if the worker has not claimed the payout since `claims` was read. After a further claim, the payout may have
 * been sent.
 */
function isUnclaimed({ state, asks }: Payout, claims: number): boolean {
  return state === 'sending' && asks === claims
}

/** True if the payout must stay with its rail: the account is not known, or is a card's token of that rail. */
function isBound({ account }: Payout): boolean {
  return account === undefined || account.kind === 'card'
}

function goTo(payout: Payout, { rail, leaseMs }: NextRail, at: Date): Decision {
  return { ...open(payout, 'sending', later(at, leaseMs)), rail }
}

/**
 * Decides the effect of an outcome. A decision is final, except that the money may come back later. An outcome that
 * contradicts the decision raises an alarm and moves no money.
 */
function decideOutcome(payout: Payout, event: ReportedOutcome, at: Date): Decision {
  const { state, order } = payout
  const outcome = unlessOvertaken(asFarAsKnown(payout, event), event.asks, payout.asks)
  const mayReturn = state === 'sending' || state === 'succeeded'
  if (outcome.kind === 'returned' && mayReturn) {
    const { message, ...back } = decideReturned('payout', order.money, outcome)
    return { ...failed(message), state: 'returned', ...back }
  }
  if (state === 'returned') return { ...unchanged(payout), ...alarmAgain(order.money, payout, outcome) }
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
  if (!isSameMoney(outcome.money, order.money))
    return { ...again, alarm: 'the rail echoed another amount or currency than the payout has' }
  return { ...DECIDED, state: 'succeeded', orderState: State.succeeded, message: 'Payout succeeded' }
}

const DECIDED = { askAt: undefined, applied: true } as const

type ReportedOutcome = Extract<PayoutEvent, { readonly kind: 'outcome' }>

/** True if the outcome contradicts the state. The return of a failed payout is no contradiction. */
function contradicts(state: PayoutState, { kind }: PayoutOutcome): boolean {
  if (state === 'failed') return kind === 'succeeded'
  return kind === 'returned' || ((kind === 'succeeded' || kind === 'failed') && kind !== state)
}

/**
 * Derives the outcome of the payout from the outcome of one call. If the call did not reach the rail, or the rail did
 * not accept our credentials, only this call certainly failed. If the worker has claimed the payout since, another call
 * may have been made, so the outcome of the payout is unknown.
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
  return { ...DECIDED, state: 'failed', orderState: State.failed, message }
}

function unchanged({ state, order }: Payout): Decision {
  return { state, orderState: order.state, message: order.message, askAt: undefined, applied: false }
}

function ageMs({ sendingAt }: Payout, at: Date): number {
  return sendingAt === undefined ? 0 : at.getTime() - sendingAt.getTime()
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/** The time that a beneficiary has to enter an account. */
export const AWAITS_ACCOUNT_MS = 3 * 24 * 3_600_000

/** Returns the payout's reference at rails, the same for all retries: the trade number with another first letter. */
export function payoutReference(tradeNo: string): string {
  return `P${tradeNo.slice(1)}`
}

/** Returns the key of the payout that one of our references names. Undefined for a reference in any other form. */
export function payoutKeyOf(reference: string): OrderKey | undefined {
  const tradeNo = `T${reference.slice(1)}`
  const merNo = merNoOf(tradeNo)
  return merNo === undefined || payoutReference(tradeNo) !== reference ? undefined : { merNo, tradeNo }
}
