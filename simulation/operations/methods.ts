// Every method of `/payment` except cards, with its currencies and its additional fields.
import type { Random } from '../../test/harness/random.ts'

export type Method = {
  readonly name: string
  /** The header that chooses the method. */
  readonly paymentType: string
  readonly currencies: readonly string[]
  /** The relative frequency. Methods without a weight are equally frequent. */
  readonly weight?: number
  readonly fields: (random: Random) => Readonly<Record<string, unknown>>
}

const payer = { userId: 'payer-7', email: 'payer@example.com' }
const wallets = ['CNY', 'USD', 'EUR', 'HKD']
const anywhere = ['USD', 'EUR', 'JPY']

const onDevice = (random: Random) => {
  const terminal = random.pick(['WEB', 'WAP']) ?? 'WEB'
  return { ...payer, osType: random.pick(['IOS', 'ANDROID']), terminal }
}

export const methods: readonly Method[] = [
  { name: 'Alipay', paymentType: 'ALIPAY', currencies: wallets, fields: onDevice },
  { name: 'WeChat', paymentType: 'WECHAT', currencies: wallets, fields: onDevice },
  { name: 'UnionPay', paymentType: 'UNIONPAY_H5', currencies: wallets, fields: () => payer },
  {
    name: 'Apple Pay',
    paymentType: 'APPLE_PAY',
    currencies: anywhere,
    fields: () => ({
      ...payer,
      products: [{ sku: 'A-1', productName: 'Alpaca scarf', price: '12.34', quantity: '1' }],
      browser: { userAgent: 'Mozilla/5.0', visitorId: 'v-1' },
    }),
  },
  { name: 'Google Pay', paymentType: 'GOOGLE_PAY', currencies: anywhere, fields: () => payer },
  { name: 'Cash App', paymentType: 'CASH_APP', currencies: ['USD'], fields: () => payer },
  { name: 'GCash', paymentType: 'GCASH', currencies: ['PHP'], fields: onDevice },
  {
    name: 'Pix',
    paymentType: 'PIX',
    currencies: ['BRL'],
    fields: () => ({ ...payer, name: 'Maria Souza', socialSecurityNumber: '529.982.247-25' }),
  },
  { name: 'SPEI', paymentType: 'SPEI', currencies: ['MXN'], fields: () => payer },
  {
    name: 'PerTransfer',
    paymentType: 'PER_TRANSFER',
    currencies: ['PEN'],
    fields: () => ({ ...payer, customerIdentificationType: '00', customerIdentification: '45678912' }),
  },
  {
    // SEPA has a high weight, because only some of its payments are reviewed.
    name: 'SEPA',
    weight: 24,
    paymentType: 'SEPA',
    currencies: ['EUR'],
    fields: () => ({ ...payer, userAgent: 'Mozilla/5.0' }),
  },
  {
    name: 'Vietnam Pay',
    paymentType: 'VN_BANK',
    currencies: ['VND'],
    fields: (random) => ({
      ...payer,
      productName: 'Lamp',
      paymentMethodStr: random.pick(['qrcode', 'va']),
      vaBankId: 970436,
    }),
  },
  {
    name: 'crypto',
    paymentType: 'CRYPTO',
    currencies: ['USD', 'EUR', 'BRL'],
    fields: (random) => ({
      ...payer,
      coin: random.pick(['USDT', 'USDC', 'ETH']),
      network: random.pick(['ERC20', 'POLYGON']),
    }),
  },
]
