// The facts of the model: everything that has happened in it. All balances follow from these facts (accounts.ts).
import type { Method } from './methods.ts'
import type { Rate } from './money.ts'
import type { RateTable } from './rates.ts'

export type Model = {
  nowMs: number
  readonly rates: RateTable
  readonly shops: Shop[]
  readonly namedPlans: NamedPlan[]
  /** The platform's own limits for all merchants together, by method or `payout`. A missing method has no limit. */
  readonly platformLimits: Map<string, PlatformLimits>
  readonly orders: Order[]
  readonly links: Link[]
  readonly bulks: Bulk[]
  readonly runs: Run[]
  readonly payouts: Payout[]
  readonly suspense: Suspense[]
  readonly disputes: DisputeReport[]
  readonly statementLines: StatementLine[]
  readonly corrections: Correction[]
  readonly approvals: Approval[]
}

/**
 * Terms for payments. Each order and each attempt keeps the terms with which it began. Fixed fees are decimal texts in
 * the order's currency.
 */
export type Plan = {
  readonly feeBps: number
  readonly feeFixed: string
  readonly refundFee: string
  readonly chargebackFee: string
  readonly marginBps: number
  readonly marginDays: number
  readonly settleDays: number
}

/** The plans of a merchant, or of a named plan that several merchants follow. */
export type Plans = {
  /** The plan for all methods without a plan of their own. */
  plan: Plan
  readonly methodPlans: Map<string, Plan>
  payoutPlan: Pick<Plan, 'feeBps' | 'feeFixed'>
}

export type NamedPlan = Plans & {
  readonly name: string
  /** True if the plan has terms for payouts. */
  hasPayouts: boolean
}

/** Limits in US cents. Without all three limits, a merchant's payments and payouts are refused. */
export type Limits = {
  readonly single: bigint | undefined
  readonly daily: bigint | undefined
  readonly monthly: bigint | undefined
}

/** Limits in US cents; an undefined limit is unlimited. */
export type PlatformLimits = Omit<Limits, 'single'>

export type Shop = Plans & {
  readonly merNo: number
  readonly timezone: string
  /** The name of the plan that the merchant follows; undefined for a merchant with own terms. */
  follows: string | undefined
  limits: Limits
  /** The currency in which all orders settle; undefined if each order settles in its own currency. */
  settleCurrency: string | undefined
  /** The debt in US cents, over all currencies together, up to which refunds are accepted. */
  readonly refundCredit: bigint
  readonly approvesRefunds: boolean
  /** The value in US cents above which an operator approves a payout. */
  readonly payoutApproval: bigint | undefined
  /**
   * `above`: the value in US cents above which one of the merchant's people must approve. `includesInterface`: whether
   * payouts by the merchant's programs need this approval, too.
   */
  ownApproval: { readonly above: bigint | undefined; readonly includesInterface: boolean }
  /** The time when the account for the merchant's payout runs was saved. */
  accountSavedMs: number | undefined
  /** The amount in euro cents above which a SEPA payment is reviewed. */
  readonly reviewAbove: bigint
}

export type Order = {
  readonly shop: Shop
  readonly tradeNo: string
  readonly merOrderNo: string
  /**
   * The method of the latest attempt, or of the attempt that paid. Each method has one channel, with the same name.
   * `checkout`: the payer has not chosen a method on our page yet.
   */
  method: Method | 'checkout'
  readonly currency: string
  readonly price: bigint
  /** For the limits: the value in US cents, and the day in the merchant's time zone, at acceptance. */
  readonly value: bigint
  readonly day: string
  plan: Plan
  settleCurrency: string
  /** True if the order counts against the platform's limits for its method. */
  isPlatformLimited: boolean
  /** The end of the payer's time to begin an attempt on our page; undefined for an order by `/payment`. */
  pageEndsMs: number | undefined
  /** The terms with which each of the payer's attempts began. `attempt` is the state of the latest attempt. */
  readonly tries: Terms[]
  attemptMs: number
  attempt: 'none' | 'pending' | 'unknown' | 'failed' | 'succeeded'
  isReviewed: boolean
  standing: 'open' | 'failed' | 'cancelled' | 'in review' | 'paid'
  review: Review | undefined
  /** The number of the attempt that paid the order. Later money for this attempt is a surplus. */
  paidBy: number | undefined
  /** The payer's transfers for the latest attempt, the earliest first. */
  readonly deposits: Deposit[]
  /** Money that an operator stated as received, by attempt, and that the channel has not reported itself yet. */
  readonly stated: Map<number, bigint>
  /** The money that did not pay the order, as the channel reported or an operator stated it, by `attempt currency`. */
  readonly beyond: Map<string, bigint>
  /** True if the order was paid with late money that an operator accepted. */
  isPaidFromSuspense: boolean
  /** The failed attempts that the channel later reported as charged. */
  readonly chargedLate: number[]
  money: PaidMoney | undefined
  readonly refunds: Refund[]
  readonly chargebacks: Chargeback[]
}

/** The terms that an order or an attempt keeps. */
export type Terms = Pick<Order, 'method' | 'plan' | 'settleCurrency' | 'isPlatformLimited'>

export type Link = {
  readonly shop: Shop
  readonly linkId: string
  readonly currency: string
  readonly method: Method | undefined
  readonly uses: 'one' | 'many'
  readonly endsMs: number | undefined
  isOff: boolean
  /** The orders of the link, sorted by trade number. */
  readonly orders: Order[]
}

/** A review of a payment whose money has arrived. The merchant sees `information`, but not `state`. */
export type Review = {
  information: 'asked' | 'submitted'
  state: 'undecided' | 'returning' | 'approved' | 'rejected'
  /** The number of returns that the channel was asked for. */
  returns: number
  /** True if the channel returned the money. False if an operator returned the money in another way. */
  isByChannel: boolean
  /** True once the payer's bank has sent the returned money back. */
  cameBack: boolean
}

export type Deposit = {
  readonly amount: bigint
  readonly currency: string
  readonly attempt: number
  /** True if an operator stated the money, not the channel. */
  readonly isStated?: boolean
}

/**
 * The money of a paid order, in the order's currency. The amount is always the sum of the fees, the exception fees, the
 * refunds, the chargebacks, and the three parts that still belong to the merchant: `unsettled`, `available` and `held`.
 */
export type PaidMoney = {
  readonly amount: bigint
  readonly paidAtMs: number
  /** The exchange rate at payment; undefined if the order settles in its own currency. */
  readonly rate: Rate | undefined
  readonly fees: bigint
  readonly margin: bigint
  unsettled: bigint
  /** The order's part of the available balance, before its conversion to the settlement currency. */
  available: bigint
  /** The margin that is still withheld. */
  held: bigint
  /** The margin that chargebacks used up. */
  heldDisputed: bigint
  settled: boolean
  released: boolean
}

export type Refund = {
  readonly order: Order
  readonly refundNo: string
  readonly merRefundNo: string | undefined
  readonly amount: bigint
  readonly fee: bigint
  readonly remark: string
  readonly madeAtMs: number
  /** True if the channel will report a success when it is called. */
  readonly given: boolean
  state: 'waiting' | 'calling' | 'pending' | 'unknown' | 'succeeded' | 'failed' | 'returned'
  /** The amount that was credited when the receiving bank returned the refund. */
  cameBack: bigint
}

/** Bulk refunds. The rows are checked first, and their refunds are made later. */
export type Bulk = {
  readonly shop: Shop
  readonly bulkId: string
  readonly rows: BulkRow[]
  state: 'checked' | 'done' | 'cancelled'
}

export type BulkRow = {
  readonly order: Order
  readonly amount: bigint
  /** `refused`: the check refused the row; `failed`: the check accepted the row, and its refund was refused later. */
  state: 'ready' | 'refused' | 'accepted' | 'failed'
}

/** A chargeback or an inquiry. An order lists them by the time at which they were opened. */
export type Chargeback = {
  readonly order: Order
  readonly chargebackId: string
  /** The channel's id of the dispute; undefined while only an operator has recorded the chargeback. */
  disputeRef: string | undefined
  readonly amount: bigint
  readonly currency: string
  readonly fee: bigint
  /** An inquiry is `inquiry` and then `closed`. A chargeback is `open` and then `won` or `lost`. */
  state: 'inquiry' | 'closed' | 'open' | 'won' | 'lost'
  endedMs: number | undefined
}

/** A stage of a dispute that a channel reported. */
export type DisputeReport = {
  readonly order: Order
  readonly disputeRef: string
  readonly attempt: number
  readonly stage: 'inquiry' | 'open' | 'won' | 'lost'
  readonly amount: bigint
  readonly currency: string
  /** The channel's own time of the stage. Reports may arrive in a different order. */
  readonly atMs: number
  /** False until the report is processed, which waits for the outcome of its payment. */
  isTaken: boolean
}

export type Payout = {
  readonly shop: Shop
  readonly tradeNo: string
  readonly rail: string
  readonly currency: string
  readonly amount: bigint
  readonly fee: bigint
  /** For the limits: the value in US cents, and the day in the merchant's time zone, at acceptance. */
  readonly value: bigint
  readonly day: string
  readonly isPlatformLimited: boolean
  /** The sides that must still approve the payout: an operator, one of the merchant's people, or both. */
  awaits: readonly Side[]
  readonly funding: { readonly currency: string; readonly amount: bigint; readonly rate: Rate | undefined }
  state:
    | 'tokenising'
    | 'awaiting_account'
    | 'awaiting_approval'
    | 'sending'
    | 'succeeded'
    | 'failed'
    | 'returned'
  /** True if the beneficiary entered no account in time. The payout's order is then cancelled instead of failed. */
  expired: boolean
  /** The time when the payout was given to the rail. */
  sentMs: number
  cameBack: bigint
}

export type Side = 'platform' | 'merchant'

/** Payouts that a person enters together. */
export type Run = {
  readonly shop: Shop
  readonly runId: string
  readonly by: string
  readonly lines: readonly RunLine[]
}

export type RunLine = {
  readonly currency: string
  readonly amount: bigint
  state: 'waiting' | 'released' | 'made' | 'refused' | 'rejected'
}

/** Money that does not pay an order, held until somebody decides on it. */
export type Suspense = {
  readonly merNo: number
  readonly order: Order | undefined
  /** The number of the attempt that the money was sent for. */
  readonly attempt: number | undefined
  readonly channel: string
  readonly currency: string
  readonly amount: bigint
  readonly why: 'late' | 'short' | 'surplus' | 'unmatched'
  /** `withdrawn`: a corrected statement no longer lists the money, or a reversal took it back. */
  state: 'held' | 'accepted' | 'returned' | 'assigned' | 'withdrawn'
  /**
   * The source of the money. `statement`: a statement listed it, or an operator stated it. `split`: the surplus of
   * accepted money, which is no new money.
   */
  readonly origin: 'channel' | 'statement' | 'split'
  /**
   * The statement line that lists the money under an unknown name. Money that is assigned to an order keeps its line.
   */
  readonly line: StatementLine | undefined
  /** True if an operator assigned the money to its order. */
  readonly isAssigned: boolean
}

/** A payment that a statement of the channel lists. */
export type StatementLine = {
  readonly channel: string
  /** The channel's own id of the payment, if its statements have ids. */
  readonly id: string | undefined
  /**
   * The order and attempt that the line is about. For an unknown payment only `name`, the name in the statement, is
   * set.
   */
  readonly order: Order | undefined
  readonly attempt: number | undefined
  readonly name: string | undefined
  readonly day: string
  readonly currency: string
  readonly amount: bigint
  /** The latest statement that lists the line. */
  statementId: string
  /** False while a corrected statement no longer lists the line. */
  stands: boolean
}

export type Correction = {
  readonly merNo: number
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amount: bigint
}

/** A decision that waits for a second person. */
export type Approval = {
  readonly approvalId: string
  readonly askedAtMs: number
  readonly about:
    | { readonly kind: 'correction'; readonly correction: Correction }
    | { readonly kind: 'run'; readonly run: Run }
  state: 'waiting' | 'approved' | 'rejected'
}
