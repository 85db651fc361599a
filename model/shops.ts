// The merchants of the model. Together they cover the differences in terms, time zones and currencies.
import type { OptionTexts } from '../src/money/merchants/options.ts'
import type { Limits, Plan, Shop } from './rules/facts.ts'
import { everyCurrency } from './rules/money.ts'

export type ShopTerms = Omit<Shop, 'merNo' | 'methodPlans'>

/** A limit in US cents that no sequence reaches. */
export const MOST = 9_000_000_000n

const free: Plan = {
  feeBps: 0,
  feeFixed: '0.00',
  refundFee: '0.00',
  chargebackFee: '0.00',
  marginBps: 0,
  marginDays: 180,
  settleDays: 1,
}

const usual: ShopTerms = {
  timezone: 'UTC',
  plan: free,
  payoutPlan: { feeBps: 0, feeFixed: '0.00' },
  follows: undefined,
  limits: { single: MOST, daily: MOST, monthly: MOST },
  settleCurrency: undefined,
  refundCredit: 0n,
  approvesRefunds: false,
  payoutApproval: undefined,
  ownApproval: { above: undefined, includesInterface: false },
  accountSavedMs: undefined,
  reviewAbove: 15_000n,
}

export const shops: readonly ShopTerms[] = [
  // A merchant with fees and with a margin that is released after the settlement. Everything settles in dollars.
  {
    ...usual,
    timezone: 'America/New_York',
    settleCurrency: 'USD',
    refundCredit: 50_000n,
    plan: {
      ...free,
      feeBps: 290,
      feeFixed: '0.30',
      refundFee: '0.25',
      chargebackFee: '15.00',
      marginBps: 1_000,
      marginDays: 5,
      settleDays: 2,
    },
    payoutPlan: { feeBps: 0, feeFixed: '1.00' },
    reviewAbove: 5_000n,
  },
  // The margin is released before the rest is settled, and the fixed fee may exceed the payment. An operator approves
  // refunds and large payouts.
  {
    ...usual,
    timezone: 'America/Sao_Paulo',
    refundCredit: 2_000n,
    approvesRefunds: true,
    payoutApproval: 5_000n,
    plan: {
      ...free,
      feeFixed: '3.50',
      refundFee: '0.99',
      chargebackFee: '25.00',
      marginBps: 2_000,
      marginDays: 1,
      settleDays: 4,
    },
  },
  // Everything settles in euros, on the day of the payment.
  {
    ...usual,
    timezone: 'Asia/Tokyo',
    settleCurrency: 'EUR',
    refundCredit: 50_000n,
    plan: { ...free, feeBps: 175, chargebackFee: '7.77', marginBps: 333, marginDays: 3, settleDays: 0 },
    payoutPlan: { feeBps: 50, feeFixed: '0.35' },
  },
  // No fees and no conversion: every amount must be exactly where it is expected.
  { ...usual, timezone: 'Asia/Kathmandu', plan: { ...free, settleDays: 0 } },
]

/** The terms as an operator types them. */
export function optionsOf(terms: ShopTerms): OptionTexts {
  const { plan, payoutPlan, settleCurrency, payoutApproval } = terms
  return {
    timezone: terms.timezone,
    currencies: everyCurrency.join(),
    ...(settleCurrency !== undefined && { settleCurrency }),
    ...planOptions(plan),
    payoutFeeBps: String(payoutPlan.feeBps),
    payoutFeeFixed: payoutPlan.feeFixed,
    ...limitOptions(terms.limits),
    refundCredit: inCents(terms.refundCredit),
    approveRefunds: terms.approvesRefunds ? 'on' : 'off',
    ...(payoutApproval !== undefined && { payoutApproval: inCents(payoutApproval) }),
    reviewAbove: inCents(terms.reviewAbove),
  }
}

export function planOptions(plan: Plan): OptionTexts {
  return termTexts(plan)
}

/** The given terms of a plan as an operator types them. */
export function termTexts(terms: Partial<Plan>): OptionTexts {
  return Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)]))
}

export function limitOptions({ single, daily, monthly }: Limits): OptionTexts {
  const textOf = (limit: bigint | undefined) => (limit === undefined ? 'none' : inCents(limit))
  return { limitSingle: textOf(single), limitDaily: textOf(daily), limitMonthly: textOf(monthly) }
}

export function inCents(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}
