// Reads the forms that edit the terms of a merchant or of a named fee plan. Also computes the fees of an order of
// 100.00 before and after the edit.
import type { DescribedMerchant } from '../../../money/merchants/describe-merchant.ts'
import { type MerchantOptions, type OptionTexts, readOptions } from '../../../money/merchants/options.ts'
import { feesOf } from '../../../money/orders/fees.ts'
import { formatAmount, parseDecimal } from '../../../platform/base/money.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { type DomainText, domainText, type FieldText } from '../../../platform/errors/page-texts.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import { methodNames } from '../../../rails/methods/methods.ts'

type FeeChange = {
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

export function feeChanges(before: Terms, after: Terms): FeeChange[] {
  const currency = Object.keys(after.currencies).includes('USD') ? 'USD' : Object.keys(after.currencies)[0]
  if (currency === undefined) return []
  return [...methodNames(), 'payout'].flatMap((method) => {
    const [then, now] = [before, after].map((terms) => feeOf(terms, method, currency))
    if (then === undefined || now === undefined || then === now) return []
    return [{ method, currency, before: then, after: now }]
  })
}

/**
 * Returns the fee of an order of 100.00, or undefined if no terms apply to the method. Payouts without terms are free.
 */
function feeOf({ feePlans }: Terms, method: string, currency: string): string | undefined {
  const own = feePlans.find((plan) => plan.method === method)
  const plan = own ?? (method === 'payout' ? undefined : feePlans.find((one) => one.method === 'all'))
  if (plan === undefined) return method === 'payout' ? formatAmount(0n, currency) : undefined
  const amount = parseDecimal(SAMPLE, currency)
  const fixed = parseDecimal(plan.feeFixed, currency)
  if (amount === undefined || fixed === undefined) return undefined
  const { handlingFee, processingFee } = feesOf(amount, { feeBps: plan.feeBps, feeFixed: fixed })
  return formatAmount(handlingFee + processingFee, currency)
}

/** The options as a form sends them, with the logo in base64. */
type SentOptions = Omit<OptionTexts, 'logo'> & { readonly logo?: string | undefined }

/** Reads the options. If an option breaks a rule, the problem is at its field. */
export function optionsAtFields({ logo, ...others }: SentOptions): MerchantOptions {
  const texts: OptionTexts = { ...others, logo: logo === undefined ? undefined : readFile(logo) }
  const problems = Object.entries(texts).flatMap(([name, text]) => {
    const problem = problemOf(name, text)
    return problem === undefined ? [] : [[name, problem] as const]
  })
  if (problems.length > 0)
    throw new Problem('invalid', 'Check the marked fields.', Object.fromEntries(problems))
  return readOptions(texts)
}

function readFile(logo: string): Buffer | 'none' {
  return logo === 'none' ? 'none' : Buffer.from(logo, 'base64')
}

function problemOf(name: string, text: unknown): FieldText | DomainText | undefined {
  try {
    readOptions({ [name]: text })
    return undefined
  } catch (error) {
    if (!(error instanceof OperatorRefusal)) throw error
    if (text === '') return 'Enter a value.'
    // The message begins with the name of a command-line option. People who use the form do not know that name.
    return domainText(error.message.replace(/^--\S+/, 'it'))
  }
}
