// Everything about a merchant that people may see: all but its secrets.
import { formatAmount } from '../base/money.ts'
import { methods } from '../channels/method.ts'
import type { Merchant } from './merchant.ts'

export type DescribedMerchant = ReturnType<typeof describeMerchant>

export function describeMerchant(merchant: Merchant) {
  const { merNo, name, state, timezone, websites, ips, requireRsa, requireIp } = merchant
  return {
    merNo,
    name,
    state,
    timezone,
    websites: [...websites],
    askedWebsites: [...merchant.askedWebsites],
    currencies: Object.fromEntries(merchant.currencies),
    methods: merchant.methods === undefined ? ('all' as const) : [...merchant.methods],
    cardBrands: merchant.cardBrands === undefined ? ('all' as const) : [...merchant.cardBrands],
    feePlans: [...merchant.feePlans].map(([method, plan]) => ({ method: method || 'all', ...plan })),
    routes: [...merchant.routes].flatMap(([method, routes]) => routes.map((route) => ({ method, ...route }))),
    limits: {
      single: dollars(merchant.limits.single),
      daily: dollars(merchant.limits.daily),
      monthly: dollars(merchant.limits.monthly),
    },
    refundCredit: dollars(merchant.refundCredit),
    approveRefunds: merchant.approveRefunds,
    payoutApproval: dollars(merchant.payoutApproval),
    // Without its own threshold the platform's applies.
    reviewAbove:
      merchant.reviewAbove === undefined
        ? (methods.sepa.reviewAbove ?? null)
        : formatAmount(merchant.reviewAbove, 'EUR'),
    chargebackUrl: merchant.chargebackUrl,
    accent: merchant.accent ?? null,
    logo: merchant.hasLogo,
    keys: merchant.keys.map(({ keyId, used, retiresAt }) => {
      return { keyId, used, retiresAt: retiresAt?.toISOString() ?? null }
    }),
    rsaKey: merchant.rsaKey !== undefined,
    ips: [...ips],
    requireIp,
    requireRsa,
    signAnswers: merchant.signAnswers,
    notifyReview: merchant.notifyReview,
  }
}

function dollars(cents: bigint | undefined): string | null {
  return cents === undefined ? null : formatAmount(cents, 'USD')
}
