// Small texts that come from outside: amounts, rates, languages, addresses.
import { isCurrency } from '../../../src/platform/base/currency.ts'
import {
  decimalHalfUp,
  formatAmount,
  formatRate,
  parseAmount,
  parseDecimal,
  parseRate,
} from '../../../src/platform/base/money.ts'
import { addressList, isAddressRange, isListed, networkOf } from '../../../src/platform/http/addresses.ts'
import { reachOfHost } from '../../../src/platform/http/client/public-address.ts'
import { chooseLanguage } from '../../../src/platform/pages/language.ts'
import type { Target } from '../../input.ts'
import { parserTarget } from './parser-target.ts'

export async function openValues(): Promise<Target> {
  return parserTarget({
    name: 'values',
    seeds: [
      { amount: '12.34', currency: 'USD', rate: '0.92', language: 'fr-CA,fr;q=0.8', address: '203.0.113.7' },
      {
        amount: '0.000001',
        currency: 'USDC',
        rate: '26000',
        language: 'zh-Hant-TW',
        address: '2001:db8::/32',
      },
    ],
    parse({ amount = '', currency = '', rate = '', language = '', address = '' }) {
      chooseLanguage(language, language)
      reachOfHost(address)
      if (isAddressRange(address)) isListed(addressList([address]), '203.0.113.7')
      networkOf(address)
      return checkRate(rate) && isCurrency(currency) && checkAmount(amount, currency)
    },
  })
}

/** Throws if an amount changes when it is written and read again. */
function checkAmount(text: string, currency: string): boolean {
  decimalHalfUp(text, currency)
  parseAmount(text, currency)
  const amount = parseDecimal(text, currency)
  if (amount === undefined) return false
  if (parseDecimal(formatAmount(amount, currency), currency) !== amount)
    throw new Error(`${text} ${currency} changes`)
  return true
}

function checkRate(text: string): boolean {
  const rate = parseRate(text)
  if (rate === undefined) return false
  const again = parseRate(formatRate(rate))
  if (again === undefined || formatRate(again) !== formatRate(rate))
    throw new Error(`the rate ${text} changes`)
  return true
}
