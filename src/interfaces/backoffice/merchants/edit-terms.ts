// What an edit of terms means in money: the fees of an order of 100.00 before and after it.
import { formatAmount, parseDecimal, shareHalfUp } from '../../base/money.ts'
import { methodNames } from '../../channels/method.ts'
import type { DescribedMerchant } from '../../merchants/describe-merchant.ts'

export type FeeChange = {
  readonly method: string
  readonly currency: string
  readonly before: string
  readonly after: string
}

type Terms = {
  readonly feePlans: readonly Pick<DescribedMerchant['feePlans'][number], 'feeBps' | 'feeFixed' | 'method'>[]
  readonly currencies: DescribedMerchant['currencies']
}

const SAMPLE = '100.00'

/** Only the methods whose fees change; one currency is enough to show it. */
export function feeChanges(before: Terms, after: Terms): FeeChange[] {
  const currency = Object.keys(after.currencies).includes('USD') ? 'USD' : Object.keys(after.currencies)[0]
  if (currency === undefined) return []
  return [...methodNames(), 'payout'].flatMap((method) => {
    const [then, now] = [before, after].map((terms) => feeOf(terms, method, currency))
    if (then === undefined || now === undefined || then === now) return []
    return [{ method, currency, before: then, after: now }]
  })
}

/** Payouts without a plan are free. */
function feeOf({ feePlans }: Terms, method: string, currency: string): string | undefined {
  const own = feePlans.find((plan) => plan.method === method)
  const plan = own ?? (method === 'payout' ? undefined : feePlans.find((one) => one.method === 'all'))
  if (plan === undefined) return method === 'payout' ? formatAmount(0n, currency) : undefined
  const amount = parseDecimal(SAMPLE, currency)
  const fixed = parseDecimal(plan.feeFixed, currency)
  if (amount === undefined || fixed === undefined) return undefined
  return formatAmount(shareHalfUp(amount, plan.feeBps) + fixed, currency)
}
