// Which limits an order counts against. A merchant's pay-ins count together; its payouts together, apart from those.
import { Refusal } from '../errors/catalogue.ts'
import type { Limits, Merchant } from '../merchants/merchant.ts'
import type { PlatformLimits } from '../merchants/platform-limits.ts'
import type { LimitTaken } from './new-order.ts'

/** What pay-ins and payouts count under in a merchant's own usage. */
export const PAY_INS = ''
export const PAYOUTS = 'payout'

export function ownLimits(
  { merNo, limits }: Merchant,
  method: typeof PAY_INS | typeof PAYOUTS,
  day: string,
  usdValue: bigint,
): LimitTaken[] {
  const { single, daily, monthly } = configured(limits)
  if (usdValue > single) throw new Refusal('10023')
  return [
    { merNo, method, period: day, most: daily, code: '10024' },
    { merNo, method, period: day.slice(0, 7), most: monthly, code: '10025' },
  ]
}

function configured({ single, daily, monthly }: Limits) {
  if (single === undefined) throw new Refusal('10020')
  if (daily === undefined) throw new Refusal('10021')
  if (monthly === undefined) throw new Refusal('10022')
  return { single, daily, monthly }
}

/**
 * Counted under merchant 0, and only where a limit is set: else this would be one hot row for all. Day and month are
 * counted together, so that what a failure gives back is what was taken.
 */
export function platformLimits(
  limits: PlatformLimits | undefined,
  method: string,
  day: string,
): LimitTaken[] {
  if (limits === undefined) return []
  const { daily = BOUNDLESS, monthly = BOUNDLESS } = limits
  return [
    { merNo: 0, method, period: day, most: daily, code: '10016' },
    { merNo: 0, method, period: day.slice(0, 7), most: monthly, code: '10017' },
  ]
}

const BOUNDLESS = 2n ** 62n
