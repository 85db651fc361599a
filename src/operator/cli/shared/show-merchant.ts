import { type DescribedMerchant, describeMerchant } from '../../../money/merchants/describe-merchant.ts'
import { loadMerchants } from '../../../money/merchants/load-merchants.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Given, Result, Tools } from '../command.ts'
import { columns } from './print.ts'

export function readMerNo(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new OperatorRefusal(`there is no merchant ${text}`)
}

export function givenMerNo(given: Given, option = 'mer-no'): number | undefined {
  const text = given.text(option)
  return text === undefined ? undefined : readMerNo(text)
}

export async function findMerchant(db: Db, tools: Tools, merNo: number): Promise<Merchant> {
  const found = await loadMerchants(db, await tools.vault(), [merNo], tools.clock.now())
  const merchant = found.get(merNo)
  if (merchant === undefined) throw new OperatorRefusal(`there is no merchant ${merNo}`)
  return merchant
}

export async function showMerchant(tools: Tools, merNo: number): Promise<Result> {
  const json = describeMerchant(await findMerchant(await tools.database(), tools, merNo))
  const currencies = Object.entries(json.currencies).map(([code, settle]) => {
    return code === settle ? code : `${code} (settles in ${settle})`
  })
  const limits = limitsInWords(json.limits)
  const rows = Object.entries({ ...json, currencies, limits }).map(([name, value]) => [name, inWords(value)])
  return { json, text: columns(rows) }
}

type Limits = DescribedMerchant['limits']

/**
 * The limits in words. Without a limit every order is refused, so a missing limit is not shown as "none", which would
 * look like "unlimited".
 */
function limitsInWords(limits: Limits): Record<keyof Limits, string> {
  return {
    single: limits.single ?? missingLimit.single,
    daily: limits.daily ?? missingLimit.daily,
    monthly: limits.monthly ?? missingLimit.monthly,
  }
}

const missingLimit: Record<keyof Limits, string> = {
  single: 'not set (every order is refused with 10020)',
  daily: 'not set (every order is refused with 10021)',
  monthly: 'not set (every order is refused with 10022)',
}

/** Warns of missing limits, because an operator may have meant "unlimited". Returns undefined if all limits are set. */
export function warnOfMissingLimits({
  merNo,
  limits,
}: Pick<Merchant, 'merNo' | 'limits'>): string | undefined {
  const missing = (['single', 'daily', 'monthly'] as const).filter((name) => limits[name] === undefined)
  if (missing.length === 0) return undefined
  const options = missing.map((name) => `--limit-${name}`).join(', ')
  return `Merchant ${merNo} has no ${missing.join(' and no ')} limit. That does not mean unlimited: all its payments and payouts are refused until you set ${options} to an amount.`
}

function inWords(value: unknown): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name} ${inWords(part)}`)
    .join(', ')
}
