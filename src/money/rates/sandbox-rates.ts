// Plausible rates for the sandbox, in both directions between the US dollar and each currency below.
import { assert } from '../../platform/errors/catalogue.ts'
import { inverseDown, type NewRate } from './set-rate.ts'

const unitsForOneDollar: Readonly<Record<string, string>> = {
  AED: '3.6725',
  ARS: '1385',
  AUD: '1.53',
  BRL: '5.35',
  CAD: '1.4',
  CHF: '0.8',
  CLP: '930',
  CNY: '7.1',
  COP: '3800',
  CZK: '20.9',
  DKK: '6.43',
  EUR: '0.86',
  GBP: '0.76',
  HKD: '7.78',
  HUF: '331',
  IDR: '16700',
  ILS: '3.25',
  INR: '88.7',
  JPY: '154',
  KRW: '1460',
  KWD: '0.307',
  MXN: '18.4',
  MYR: '4.14',
  NOK: '10.1',
  NZD: '1.77',
  PEN: '3.37',
  PHP: '58.9',
  PLN: '3.65',
  RON: '4.38',
  SAR: '3.75',
  SEK: '9.45',
  SGD: '1.3',
  THB: '32.4',
  TRY: '42.3',
  TWD: '31.1',
  VND: '26300',
  ZAR: '17.1',
  ETH: '0.0003125',
  USDC: '1',
  USDT: '1',
}

export const sandboxCurrencies: readonly string[] = ['USD', ...Object.keys(unitsForOneDollar)]

export function sandboxRates(): NewRate[] {
  return Object.entries(unitsForOneDollar).flatMap(([currency, rate]) => {
    const back = inverseDown(rate)
    assert(back !== undefined, 'a sandbox rate has an inverse')
    return [
      { from: 'USD', to: currency, rate },
      { from: currency, to: 'USD', rate: back },
    ]
  })
}
