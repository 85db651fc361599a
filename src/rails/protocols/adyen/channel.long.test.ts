import { testChannelContract, testProtocolContract } from '../../../../test/contracts/channel-contract.ts'
import { openAdyenDriver } from '../../../../test/counterparties/adyen.ts'
import { type AdyenMethod, served } from './payment-request.ts'

const inCurrency = (currency: string) => ({ amount: 24_00n, currency })

/** The methods besides cards, each with a title for its tests and a currency. */
const others: Readonly<Record<Exclude<AdyenMethod, 'card'>, readonly [string, string]>> = {
  apple_pay: ['Apple Pay by token', 'USD'],
  google_pay: ['Google Pay by token', 'EUR'],
  alipay: ['Alipay by redirect', 'CNY'],
  wechat: ['WeChat by QR code', 'CNY'],
  unionpay: ['UnionPay by redirect', 'CNY'],
  cash_app: ['Cash App by redirect', 'USD'],
  gcash: ['GCash by redirect', 'PHP'],
  pix: ['Pix by QR code', 'BRL'],
  sepa: ['SEPA by bank transfer', 'EUR'],
}

testProtocolContract('Adyen, cards with 3-D Secure by redirect', () =>
  openAdyenDriver({ method: 'card', money: inCurrency('EUR') }),
)
for (const method of served)
  if (method !== 'card') {
    const [name, currency] = others[method]
    testChannelContract(`Adyen, ${name}`, () => openAdyenDriver({ method, money: inCurrency(currency) }))
  }
