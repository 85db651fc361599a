// Applies an operator's options to a merchant. An option that was not given does not change.

import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { deleteOtherCurrencies, selectCurrencies, upsertCurrencies } from './currency-sql.ts'
import type { FeePlan } from './merchant.ts'
import type { MerchantOptions } from './options.ts'
import { type MerchantRow, upsertFeePlan } from './sql.ts'

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

/** Unlike `??`, null is a value here. */
function orOld<Value>(given: Value | undefined, old: Value): Value {
  return given === undefined ? old : given
}

type CurrencyOptions = {
  readonly currencies: readonly string[] | undefined
  readonly settleCurrency: string | undefined
}

/** Replaces the list. A currency that stays keeps its settlement currency; a new one settles in itself. */
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

/** The plan for all methods without their own. */
export async function writeFeePlan(
  tx: Tx,
  merNo: number,
  before: FeePlan,
  options: MerchantOptions,
): Promise<void> {
  await upsertFeePlan(tx, merNo, '', applyPlanOptions(before, options))
}

export type PlanOptions = Pick<MerchantOptions, keyof FeePlan>

/** The options that are terms of a fee plan. */
export const termNames = [
  'feeBps',
  'feeFixed',
  'refundFee',
  'chargebackFee',
  'marginBps',
  'marginDays',
  'settleDays',
  'payoutFeeBps',
  'payoutFeeFixed',
] as const satisfies readonly (keyof MerchantOptions)[]

export function applyPlanOptions(before: FeePlan, options: PlanOptions): FeePlan {
  return {
    feeBps: options.feeBps ?? before.feeBps,
    feeFixed: options.feeFixed ?? before.feeFixed,
    refundFee: options.refundFee ?? before.refundFee,
    chargebackFee: options.chargebackFee ?? before.chargebackFee,
    marginBps: options.marginBps ?? before.marginBps,
    marginDays: options.marginDays ?? before.marginDays,
    settleDays: options.settleDays ?? before.settleDays,
  }
}

/** Without a payout plan, payouts are free. */
export async function writePayoutPlan(
  tx: Tx,
  merNo: number,
  before: FeePlan | undefined,
  { payoutFeeBps, payoutFeeFixed }: MerchantOptions,
): Promise<void> {
  if (payoutFeeBps === undefined && payoutFeeFixed === undefined) return
  await upsertFeePlan(tx, merNo, 'payout', {
    ...NO_PLAN,
    feeBps: payoutFeeBps ?? before?.feeBps ?? 0,
    feeFixed: payoutFeeFixed ?? before?.feeFixed ?? '0.00',
  })
}

const NO_PLAN = { refundFee: '0.00', chargebackFee: '0.00', marginBps: 0, marginDays: 0, settleDays: 0 }
