// A merchant as the rest of the service sees it: read whole, held for a moment, never changed in memory.
import type { KeyObject } from 'node:crypto'
import type { Method } from '../channels/method.ts'
import type { Route } from '../channels/routing.ts'

export type MerchantState = 'pending' | 'active' | 'suspended' | 'closed'

export type Merchant = {
  readonly merNo: number
  readonly name: string
  readonly state: MerchantState
  /** IANA name; days, dates and limits are counted in it. */
  readonly timezone: string
  /** Approved websites only: `host`, `host:port` or `*.host`, in lower-case ASCII. */
  readonly websites: readonly string[]
  /** Asked for, and not approved yet. */
  readonly askedWebsites: readonly string[]
  /** Keys that count now, the newest first; two while one is rotated out. */
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
  /** By method; '' is the plan of every method without one of its own. Payouts without one cost nothing. */
  readonly feePlans: ReadonlyMap<Method | '' | 'payout', FeePlan>
  readonly limits: Limits
  /** Which channels serve a method; one that is not here uses all that are set up, alike. */
  readonly routes: ReadonlyMap<Method, readonly Route[]>
  /** In US cents. */
  readonly refundCredit: bigint
  /** Its refunds wait for an operator's word. */
  readonly approveRefunds: boolean
  /** Above this, in US cents, a payout waits for an operator's word; undefined: none does. */
  readonly payoutApproval: bigint | undefined
  /** Above this, in the method's own minor unit, its payments are reviewed; undefined: as the method says. */
  readonly reviewAbove: bigint | undefined
  /** Where chargebacks are told when the order names no address of its own; '' for nowhere. */
  readonly chargebackUrl: string
  /** Of its pages, #rrggbb; undefined: ours. */
  readonly accent: string | undefined
  readonly hasLogo: boolean
}

export type MerchantKey = {
  readonly keyId: string
  readonly key: string
  /** The merchant has signed with it: from then on we sign with it too. */
  readonly used: boolean
  /** Set while it is rotated out: until when it counts. */
  readonly retiresAt: Date | undefined
}

export type FeePlan = {
  readonly feeBps: number
  /** Decimals of the order's currency, for example `0.30`. */
  readonly feeFixed: string
  readonly refundFee: string
  readonly chargebackFee: string
  readonly marginBps: number
  readonly marginDays: number
  readonly settleDays: number
}

/** In US cents; undefined means not configured, and then nothing passes. */
export type Limits = {
  readonly single: bigint | undefined
  readonly daily: bigint | undefined
  readonly monthly: bigint | undefined
}

/** What a merchant in this state may still do. */
export function mayDo(state: MerchantState, what: 'pay' | 'refund' | 'query'): boolean {
  if (state === 'active') return true
  if (state === 'suspended') return what !== 'pay'
  return state === 'closed' && what === 'query'
}

/** The key that we sign with: the newest once it was used, else the one being rotated out. */
export function signingKey(merchant: Merchant): MerchantKey | undefined {
  const [newest, older] = merchant.keys
  return newest === undefined || newest.used || older === undefined ? newest : older
}

export function feePlanOf(merchant: Merchant, method: Method): FeePlan | undefined {
  return merchant.feePlans.get(method) ?? merchant.feePlans.get('')
}
