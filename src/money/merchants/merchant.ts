// A merchant with its settings, valid keys, plans and routes, but without the image of its logo. A merchant is loaded
// in one statement, cached for a short time, and never changed in memory.
import type { KeyObject } from 'node:crypto'
import type { PayoutMethod } from '../../rails/contract/payout-rail.ts'
import type { Method } from '../../rails/methods/methods.ts'
import type { Route } from '../../rails/routing/routing.ts'
import type { FeePlan } from './terms.ts'

export type RoutedMethod = Method | PayoutMethod

export type MerchantState = 'pending' | 'active' | 'suspended' | 'closed'

export type Merchant = {
  readonly merNo: number
  readonly name: string
  readonly state: MerchantState
  /** The IANA name of the merchant's time zone. Days, dates and limits use this zone. */
  readonly timezone: string
  /** The approved websites: `host`, `host:port` or `*.host`, in lower-case ASCII. */
  readonly websites: readonly string[]
  readonly askedWebsites: readonly string[]
  /** The valid keys, the newest first. There are two keys during a rotation. */
  readonly keys: readonly MerchantKey[]
  readonly rsaKey: KeyObject | undefined
  readonly rsaUse: KeyUse | undefined
  readonly webhookSecret: string
  readonly ips: readonly string[]
  readonly requireRsa: boolean
  readonly requireIp: boolean
  readonly signAnswers: boolean
  readonly notifyReview: boolean
  /** True if notifications of results carry the order's currency and amount. */
  readonly amountsInNotifications: boolean
  /** The settlement currency of each enabled currency. */
  readonly currencies: ReadonlyMap<string, string>
  /** The enabled methods. Undefined means every method. */
  readonly methods: ReadonlySet<string> | undefined
  readonly cardBrands: ReadonlySet<string> | undefined
  /** Fee plans by method. The plan '' applies to methods without their own plan. Payouts without a plan are free. */
  readonly feePlans: ReadonlyMap<Method | '' | 'payout', FeePlan>
  readonly limits: Limits
  /**
   * The channels that serve a method or a kind of payout. A method without routes uses all configured channels equally.
   * A kind of payout without routes uses the configured channels in the order of the settings.
   */
  readonly routes: ReadonlyMap<RoutedMethod, readonly Route[]>
  /** The maximum of the merchant's debts, in US cents, after a refund of an unsettled payment. */
  readonly refundCredit: bigint
  /** True if refunds wait for an operator's approval. */
  readonly approveRefunds: boolean
  /** A payout above this amount in US cents waits for an operator's approval. Undefined if no payout needs approval. */
  readonly payoutApproval: bigint | undefined
  /** The amount in euro cents above which a SEPA payment is reviewed. Undefined for the method's own threshold. */
  readonly reviewAbove: bigint | undefined
  /** The address of chargeback notifications for orders that name no address. '' if these orders get none. */
  readonly chargebackUrl: string
  /** The accent colour of the merchant's pages, as #rrggbb. Undefined for our own colour. */
  readonly accent: string | undefined
  readonly hasLogo: boolean
}

export type KeyUse = {
  readonly keyId: string
  /** The last recorded use of the key. A use is recorded at most once an hour. Undefined if the key was never used. */
  readonly usedAt: Date | undefined
}

export type MerchantKey = KeyUse & {
  readonly key: string
  /** The end of the key's validity. Set only for a key that is being rotated out. */
  readonly retiresAt: Date | undefined
}

/** The limits in US cents. An undefined limit is not configured, and then every order is refused. */
export type Limits = {
  readonly single: bigint | undefined
  readonly daily: bigint | undefined
  readonly monthly: bigint | undefined
}

export function mayDo(state: MerchantState, what: 'pay' | 'refund' | 'query'): boolean {
  if (state === 'active') return true
  if (state === 'suspended') return what !== 'pay'
  return state === 'closed' && what === 'query'
}

/** Returns our signing key: the newest or, during a rotation, the older one until the merchant has used the newest. */
export function signingKey(merchant: Merchant): MerchantKey | undefined {
  const [newest, older] = merchant.keys
  return newest === undefined || newest.usedAt !== undefined || older === undefined ? newest : older
}

export function feePlanOf(merchant: Merchant, method: Method): FeePlan | undefined {
  return merchant.feePlans.get(method) ?? merchant.feePlans.get('')
}
