// The ways to pay without the gateway's page of methods. Each way has a description, questions to the customer, and
// fields of the request. The fields have the SDK's types, so the compiler reports a missing field.
import type { Method, PaymentFields, PaymentFieldsBase, ProductInfoListItem } from '../sdk/src/entry.ts'
import type { Form } from '../src/platform/pages/form.ts'
import type { PaidAt } from './orders.ts'
import type { Currency } from './prices.ts'

export type MethodWay = {
  readonly name: string
  readonly group: 'Wallets' | 'Codes to scan' | 'Bank transfers' | 'Crypto'
  readonly currency: Currency
  /** The advice for trying the method in the sandbox. */
  readonly sandbox: string
  readonly paidAt: PaidAt
  readonly asks: readonly Ask[]
}

export type Ask = {
  readonly name: string
  readonly label: string
  /** A value that the sandbox accepts. */
  readonly value: string
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
}

/** Every method except cards, which have their own form. */
export type OtherMethod = Exclude<Method, 'card'>

const wallet = {
  group: 'Wallets',
  paidAt: 'page',
  asks: [],
  sandbox: 'You go to a simulated wallet: press "Approve payment" or "Decline payment" there.',
} as const

const scan = {
  paidAt: 'order',
  asks: [],
  sandbox: 'The order page shows a code. "Play the payer" on it opens the simulated app.',
} as const

const transfer = {
  group: 'Bank transfers',
  paidAt: 'order',
  asks: [],
  sandbox:
    'The order page shows an account. "Play the payer" opens the simulated bank: send all of it, or less.',
} as const

export const methodWays: Readonly<Record<OtherMethod, MethodWay>> = {
  alipay: { ...wallet, name: 'Alipay', currency: 'CNY' },
  apple_pay: { ...wallet, name: 'Apple Pay', currency: 'USD' },
  google_pay: { ...wallet, name: 'Google Pay', currency: 'USD' },
  cash_app: { ...wallet, name: 'Cash App Pay', currency: 'USD' },
  unionpay: { ...wallet, name: 'UnionPay', currency: 'CNY' },
  wechat: { ...scan, group: 'Codes to scan', name: 'WeChat Pay', currency: 'CNY' },
  gcash: { ...scan, group: 'Codes to scan', name: 'GCash', currency: 'PHP' },
  pix: {
    ...{ ...scan, group: 'Codes to scan', name: 'Pix', currency: 'BRL' },
    asks: [
      { name: 'name', label: 'Full name', value: 'Demo Payer' },
      { name: 'socialSecurityNumber', label: 'CPF or CNPJ', value: '529.982.247-25' },
    ],
  },
  vn_bank: {
    ...{ ...scan, group: 'Codes to scan', name: 'Vietnam Pay', currency: 'VND' },
    asks: [
      {
        ...{ name: 'paymentMethodStr', label: 'How', value: 'qrcode' },
        choices: [
          { value: 'qrcode', label: 'VietQR code' },
          { value: 'va', label: 'Transfer to an account for this order' },
        ],
      },
    ],
  },
  sepa: { ...transfer, name: 'SEPA', currency: 'EUR' },
  spei: { ...transfer, name: 'SPEI', currency: 'MXN' },
  per_transfer: {
    ...{ ...transfer, name: 'PerTransfer', currency: 'PEN' },
    asks: [{ name: 'customerIdentification', label: 'Identity card (DNI)', value: '45678912' }],
  },
  crypto: {
    ...{ ...scan, group: 'Crypto', name: 'Crypto', currency: 'USD' },
    asks: [
      {
        ...{ name: 'coin', label: 'Coin', value: 'USDC' },
        choices: ['USDC', 'USDT', 'ETH'].map((value) => ({ value, label: value })),
      },
      {
        ...{ name: 'network', label: 'Network', value: 'POLYGON' },
        choices: [
          { value: 'POLYGON', label: 'Polygon' },
          { value: 'ERC20', label: 'Ethereum' },
        ],
      },
    ],
  },
}

export function isOtherMethod(name: string): name is OtherMethod {
  return Object.hasOwn(methodWays, name)
}

export const otherMethods = Object.keys(methodWays).filter(isOtherMethod)

/** The fields that all payment requests of the shop share. */
export type Common = PaymentFieldsBase & {
  readonly userAgent: string
  readonly userId: string
  readonly email: string
  readonly productInfoList: readonly ProductInfoListItem[]
}

type FieldsOf = {
  readonly [M in OtherMethod]: (common: Common, form: Form) => PaymentFields[M]
}

const device = { osType: 'ANDROID', terminal: 'WEB' } as const
/** Vietcombank, by its number in Vietnam's interbank network. */
const BANK_OF_VIETNAM = 970_436

const justCommon = (common: Common) => common

export const fieldsOf: FieldsOf = {
  alipay: (common) => ({ ...common, ...device }),
  wechat: (common) => ({ ...common, ...device }),
  gcash: (common) => ({ ...common, ...device }),
  unionpay: justCommon,
  google_pay: justCommon,
  cash_app: justCommon,
  spei: justCommon,
  sepa: justCommon,
  apple_pay: (common) => ({ ...common, browser: { userAgent: common.userAgent, visitorId: common.userId } }),
  pix: (common, { name = '', socialSecurityNumber = '' }) => ({ ...common, name, socialSecurityNumber }),
  per_transfer: (common, { customerIdentification = '' }) => ({
    ...common,
    customerIdentificationType: '00',
    customerIdentification,
  }),
  vn_bank: (common, form) => ({
    ...common,
    productName: common.productInfoList[0]?.productName ?? '',
    paymentMethodStr: form.paymentMethodStr === 'va' ? 'va' : 'qrcode',
    vaBankId: BANK_OF_VIETNAM,
  }),
  crypto: (common, form) => ({
    ...common,
    coin: form.coin === 'USDT' || form.coin === 'ETH' ? form.coin : 'USDC',
    network: form.network === 'ERC20' ? 'ERC20' : 'POLYGON',
  }),
}
