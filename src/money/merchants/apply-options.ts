// Applies options to a merchant. An option that is not given leaves the merchant's value unchanged.

import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { MerchantOptions, TermOptions } from './options.ts'
import {
  deleteOtherCurrencies,
  type MerchantRow,
  selectCurrencies,
  upsertCurrencies,
  upsertFeePlan,
} from './sql.ts'
import { type FeePlan, freePlan, perTerm } from './terms.ts'

export function applyOptions(row: MerchantRow, options: MerchantOptions): MerchantRow {
  return {
    ...row,
    name: options.name ?? row.name,
    timezone: options.timezone ?? row.timezone,
    methods: orOld(options.methods, row.methods),
    card_brands: orOld(options.cardBrands, row.card_brands),
    require_rsa: options.requireRsa ?? row.require_rsa,
    require_ip: options.requireIp ?? row.require_ip,
    sign_answers: options.signAnswers ?? row.sign_answers,
    notify_review: options.notifyReview ?? row.notify_review,
    amounts_in_notifications: options.amountsInNotifications ?? row.amounts_in_notifications,
    ips: options.ips ?? row.ips,
    limit_single: orOld(options.limitSingle, row.limit_single),
    limit_daily: orOld(options.limitDaily, row.limit_daily),
    limit_monthly: orOld(options.limitMonthly, row.limit_monthly),
    refund_credit: options.refundCredit ?? row.refund_credit,
    approve_refunds: options.approveRefunds ?? row.approve_refunds,
    payout_approval: orOld(options.payoutApproval, row.payout_approval),
    chargeback_url: options.chargebackUrl ?? row.chargeback_url,
    review_above: orOld(options.reviewAbove, row.review_above),
    accent: orOld(options.accent, row.accent),
  }
}

/** Returns the given value, or the old one if `given` is undefined. Null counts as a given value, unlike with `??`. */
function orOld<Value>(given: Value | undefined, old: Value): Value {
  return given === undefined ? old : given
}

type CurrencyOptions = {
  readonly currencies: readonly string[] | undefined
  readonly settleCurrency: string | undefined
}

/**
 * Replaces the merchant's currencies. If no settlement currency is given, a currency that stays keeps its settlement
 * currency, and a new currency settles in itself.
 */
export async function writeCurrencies(tx: Tx, merNo: number, options: CurrencyOptions): Promise<void> {
  const before = await selectCurrencies(tx, merNo)
  const currencies = [...new Set(options.currencies ?? before.keys())]
  if (currencies.length === 0)
    throw new OperatorRefusal('a merchant needs at least one currency', 'currencies')
  await deleteOtherCurrencies(tx, merNo, currencies)
  const settlesIn = (currency: string) => options.settleCurrency ?? before.get(currency) ?? currency
  const settled = currencies.map((currency) => ({ currency, settleCurrency: settlesIn(currency) }))
  await upsertCurrencies(tx, merNo, settled)
}

/** Writes the plan for all methods that have no plan of their own. */
export async function writeFeePlan(
  tx: Tx,
  merNo: number,
  before: FeePlan,
  options: MerchantOptions,
): Promise<void> {
  await upsertFeePlan(tx, merNo, '', applyTerms(before, options))
}

export function applyTerms(before: FeePlan, options: TermOptions): FeePlan {
  return perTerm((name) => options[name] ?? before[name])
}

/** Writes the payout terms that are given. If a merchant has no payout plan, its payouts are free. */
export async function writePayoutPlan(
  tx: Tx,
  merNo: number,
  before: FeePlan | undefined,
  { payoutFeeBps, payoutFeeFixed }: MerchantOptions,
): Promise<void> {
  if (payoutFeeBps === undefined && payoutFeeFixed === undefined) return
  await upsertFeePlan(tx, merNo, 'payout', {
    ...freePlan,
    feeBps: payoutFeeBps ?? before?.feeBps ?? 0,
    feeFixed: payoutFeeFixed ?? before?.feeFixed ?? '0.00',
  })
}
