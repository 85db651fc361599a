// Checks the fields of a new link. A link from which no order could be made is refused here, and not when a payer opens
// it.
import type { Static } from 'typebox'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import type { NewLink } from '../../../money/payment-links/make-link.ts'
import { payableAt } from '../../../money/payments/hosted/prepare-hosted.ts'
import { isCurrency } from '../../../platform/base/currency.ts'
import { addDays, startOfDay } from '../../../platform/base/local-day.ts'
import { parseAmount, parseDecimal, wireAmount } from '../../../platform/base/money.ts'
import { type DomainText, domainText, type FieldText } from '../../../platform/errors/page-texts.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { MayReach } from '../../../platform/http/client/address-guard.ts'
import { languages } from '../../../platform/pages/language.ts'
import { isMethod, type Method, methodNames } from '../../../rails/methods/methods.ts'
import { ANY_BROWSER } from '../../../rails/methods/terminal.ts'
import type { Channels } from '../../../rails/routing/routing.ts'
import { rules } from '../../merchant-api/fields/rules.ts'
import type { linksApi } from './api.ts'

type Entered = Static<(typeof linksApi)['POST /links']['body']>

export type ReadLinkDeps = { readonly channels: Channels; readonly mayNotify: MayReach }

export function payableMethods(
  { channels }: Pick<ReadLinkDeps, 'channels'>,
  merchant: Merchant,
  currency: string,
): Method[] {
  const circumstances = { currency, terminals: ANY_BROWSER }
  return methodNames().filter((method) => payableAt(channels, merchant, method, circumstances).length > 0)
}

export function readLink(
  deps: ReadLinkDeps,
  merchant: Merchant,
  entered: Entered,
  now: Date,
): Omit<NewLink, 'merNo' | 'createdBy' | 'createdAt'> {
  const { title, currency, uses, reference, language, notifyUrl } = entered
  if (!isCurrency(currency) || !merchant.currencies.has(currency))
    throw at('currency', 'Choose one of your currencies.')
  const isFixed = entered.amount !== undefined
  const [amount, least, most] = [
    readAmount('amount', entered.amount, currency),
    readAmount('least', isFixed ? undefined : entered.least, currency),
    readAmount('most', isFixed ? undefined : entered.most, currency),
  ]
  if (least !== undefined && most !== undefined && least > most)
    throw at('most', 'Enter an amount that is not below the smallest one.')
  if (language !== '' && !languages.some((one) => one === language))
    throw at('language', 'Choose one of the languages.')
  return {
    title: title.trim(),
    currency,
    amount,
    least,
    most,
    method: readMethod(deps, merchant, entered),
    uses,
    expiresAt: readExpiry(entered.lastDay, merchant.timezone, now),
    language,
    reference: reference.trim(),
    notifyUrl: readUrl(notifyUrl.trim(), deps.mayNotify),
  }
}

function at(field: string, advice: FieldText | DomainText): Problem {
  return new Problem('invalid', 'Check the marked fields.', { [field]: advice })
}

function readAmount(field: string, text: string | undefined, currency: string): bigint | undefined {
  if (text === undefined || (field !== 'amount' && text.trim() === '')) return undefined
  const amount = parseDecimal(text.trim(), currency)
  // The amount must also be valid on the merchant interface, because the link's orders have this amount.
  if (amount === undefined || parseAmount(wireAmount({ amount, currency }), currency) !== amount)
    throw at(field, `Enter an amount in ${currency}, such as 12.00.`)
  return amount
}

function readMethod(
  deps: ReadLinkDeps,
  merchant: Merchant,
  { method, currency }: Entered,
): Method | undefined {
  const payable = payableMethods(deps, merchant, currency)
  if (payable.length === 0) throw at('currency', `None of your ways to pay takes ${currency}.`)
  if (method === undefined || method === '') return undefined
  if (!isMethod(method) || !payable.includes(method))
    throw at('method', `Choose a way to pay that takes ${currency}.`)
  return method
}

function readExpiry(lastDay: string | undefined, timezone: string, now: Date): Date | undefined {
  if (lastDay === undefined || lastDay === '') return undefined
  const isDay = !Number.isNaN(Date.parse(lastDay)) && addDays(lastDay, 0) === lastDay
  const expiresAt = isDay ? startOfDay(addDays(lastDay, 1), timezone) : undefined
  if (expiresAt === undefined || expiresAt <= now) throw at('lastDay', 'Choose today or a later day.')
  return expiresAt
}

function readUrl(url: string, mayNotify: MayReach): string {
  const broken = url === '' ? undefined : rules.notifyUrl(url, { mayNotify, currency: '' })
  if (broken !== undefined) throw at('notifyUrl', domainText(`this ${broken}`))
  return url
}
