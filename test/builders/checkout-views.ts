// Orders in every state that payers can see, for tests of the pages.

import { withChoices } from '../../src/interfaces/checkout/form/fields-to-ask.ts'
import type { CheckoutView, MethodChoice } from '../../src/interfaces/checkout/view.ts'
import type { PayerAction } from '../../src/rails/contract/channel.ts'
import { type Method, methodNames, methods } from '../../src/rails/methods/methods.ts'
import { aReference } from './reference.ts'

const view: CheckoutView = {
  frameAncestors: [],
  merchant: { name: 'Lamp shop', accent: '#ffd400', hasLogo: true },
  tradeNo: 'T1',
  merOrderNo: 'lamp-7',
  money: { amount: 2400n, currency: 'EUR' },
  products: [{ name: 'Reading lamp', quantity: '2', price: '12.00' }],
  status: 'choosing',
  message: '',
  attempts: 0,
  choices: [],
  method: undefined,
  action: undefined,
  expiresAt: new Date('2030-01-02T03:04:05Z'),
  received: undefined,
  maySwitch: true,
  mayCancel: true,
  returnUrl: 'https://shop.example/back?a=1&b=2',
  language: '',
}

export function choosing(...names: readonly Method[]): CheckoutView {
  return { ...view, choices: names.map(choiceOf) }
}

export function choiceOf(method: Method): MethodChoice {
  return { method, asks: methods[method].asks.map((field) => withChoices(field, aReference)) }
}

export function acting(method: Method, action: PayerAction): CheckoutView {
  return { ...view, status: 'awaiting-payer', attempts: 1, method, action }
}

export const actions = {
  challenge: { kind: 'challenge', acsUrl: 'https://bank.example/acs', creq: 'eyJhIjoxfQ' },
  redirect: { kind: 'redirect', url: 'https://wallet.example/pay?id=1' },
  app: { kind: 'app', sdkParams: '{"prepayid":"wx1"}' },
  qr: {
    kind: 'qr',
    qrCode: `00020101021226850014br.gov.bcb.pix${'0123456789'.repeat(12)}6304ABCD`,
    payee: 'Lamp shop',
    appUrl: 'https://bank.example/app',
  },
  transfer: {
    kind: 'transfer',
    account: 'DE89370400440532013000',
    accountKind: 'iban',
    payee: 'Lamp shop',
    bank: 'A bank',
    bic: 'ABNADEFFXXX',
    reference: 'RF18539007547034',
    qrCode: 'BCD\n002\n1\nSCT\nABNADEFFXXX\nLamp shop\nDE89370400440532013000\nEUR24.00\n\nRF18539007547034',
  },
  crypto: {
    kind: 'crypto',
    account: '0x52908400098527886E0F7030069857D2E4169EE7',
    coin: 'USDT',
    network: 'ERC20',
    coinAmount: '26.091304',
    qrCode: 'ethereum:0x52908400098527886E0F7030069857D2E4169EE7',
    confirmationsNeeded: 3,
  },
} as const satisfies Record<string, PayerAction>

/** An order for each page, by the name of the page. */
export const allViews: Readonly<Record<string, CheckoutView>> = {
  'one way': choosing('pix'),
  'every way': choosing(...methodNames()),
  'after a decline': { ...choosing('card', 'alipay'), attempts: 1, message: 'Insufficient funds' },
  challenge: acting('card', actions.challenge),
  redirect: acting('alipay', actions.redirect),
  'in app': acting('wechat', actions.app),
  qr: acting('pix', actions.qr),
  transfer: acting('sepa', actions.transfer),
  'part paid': { ...acting('sepa', actions.transfer), received: { amount: 1000n, currency: 'EUR' } },
  crypto: acting('crypto', actions.crypto),
  'crypto seen': acting('crypto', { ...actions.crypto, confirmations: 1 }),
  processing: { ...view, status: 'processing' },
  succeeded: { ...view, status: 'succeeded' },
  failed: { ...view, status: 'failed', message: 'The bank declined the payment' },
  cancelled: { ...view, status: 'cancelled' },
  expired: { ...view, status: 'expired' },
}
