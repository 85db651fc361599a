// The rules of payouts: who approves them, which balance pays them, and when they are refused.
import { availableIn, type Balances, balancesOf } from './accounts.ts'
import type { Model, Payout, Shop, Side } from './facts.ts'
import { type Counted, countedNow, limitRefusal, singleRefusal } from './limits.ts'
import { convertUp, feeHalfUp, least, shareHalfUp, sumOf } from './money.ts'
import { dollarValue, findRate } from './rates.ts'
import { debtsIn } from './refunds.ts'

export function payoutFeeOf({ payoutPlan }: Shop, amount: bigint, currency: string): bigint {
  return shareHalfUp(amount, payoutPlan.feeBps) + feeHalfUp(payoutPlan.feeFixed, currency)
}

const DAY_MS = 24 * 3_600_000

type Wanted = { readonly amount: bigint; readonly currency: string }

/** Returns the sides that must approve a payout by a merchant's program: each side whose limit the payout exceeds. */
export function approversOf(
  { rates }: Model,
  { payoutApproval, ownApproval }: Shop,
  { amount, currency }: Wanted,
): Side[] {
  const value = dollarValue(rates, amount, currency)
  const isAbove = (limit: bigint | undefined) => limit !== undefined && value !== undefined && value > limit
  return [
    ...(isAbove(payoutApproval) ? (['platform'] as const) : []),
    ...(ownApproval.includesInterface && isAbove(ownApproval.above) ? (['merchant'] as const) : []),
  ]
}

/** A side approves or rejects. The last approval sends the payout. Returns false if the decision is refused. */
export function decidePayout(
  model: Model,
  payout: Payout,
  { side, approves }: { readonly side: Side; readonly approves: boolean },
): boolean {
  if (payout.state !== 'awaiting_approval' || !payout.awaits.includes(side)) return false
  if (approves && !mayStillGo(model, payout)) return false
  payout.awaits = payout.awaits.filter((one) => one !== side)
  if (!approves) payout.state = 'failed'
  else if (payout.awaits.length === 0) sendPayout(model, payout)
  return true
}

/** Accepts a payout within the limits if one balance covers it and its fee. Otherwise returns the refusal's code. */
export function acceptPayout(model: Model, payout: New): Payout | string {
  const { shop, amount, currency } = payout
  const counted = countedNow(model, shop, { method: 'payout', amount, currency })
  const refusal =
    singleRefusal(shop, counted.value) ?? limitRefusal(model, shop, { method: 'payout', ...counted })
  return refusal ?? fund(model, payout, counted)
}

type New = Omit<Payout, 'funding' | 'fee' | 'sentMs' | keyof Counted>

function fund(model: Model, payout: New, counted: Counted): Payout | '10104' {
  const { shop, amount, currency } = payout
  const fee = payoutFeeOf(shop, amount, currency)
  const funding = fundPayout(model, shop, { total: amount + fee, currency })
  if (typeof funding === 'string') return funding
  const made = { ...payout, ...counted, fee, funding, sentMs: model.nowMs }
  model.payouts.push(made)
  return made
}

/**
 * `checkout`: the beneficiary enters the account later. `card`: the rail first exchanges the card number for a token.
 */
export type PayoutKind = 'bank_account' | 'checkout' | 'card' | 'pix' | 'per_transfer' | 'spei'

const onlyCurrency: Readonly<Record<string, string>> = { pix: 'BRL', per_transfer: 'PEN', spei: 'MXN' }

/** Returns the only currency of a kind of account; undefined if the kind takes all currencies. */
export function currencyOf(kind: PayoutKind): string | undefined {
  return onlyCurrency[kind]
}

export function firstStateOf(kind: PayoutKind, awaits: readonly Side[]): Payout['state'] {
  if (kind === 'card') return 'tokenising'
  if (kind === 'checkout') return 'awaiting_account'
  return awaits.length > 0 ? 'awaiting_approval' : 'sending'
}

export function payoutOf(
  shop: Shop,
  { amount, currency }: Wanted,
  awaits: readonly Side[],
  kind: PayoutKind = 'bank_account',
) {
  const state = firstStateOf(kind, awaits)
  return { shop, tradeNo: '', rail: 'bank', currency, amount, awaits, state, expired: false, cameBack: 0n }
}

export function sendPayout({ nowMs }: Model, payout: Payout): void {
  payout.state = 'sending'
  payout.sentMs = nowMs
}

/** True if an operator may decide the outcome, because the rail has had the payout for more than a day. */
export function mayDecideOutcome({ nowMs }: Model, { state, sentMs }: Payout): boolean {
  return state === 'sending' && nowMs > sentMs + DAY_MS
}

/**
 * True if the balances cover all payouts of the run, one after the other, and each payout is within the limit of a
 * single payout. Limits of days and months count when a payout is made. The model stays unchanged.
 */
export function isRunCovered(model: Model, shop: Shop, lines: readonly Wanted[]): boolean {
  const before = model.payouts.length
  const isCovered = lines.every((line) => {
    const counted = countedNow(model, shop, { method: 'payout', ...line })
    return (
      singleRefusal(shop, counted.value) === undefined &&
      typeof fund(model, payoutOf(shop, line, []), counted) !== 'string'
    )
  })
  model.payouts.length = before
  return isCovered
}

/** True if the run is above the merchant's own limit, or its account was saved less than a day ago or never. */
export function needsSecondPerson({ rates, nowMs }: Model, shop: Shop, lines: readonly Wanted[]): boolean {
  const { ownApproval, accountSavedMs = nowMs } = shop
  const values = lines.map(({ amount, currency }) => dollarValue(rates, amount, currency) ?? 0n)
  const isLarge = ownApproval.above !== undefined && sumOf(values) > ownApproval.above
  return isLarge || nowMs < accountSavedMs + DAY_MS
}

export type Funding = Payout['funding']

/**
 * A single balance pays the whole payout. The balances are tried in this order: the payout's currency, the settlement
 * currency, the others by currency code. No payout is possible while any available balance is below zero.
 */
export function fundPayout(
  model: Model,
  shop: Shop,
  { total, currency }: { readonly total: bigint; readonly currency: string },
): Funding | '10104' {
  const balances = balancesOf(model, shop)
  if (isOwing(balances)) return '10104'
  const tried = [currency, shop.settleCurrency ?? currency, ...[...balances.keys()].sort()]
  for (const source of tried) {
    const drawn = draw(model, balances, { total, currency, source })
    if (drawn !== undefined) return drawn
  }
  return '10104'
}

function isOwing(balances: Balances): boolean {
  return [...balances.values()].some(({ available }) => available < 0n)
}

/**
 * True if an approved payout may be sent: its amount has already left the balance, and the balance still covers the
 * merchant's debts.
 */
export function mayStillGo(model: Model, { shop, funding: { currency } }: Payout): boolean {
  const balances = balancesOf(model, shop)
  return !isOwing(balances) && draw(model, balances, { total: 0n, currency, source: currency }) !== undefined
}

/**
 * Returns the funding if the source balance covers the payout and the merchant's debts. The payout is converted at the
 * current rate and rounded up. The debts are negative unsettled money in the source currency, and the debts in all
 * other currencies.
 */
function draw(
  { rates }: Model,
  balances: Balances,
  { total, currency, source }: { readonly total: bigint; readonly currency: string; readonly source: string },
): Funding | undefined {
  const rate = source === currency ? undefined : findRate(rates, currency, source)
  const amount = convertUp(total, currency, source, rate)
  const own = balances.get(source) ?? { available: 0n, unsettled: 0n }
  const others = new Map([...balances].filter(([other]) => other !== source))
  const owed = debtsIn(source, others, rates) + (own.unsettled < 0n ? -own.unsettled : 0n)
  const isCovered = amount <= own.available && amount <= own.available - owed
  return isCovered ? { currency: source, amount, rate } : undefined
}

/** A returned payout credits the amount that arrived, but never more than was sent. The fee is not given back. */
export function returnPayout(payout: Payout, arrived: bigint): void {
  payout.state = 'returned'
  payout.cameBack = least(arrived, payout.amount)
}

/** Returns the state of the payout's order as the number that the gateway stores. */
export function payoutStateOf({ state, expired }: Payout): number {
  if (state === 'succeeded') return 5
  if (state === 'failed' || state === 'returned') return expired ? 7 : 6
  return 1
}

/** The whole balance less about the fee of a payout of this size. Mistakes show near a balance of zero. */
export function nearlyAll(model: Model, shop: Shop, currency: string): bigint {
  const available = availableIn(balancesOf(model, shop), currency)
  const { feeBps, feeFixed } = shop.payoutPlan
  const left = available - feeHalfUp(feeFixed, currency)
  return left - shareHalfUp(left, feeBps)
}
