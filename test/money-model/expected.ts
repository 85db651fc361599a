// What the model expects of an order, and of every account of every merchant.
import {
  AVAILABLE,
  EXCHANGE,
  FEES,
  MARGIN,
  PAYOUTS_IN_FLIGHT,
  REFUNDS_IN_FLIGHT,
  UNSETTLED,
} from '../../src/ledger/account.ts'
import type { FeePlan } from '../../src/merchants/merchant.ts'
import { convert, feesOf, fixedFee, share } from './arithmetic.ts'
import type { OrderRow, PayoutRow } from './rows.ts'
import type { ModelOrder, ModelPayout, ModelRefund, World } from './world.ts'

export function planOf({ shop }: Pick<ModelOrder, 'shop'>, kind: '' | 'payout'): FeePlan {
  const plan = shop.merchant.feePlans.get(kind)
  if (plan === undefined) throw new Error('a shop has both plans')
  return plan
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)

/** What happened to a paid order, according to the model. */
export function storyOf(world: World, order: ModelOrder, refunds: readonly ModelRefund[]) {
  const { amount, currency } = order.payment.money
  const plan = planOf(order, '')
  const kept = refunds.filter(({ standing }) => standing !== 'failed')
  const refunded = sum(kept.map(({ refund }) => refund.money.amount))
  const open = kept.filter(({ standing }) => standing !== 'succeeded')
  const verdicts = order.chargebacks.map(({ id }) => world.verdicts.get(id))
  const standing = order.chargebacks.filter(({ id }) => world.verdicts.get(id) !== 'won')
  const refundFees = fixedFee(plan.refundFee, currency) * BigInt(kept.length)
  const chargebackFees = fixedFee(plan.chargebackFee, currency) * BigInt(order.chargebacks.length)
  return {
    refunded,
    refundsOpen: open.length,
    inFlight: sum(open.map(({ refund }) => refund.money.amount)),
    chargedBack: sum(standing.map((one) => one.amount)),
    fees: feesOf(amount, currency, plan),
    exceptionFees: refundFees + chargebackFees,
    margin: share(amount, plan.marginBps),
    state: stateOf({ verdicts, refunded, amount, open: open.length }),
  }
}

function stateOf(story: {
  verdicts: readonly ('won' | 'lost' | undefined)[]
  refunded: bigint
  amount: bigint
  open: number
}): number {
  if (story.verdicts.includes('lost')) return story.refunded > 0n ? 17 : 11
  if (story.verdicts.includes(undefined)) return 12
  if (story.open > 0) return 10
  return story.refunded === story.amount ? 9 : 5
}

export type Story = ReturnType<typeof storyOf>

/** Every account that is not empty: merchant, account, currency → credits less debits. */
export type Accounts = Map<string, bigint>

function post(accounts: Accounts, merNo: number, account: string, currency: string, amount: bigint): void {
  const key = `${merNo} ${account} ${currency}`
  accounts.set(key, (accounts.get(key) ?? 0n) + amount)
}

/** Only remainder and margin come from the gateway; everything else must follow from them. */
export function addOrder(accounts: Accounts, order: ModelOrder, story: Story, row: OrderRow): void {
  const { merNo, money, terms } = order.payment
  const { amount, currency } = money
  const { settleCurrency } = terms
  const taken = story.fees + story.exceptionFees + story.refunded + story.chargedBack
  const settled = amount - taken - row.remainder - row.marginHeld
  const own = (account: string, part: bigint) => post(accounts, merNo, account, currency, part)
  own('rail:card', story.refunded - story.inFlight + story.chargedBack - amount)
  own(FEES, story.fees + story.exceptionFees)
  own(REFUNDS_IN_FLIGHT, story.inFlight)
  own(UNSETTLED, row.remainder)
  own(MARGIN, row.marginHeld)
  own(settleCurrency === currency ? AVAILABLE : EXCHANGE, settled)
  if (settleCurrency === currency) return
  const worth = convert(settled, currency, settleCurrency, order.rate)
  post(accounts, merNo, AVAILABLE, settleCurrency, worth)
  post(accounts, merNo, EXCHANGE, settleCurrency, -worth)
}

/** The cost of a payout in the currency that it draws on: converted and rounded up. */
export function costsOf({ payout, shop, rates }: ModelPayout, fundingCurrency: string) {
  const { amount, currency } = payout.money
  const fee = feesOf(amount, currency, planOf({ shop }, 'payout'))
  const total = amount + fee
  if (fundingCurrency === currency) return { fee, total, drawn: total }
  const rate = rates.find(currency, fundingCurrency)
  if (rate === undefined) throw new Error(`nothing converts ${currency} to ${fundingCurrency}`)
  return { fee, total, drawn: -convert(-total, currency, fundingCurrency, rate) }
}

export function addPayout(accounts: Accounts, one: ModelPayout, row: PayoutRow): void {
  if (one.standing === 'failed') return
  const { merNo, money, rail } = one.payout
  const { currency } = money
  const { fee, total } = costsOf(one, row.fundingCurrency)
  post(accounts, merNo, AVAILABLE, row.fundingCurrency, -row.fundingAmount)
  if (row.fundingCurrency !== currency) {
    post(accounts, merNo, EXCHANGE, row.fundingCurrency, row.fundingAmount)
    post(accounts, merNo, EXCHANGE, currency, -total)
  }
  if (one.standing === 'succeeded') {
    post(accounts, merNo, `rail:${rail}`, currency, money.amount)
    post(accounts, merNo, FEES, currency, fee)
  } else post(accounts, merNo, PAYOUTS_IN_FLIGHT, currency, total)
}
