// A merchant with everything that belongs to it: loaded as a whole, cached for a moment, never changed in memory.
import type { KeyObject } from 'node:crypto'
import type { Method } from '../channels/method.ts'
import type { PayoutMethod } from '../channels/payout/methods.ts'
import type { Route } from '../channels/routing.ts'

/** What a route may be for. */
export type RoutedMethod = Method | PayoutMethod

export type MerchantState = 'pending' | 'active' | 'suspended' | 'closed'

export type Merchant = {
  readonly merNo: number
  readonly name: string
  readonly state: MerchantState
  /** IANA name. Days, dates and limits use this zone. */
  readonly timezone: string
  /** Approved websites only: `host`, `host:port` or `*.host`, in lower-case ASCII. */
  readonly websites: readonly string[]
  /** Requested, and not approved yet. */
  readonly askedWebsites: readonly string[]
  /** The valid keys, newest first: two while one is rotated out. */
  readonly keys: readonly MerchantKey[]
  readonly rsaKey: KeyObject | undefined
  readonly webhookSecret: string
  /** Addresses and CIDR ranges. */
  readonly ips: readonly string[]
  readonly requireRsa: boolean
  readonly requireIp: boolean
  readonly signAnswers: boolean
  readonly notifyReview: boolean
  /** Currency → the currency it settles in. */
  readonly currencies: ReadonlyMap<string, string>
  /** Undefined: every method. */
  readonly methods: ReadonlySet<string> | undefined
  /** Undefined: every brand. */
  readonly cardBrands: ReadonlySet<string> | undefined
  /** By method. '' is the plan for methods without their own; payouts without a plan are free. */
  readonly feePlans: ReadonlyMap<Method | '' | 'payout', FeePlan>
  readonly limits: Limits
  /**
   * The channels that serve a method or a kind of payout. A method that is missing here uses all configured channels equally;
   * payouts use them in the order of the settings.
   */
  readonly routes: ReadonlyMap<RoutedMethod, readonly Route[]>
  /** In US cents. */
  readonly refundCredit: bigint
  /** Refunds wait for an operator's approval. */
  readonly approveRefunds: boolean
  /** A payout above this, in US cents, waits for an operator's approval; undefined: none does. */
  readonly payoutApproval: bigint | undefined
  /** Payments above this, in the method's minor unit, are reviewed; undefined: the method's threshold applies. */
  readonly reviewAbove: bigint | undefined
  /** Address of chargeback notifications if the order names none; '' sends none. */
  readonly chargebackUrl: string
  /** Accent colour of its pages, #rrggbb; undefined: ours. */
  readonly accent: string | undefined
  readonly hasLogo: boolean
}

export type MerchantKey = {
  readonly keyId: string
  readonly key: string
  /** The merchant has signed with it, so we may sign with it too. */
  readonly used: boolean
  /** Set while it is rotated out: the end of its validity. */
  readonly retiresAt: Date | undefined
}

export type FeePlan = {
  readonly feeBps: number
  /** A decimal in the order's currency, such as `0.30`. */
  readonly feeFixed: string
  readonly refundFee: string
  readonly chargebackFee: string
  readonly marginBps: number
  readonly marginDays: number
  readonly settleDays: number
}

/** In US cents; undefined means not configured, which refuses every order. */
export type Limits = {
  readonly single: bigint | undefined
  readonly daily: bigint | undefined
  readonly monthly: bigint | undefined
}

/** Whether a merchant in this state may do this. */
export function mayDo(state: MerchantState, what: 'pay' | 'refund' | 'query'): boolean {
  if (state === 'active') return true
  if (state === 'suspended') return what !== 'pay'
  return state === 'closed' && what === 'query'
}

/** The key that we sign with: the newest one if the merchant has used it, else the one that is rotated out. */
export function signingKey(merchant: Merchant): MerchantKey | undefined {
  const [newest, older] = merchant.keys
  return newest === undefined || newest.used || older === undefined ? newest : older
}

export function feePlanOf(merchant: Merchant, method: Method): FeePlan | undefined {
  return merchant.feePlans.get(method) ?? merchant.feePlans.get('')
}
