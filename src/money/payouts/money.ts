// Pure rules: the fees of a payout, the balance that funds it, and the bookings. Acceptance runs the rules on locked
// balances. A preview runs the rules on balances that are not locked.
//
// Amount and fee leave the available balance at acceptance and are in flight. Success books both sums out. Failure
// books both sums back. Money that comes back after a success is given back without the fee, at the payout's own rate.
// The part that did not come back is booked as the cost of the return, which the merchant bears. Each booking has a
// name, and the ledger books each name only once per payout.
import { convertDown, convertUp, decimalHalfUp, type Money } from '../../platform/base/money.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import {
  AVAILABLE,
  channelAccount,
  EXCHANGE,
  FEES,
  PAYOUTS_IN_FLIGHT,
  RETURN_COSTS,
} from '../ledger/account.ts'
import { type AllBalances, debtsIn } from '../ledger/lock-balances.ts'
import type { Entry } from '../ledger/post-entries.ts'
import type { FeePlan } from '../merchants/terms.ts'
import { type FeeTerms, feesOf } from '../orders/fees.ts'
import type { Rates } from '../rates/rates.ts'
import type { Funding, NewPayout } from './payout.ts'

/** Returns the fee terms of payouts, which have their own fee plan. Without a plan, payouts are free. */
export function feeTermsOf(plan: FeePlan | undefined, currency: string): FeeTerms {
  if (plan === undefined) return { feeBps: 0, feeFixed: 0n }
  return { feeBps: plan.feeBps, feeFixed: decimalHalfUp(plan.feeFixed, currency) ?? 0n }
}

export function feeOf({ money, terms }: Pick<NewPayout, 'money' | 'terms'>): bigint {
  const { handlingFee, processingFee } = feesOf(money.amount, terms)
  return handlingFee + processingFee
}

type Assigned = {
  readonly funded: ReadonlyMap<NewPayout, Funding>
  readonly refused: ReadonlyMap<NewPayout, Refusal>
}

/**
 * Assigns balances to the payouts in the order of the list. If any available balance is below zero, all payouts are
 * refused.
 */
export function assignFunds(
  payouts: readonly NewPayout[],
  balances: AllBalances,
  rates: Pick<Rates, 'find'>,
): Assigned {
  const funded = new Map<NewPayout, Funding>()
  const refused = new Map<NewPayout, Refusal>()
  if (isOwing(balances))
    return { funded, refused: new Map(payouts.map((payout) => [payout, new Refusal('10104')])) }
  const taken = new Map<string, bigint>()
  const available = (currency: string) => balances.available(currency) - (taken.get(currency) ?? 0n)
  const funds = { ...balances, available }
  for (const payout of payouts) {
    const { amount, currency } = payout.money
    const total = { amount: amount + feeOf(payout), currency }
    const funding = fund(total, payout.terms.settleCurrency, funds, rates)
    if (funding instanceof Refusal) refused.set(payout, funding)
    else {
      funded.set(payout, funding)
      taken.set(funding.currency, (taken.get(funding.currency) ?? 0n) + funding.amount)
    }
  }
  return { funded, refused }
}

function isOwing({ currencies, available }: AllBalances): boolean {
  return currencies.some((currency) => available(currency) < 0n)
}

/**
 * Checks a payout whose money is in flight. Returns a refusal if the payout could no longer be accepted, because an
 * available balance is below zero or the remaining balance does not cover the debts.
 */
export function refusalOfFunded(
  { currency }: Funding,
  balances: AllBalances,
  rates: Pick<Rates, 'find'>,
): Refusal | undefined {
  if (isOwing(balances)) return new Refusal('10104')
  const drawn = draw({ amount: 0n, currency }, currency, balances, rates)
  return drawn instanceof Refusal ? drawn : undefined
}

/**
 * Chooses a balance that covers the whole payout: the balance in the payout's currency, or else in the settlement
 * currency, or else the first sufficient balance by currency code. Converts at the current rate and rounds up, so that
 * many small payouts cost no less than one large payout.
 */
function fund(
  total: Money,
  settleCurrency: string,
  funds: AllBalances,
  rates: Pick<Rates, 'find'>,
): Funding | Refusal {
  const own = draw(total, total.currency, funds, rates)
  if (!(own instanceof Refusal)) return own
  const settled = draw(total, settleCurrency, funds, rates)
  if (!(settled instanceof Refusal)) return settled
  for (const currency of funds.currencies) {
    const drawn = draw(total, currency, funds, rates)
    if (!(drawn instanceof Refusal)) return drawn
  }
  return settled
}

/** Takes the whole sum from one balance, if the rest of the balance covers the merchant's debts. */
function draw(
  total: Money,
  currency: string,
  funds: AllBalances,
  rates: Pick<Rates, 'find'>,
): Funding | Refusal {
  const isOwn = currency === total.currency
  const rate = isOwn ? undefined : rates.find(total.currency, currency)
  if (rate === undefined && !isOwn) return new Refusal('10014', `${total.currency} to ${currency}`)
  const amount = rate === undefined ? total.amount : convertUp(total, currency, rate).amount
  if (funds.available(currency) < amount) return new Refusal('10104')
  const owed = owedIn(currency, funds, rates)
  if (owed instanceof Refusal) return owed
  return funds.available(currency) - owed < amount ? new Refusal('10104') : { amount, currency, rate }
}

/**
 * Returns the sum that must stay in the funding balance: the debts in all other currencies, plus the amount by which
 * the unsettled balance in this currency is below zero. Returns a refusal if there is no exchange rate for a debt, so
 * that its value is unknown.
 */
function owedIn(currency: string, funds: AllBalances, rates: Pick<Rates, 'find'>): bigint | Refusal {
  const others = { ...funds, currencies: funds.currencies.filter((one) => one !== currency) }
  const debts = debtsIn(currency, others, rates)
  if (typeof debts !== 'bigint') return new Refusal('10014', `${debts.noRateFrom} to ${currency}`)
  const unsettled = funds.unsettled(currency)
  return debts + (unsettled < 0n ? -unsettled : 0n)
}

type Booked = {
  readonly merNo: number
  readonly tradeNo: string
  readonly money: Money
  readonly fee: bigint
  readonly funding: Funding
  readonly rail: string
}

export function takenEntries(payout: Booked, at: Date): Entry[] {
  const { funding, total, entry } = bookOf(payout, at)
  if (funding.rate === undefined) return [entry('payout', AVAILABLE, PAYOUTS_IN_FLIGHT, total)]
  return [
    entry('payout:sold', AVAILABLE, EXCHANGE, funding),
    entry('payout', EXCHANGE, PAYOUTS_IN_FLIGHT, total),
  ]
}

export function sentEntries(payout: Booked, at: Date): Entry[] {
  const { entry } = bookOf(payout, at)
  const { currency } = payout.money
  return [
    entry('payout:sent', PAYOUTS_IN_FLIGHT, channelAccount(payout.rail), payout.money),
    entry('payout:fee', PAYOUTS_IN_FLIGHT, FEES, { amount: payout.fee, currency }, 'payout:sent'),
  ]
}

export function returnedEntries(payout: Booked, at: Date): Entry[] {
  const { funding, total, entry } = bookOf(payout, at)
  if (funding.rate === undefined) return [entry('payout:returned', PAYOUTS_IN_FLIGHT, AVAILABLE, total)]
  return [
    entry('payout:returned', PAYOUTS_IN_FLIGHT, EXCHANGE, total),
    entry('payout:bought-back', EXCHANGE, AVAILABLE, funding),
  ]
}

/**
 * Returns the entries of a payout whose money came back. The rail owes us the amount again, except the part that the
 * rail or an intermediary bank kept. The merchant bears the kept part. The credit to the merchant is rounded down.
 */
export function cameBackEntries(payout: Booked, credited: bigint, at: Date): Entry[] {
  const { funding, entry } = bookOf(payout, at)
  const { money } = payout
  const { currency, rate } = funding
  const rail = channelAccount(payout.rail)
  const cost = { amount: money.amount - credited, currency: money.currency }
  const booking = 'payout:came-back'
  const home = rate === undefined ? AVAILABLE : EXCHANGE
  const back = [
    entry(booking, rail, home, money),
    entry('return-cost', home, RETURN_COSTS, cost, booking),
    entry('return-kept', RETURN_COSTS, rail, cost, booking),
  ]
  if (rate === undefined) return back
  const worth = (amount: bigint) => convertDown({ ...money, amount }, currency, rate).amount
  const bought = { amount: worth(money.amount), currency }
  const sold = { amount: bought.amount - worth(credited), currency }
  return [
    ...back,
    entry(`${booking}:bought`, EXCHANGE, AVAILABLE, bought),
    entry('return-cost:sold', AVAILABLE, EXCHANGE, sold, `${booking}:bought`),
  ]
}

function bookOf({ merNo, tradeNo: subject, money, fee, funding }: Booked, at: Date) {
  const total = { amount: money.amount + fee, currency: money.currency }
  const entry = (
    step: string,
    debit: string,
    credit: string,
    { amount, currency }: Money,
    booking = step,
  ): Entry => ({ merNo, subject, booking, step, debit, credit, money: { amount, currency }, at })
  return { funding, total, entry }
}
