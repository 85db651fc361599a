// Describes a merchant completely, except for its secrets.
import { formatAmount } from '../../platform/base/money.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { methods } from '../../rails/methods/methods.ts'
import { loadMerchants } from './load-merchants.ts'
import { logoFingerprint } from './logo.ts'
import type { Merchant } from './merchant.ts'
import { selectPlanOf } from './plan-sql.ts'
import { lockMerchant } from './sql.ts'

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
    // If the merchant has no threshold of its own, the threshold of the method SEPA applies.
    reviewAbove:
      merchant.reviewAbove === undefined
        ? (methods.sepa.reviewAbove ?? null)
        : formatAmount(merchant.reviewAbove, 'EUR'),
    chargebackUrl: merchant.chargebackUrl,
    accent: merchant.accent ?? null,
    logo: merchant.hasLogo,
    keys: merchant.keys.map(({ keyId, usedAt, retiresAt }) => {
      return { keyId, used: usedAt !== undefined, retiresAt: retiresAt?.toISOString() ?? null }
    }),
    rsaKey: merchant.rsaKey !== undefined,
    ips: [...ips],
    requireIp,
    requireRsa,
    signAnswers: merchant.signAnswers,
    notifyReview: merchant.notifyReview,
    amountsInNotifications: merchant.amountsInNotifications,
  }
}

function dollars(cents: bigint | undefined): string | null {
  return cents === undefined ? null : formatAmount(cents, 'USD')
}

/** The description of a locked merchant. `logo` is a fingerprint, so that a replaced logo shows as a difference. */
export type LookedAtMerchant = Omit<DescribedMerchant, 'logo'> & {
  readonly logo: string | null
  readonly feePlan: string | null
}

/** Locks the merchant and describes it. Until the transaction ends, only this transaction can change the merchant. */
export async function lookAtMerchant(
  tx: Tx,
  vault: Vault,
  merNo: number,
  now: Date,
): Promise<LookedAtMerchant> {
  await lockMerchant(tx, merNo)
  const merchant = (await loadMerchants(tx, vault, [merNo], now)).get(merNo)
  if (merchant === undefined) throw new OperatorRefusal(`there is no merchant ${merNo}`)
  return {
    ...describeMerchant(merchant),
    logo: await logoFingerprint(tx, merNo),
    feePlan: (await selectPlanOf(tx, merNo)) ?? null,
  }
}
