// The payment order, and the fields that each pay-in method adds.
// A field of the payment order that a method does not list is optional there, but checked if present.
import { offered } from '../../channels/crypto/coin.ts'
import { type Method, methodNames } from '../../channels/method.ts'
import {
  boolean,
  type Field,
  field,
  integer,
  type Mode,
  merNo,
  merOrderNo,
  optional,
  overlay,
  requiredText,
  requiring,
  sign,
  type Table,
  text,
  url,
  version,
} from './field.ts'

const modes: readonly Mode[] = [...methodNames(), 'checkout', 'checkout_payment']

function allModesExcept(...needing: readonly Mode[]): readonly Mode[] {
  return modes.filter((mode) => !needing.includes(mode))
}

const cardOnly = { exempt: allModesExcept('card') }
const cardSecret = { ...cardOnly, secrecy: 'card' } as const

const productFields: Table = [
  requiredText('sku', 64),
  requiredText('productName', 128),
  requiredText('price', 16),
  requiredText('quantity', 16),
]

const productInfoList = field({
  name: 'productInfoList',
  type: 'list',
  required: true,
  exempt: allModesExcept('card', 'apple_pay', 'checkout', 'checkout_payment'),
  maxLength: 1000,
  aliases: ['productInfo'],
  of: field({ name: '', type: 'object', fields: productFields }),
})

function addressFields(who: 'billing' | 'shipping'): Table {
  const aliases = who === 'billing' ? { aliases: ['billFirstName'] } : {}
  return [
    requiredText(`${who}FirstName`, 50, { ...cardOnly, ...aliases }),
    requiredText(`${who}LastName`, 50, cardOnly),
    requiredText(`${who}Address1`, 128, cardOnly),
    text(`${who}Address2`, 128),
    requiredText(`${who}City`, 100, cardOnly),
    requiredText(`${who}State`, 100, cardOnly),
    requiredText(`${who}Country`, 2, { ...cardOnly, rule: 'country' }),
    requiredText(`${who}ZipCode`, 20, cardOnly),
    requiredText(`${who}Phone`, 20, cardOnly),
    requiredText(`${who}Email`, 100, { ...cardOnly, rule: 'email' }),
  ]
}

const cardFields: Table = [
  requiredText('cardNo', 16, { ...cardSecret, rule: 'cardNumber', identifier: true }),
  requiredText('cardExpireMonth', 2, { ...cardSecret, rule: 'month' }),
  requiredText('cardExpireYear', 4, { ...cardSecret, rule: 'year' }),
  requiredText('cardSecurityCode', 3, { ...cardSecret, rule: 'securityCode' }),
]

const payerFields: Table = [
  text('userId'),
  text('email', 255, { rule: 'email' }),
  text('osType', 255, { oneOf: ['IOS', 'ANDROID'] }),
  text('terminal', 255, { oneOf: ['WEB', 'WAP', 'APP', 'MINI_APP'] }),
]

const deviceFields: Table = [
  text('acceptHeader', 1024),
  text('deviceId'),
  text('language'),
  text('timezone'),
  integer('screenColorDepth'),
  integer('screenHeight'),
  integer('screenWidth'),
  boolean('javaEnabled'),
  boolean('javascriptEnabled'),
  text('latitude'),
  text('longitude'),
  text('deviceModel'),
  text('osVersion'),
]

export const paymentOrder: Table = [
  merNo,
  merOrderNo,
  requiredText('currencyCode', 3),
  requiredText('sourceAmount', 12, { rule: 'amount' }),
  url('returnUrl', { required: true }),
  url('notifyUrl', { rule: 'notifyUrl' }),
  sign,
  ...cardFields,
  ...addressFields('billing'),
  ...addressFields('shipping'),
  requiredText('userAgent', 128, { exempt: allModesExcept('card', 'sepa', 'checkout_payment') }),
  requiredText('ipAddress', 64, { rule: 'ip' }),
  productInfoList,
  version,
  ...payerFields,
  url('protestNotifyUrl', { rule: 'notifyUrl' }),
  ...deviceFields,
]

const applePayFields: Table = [
  field({
    ...productInfoList,
    aliases: ['products', 'productInfo'],
    of: field({ name: '', type: 'object', fields: [...productFields, url('productUrl')] }),
  }),
  field({
    name: 'browser',
    type: 'object',
    required: true,
    fields: ['screenHeight', 'screenWidth', 'timeZoneOffset', 'userAgent', 'visitorId'].map((name) =>
      text(name),
    ),
  }),
  walletToken('applePayToken'),
]

/** Longer than the default: a wallet token has several kilobytes. */
function walletToken(name: string): Field {
  return text(name, 16_384, { secrecy: 'card' })
}

const personal = { secrecy: 'personal' } as const

/** Fields that a method adds to the payment order or makes required. */
const methodFields: Readonly<Record<Method, Table>> = {
  card: [],
  alipay: [],
  wechat: [],
  unionpay: [],
  apple_pay: applePayFields,
  google_pay: [walletToken('googlePayToken')],
  cash_app: [],
  gcash: requiring(payerFields, 'userId', 'email', 'osType', 'terminal'),
  pix: [
    ...requiring(payerFields, 'userId', 'email'),
    requiredText('name'),
    requiredText('socialSecurityNumber', 255, personal),
  ],
  spei: [],
  per_transfer: [
    requiredText('customerIdentificationType', 255, { oneOf: ['00', '01', '02', '03'] }),
    requiredText('customerIdentification', 255, personal),
  ],
  sepa: requiring(payerFields, 'userId', 'email'),
  vn_bank: [
    ...requiring(payerFields, 'userId', 'email'),
    requiredText('productName'),
    requiredText('paymentMethodStr', 255, { oneOf: ['qrcode', 'va'] }),
    integer('vaBankId', { required: true }),
  ],
  crypto: [
    requiredText('coin', 255, { oneOf: offered.coins }),
    requiredText('network', 255, { oneOf: offered.networks }),
  ],
}

export function paymentFields(method: Method): Table {
  return overlay(inMode(paymentOrder, method), methodFields[method])
}

const withoutCard: Table = paymentOrder.filter((field) => !cardFields.includes(field))

export function checkoutFields(): Table {
  return inMode(withoutCard, 'checkout')
}

/** The method's own fields are optional here: the page asks the payer for them. */
export function checkoutPaymentFields(method: Method): Table {
  const ordered = new Set(paymentOrder.map((field) => field.name))
  const added = methodFields[method].filter((field) => !ordered.has(field.name))
  return inMode([...withoutCard, text('paymentMode'), ...optional(added)], 'checkout_payment')
}

function inMode(table: Table, mode: Mode): Table {
  return table.map((known) => (known.exempt?.includes(mode) ? field({ ...known, required: false }) : known))
}
