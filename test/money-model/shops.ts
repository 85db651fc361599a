// The merchants of the model: together they cover all differences in terms, time zones and currencies.
import type { FeePlan, Merchant } from '../../src/merchants/merchant.ts'
import { aMerchant } from '../merchant-frame.ts'

export type Shop = {
  readonly merchant: Merchant
  /** Whether it has chargebacks: a merchant without them may never be below zero. */
  readonly disputed: boolean
}

export const currencies = ['USD', 'EUR', 'JPY', 'KWD', 'VND'] as const

const free: FeePlan = {
  feeBps: 0,
  feeFixed: '0.00',
  refundFee: '0.00',
  chargebackFee: '0.00',
  marginBps: 0,
  marginDays: 180,
  settleDays: 1,
}

function settlingIn(currency: string | undefined): ReadonlyMap<string, string> {
  return new Map(currencies.map((own) => [own, currency ?? own]))
}

type Terms = Partial<Merchant> & { readonly plan?: Partial<FeePlan>; readonly payouts?: Partial<FeePlan> }

function shop(merNo: number, disputed: boolean, { plan, payouts, ...changes }: Terms): Shop {
  const most = 10n ** 12n
  const feePlans = new Map([
    ['' as const, { ...free, ...plan }],
    ['payout' as const, { ...free, ...payouts }],
  ])
  const limits = { single: most, daily: most, monthly: most }
  return { disputed, merchant: aMerchant({ merNo, feePlans, limits, ...changes }) }
}

export const shops: readonly Shop[] = [
  // No fees and no conversion: every amount must be exactly where it is expected.
  shop(61_000_001, false, { currencies: settlingIn(undefined) }),
  shop(61_000_002, true, {
    timezone: 'America/New_York',
    currencies: settlingIn('USD'),
    plan: {
      feeBps: 290,
      feeFixed: '0.30',
      refundFee: '0.25',
      chargebackFee: '15.00',
      ...margin(1_000, 5, 2),
    },
    payouts: { feeFixed: '1.00' },
  }),
  shop(61_000_003, true, {
    timezone: 'Asia/Tokyo',
    currencies: settlingIn('EUR'),
    refundCredit: 50_000n,
    plan: { feeBps: 175, chargebackFee: '7.77', ...margin(333, 3, 0) },
    payouts: { feeBps: 50, feeFixed: '0.35' },
  }),
  // The margin is released before the rest is settled, the fixed fee may exceed the payment, and an operator approves.
  shop(61_000_004, true, {
    timezone: 'America/Sao_Paulo',
    currencies: settlingIn(undefined),
    refundCredit: 2_000n,
    approveRefunds: true,
    payoutApproval: 5_000n,
    plan: { feeFixed: '3.50', refundFee: '0.99', chargebackFee: '25.00', ...margin(2_000, 1, 4) },
  }),
  shop(61_000_005, false, {
    timezone: 'Asia/Kathmandu',
    currencies: settlingIn('USD'),
    limits: { single: 10n ** 12n, daily: 300_000n, monthly: 10n ** 12n },
    refundCredit: 10_000n,
    plan: { feeBps: 87, feeFixed: '0.10', refundFee: '0.05', ...margin(777, 4, 1) },
    payouts: { feeBps: 13 },
  }),
  // Most of its payments cost more than they bring: their settlement has to wait for the others.
  shop(61_000_006, false, {
    timezone: 'Europe/Berlin',
    currencies: settlingIn(undefined),
    refundCredit: 50_000n,
    plan: { feeFixed: '75.00' },
  }),
]

function margin(marginBps: number, marginDays: number, settleDays: number) {
  return { marginBps, marginDays, settleDays }
}
