// The payment order, and the fields that each pay-in method adds or requires. All other optional fields of the order
// are checked if present.
import { offered } from '../../../rails/methods/crypto.ts'
import { type Method, methodNames, type Own } from '../../../rails/methods/methods.ts'
import {
  boolean,
  currencyCode,
  type Field,
  field,
  identity,
  integer,
  type Mode,
  merNo,
  merOrderNo,
  notifyUrl,
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
  requiredText('sku', "The merchant's number for the item", 64),
  requiredText('productName', 'The name of the item', 128),
  // Price and quantity are free text, because they do not affect the money that moves.
  requiredText('price', 'The price of one', 16),
  requiredText('quantity', 'How many', 16),
]

const productInfoList = field({
  name: 'productInfoList',
  meaning: 'What is being bought',
  type: 'list',
  required: true,
  exempt: allModesExcept('card', 'apple_pay', 'checkout', 'checkout_payment'),
  maxLength: 1000,
  aliases: ['productInfo'],
  of: field({ name: '', type: 'object', meaning: '', fields: productFields }),
})

function addressFields(who: 'billing' | 'shipping', whose: string): Table {
  const aliases = who === 'billing' ? { aliases: ['billFirstName'] } : {}
  return [
    requiredText(`${who}FirstName`, `First name ${whose}`, 50, { ...cardOnly, ...aliases }),
    requiredText(`${who}LastName`, `Last name ${whose}`, 50, cardOnly),
    requiredText(`${who}Address1`, `Street and number ${whose}`, 128, cardOnly),
    text(`${who}Address2`, `Second line of the address ${whose}`, 128),
    requiredText(`${who}City`, `City ${whose}`, 100, cardOnly),
    requiredText(`${who}State`, `State or province ${whose}`, 100, cardOnly),
    requiredText(`${who}Country`, `Country ${whose}`, 2, { ...cardOnly, rule: 'country' }),
    requiredText(`${who}ZipCode`, `Postal code ${whose}`, 20, cardOnly),
    requiredText(`${who}Phone`, `Telephone number ${whose}`, 20, cardOnly),
    requiredText(`${who}Email`, `E-mail address ${whose}`, 100, { ...cardOnly, rule: 'email' }),
  ]
}

const cardFields: Table = [
  requiredText('cardNo', 'The card number', 16, { ...cardSecret, rule: 'cardNumber', identifier: true }),
  requiredText('cardExpireMonth', 'The month in which the card expires', 2, { ...cardSecret, rule: 'month' }),
  requiredText('cardExpireYear', 'The year in which the card expires', 4, { ...cardSecret, rule: 'year' }),
  requiredText('cardSecurityCode', 'The security code of the card; never stored', 3, {
    ...cardSecret,
    rule: 'securityCode',
  }),
]

const payerFields: Table = [
  text('userId', "The merchant's id for the payer; needed for virtual goods"),
  text('email', "The payer's e-mail address", 255, { rule: 'email' }),
  text('osType', "The system of the payer's phone", 255, { oneOf: ['IOS', 'ANDROID'] }),
  text('terminal', 'Where the payer is: desktop browser, phone browser, app, or mini program', 255, {
    oneOf: ['WEB', 'WAP', 'APP', 'MINI_APP'],
  }),
]

const deviceFields: Table = [
  text('acceptHeader', "The Accept header of the payer's browser", 1024),
  text('deviceId', 'An id of the device; risk rules count by it'),
  text('language', 'The language of the payer page, as a tag such as pt-BR'),
  text('timezone', "The name of the payer's time zone"),
  integer('screenColorDepth', 'Bits per pixel of the screen'),
  integer('screenHeight', 'Height of the screen in pixels'),
  integer('screenWidth', 'Width of the screen in pixels'),
  boolean('javaEnabled', 'Whether the browser runs Java'),
  boolean('javascriptEnabled', 'Whether the browser runs JavaScript'),
  text('latitude', 'Where the device is'),
  text('longitude', 'Where the device is'),
  text('deviceModel', 'The model of the device'),
  text('osVersion', "The version of the device's system"),
]

export const paymentOrder: Table = [
  merNo,
  merOrderNo,
  currencyCode,
  requiredText('sourceAmount', 'The total of the order', 12, { rule: 'amount' }),
  url('returnUrl', 'Where the payer goes after paying', { required: true }),
  notifyUrl,
  sign,
  ...cardFields,
  ...addressFields('billing', 'on the bill'),
  ...addressFields('shipping', 'of the delivery'),
  requiredText('userAgent', "The User-Agent of the payer's browser", 128, {
    exempt: allModesExcept('card', 'sepa', 'checkout_payment'),
  }),
  requiredText('ipAddress', "The payer's IP address", 64, { rule: 'ip' }),
  productInfoList,
  version,
  ...payerFields,
  url('protestNotifyUrl', 'Where the gateway sends notifications of chargebacks', { rule: 'notifyUrl' }),
  ...deviceFields,
]

const applePayFields: Table = [
  field({
    ...productInfoList,
    aliases: ['products', 'productInfo'],
    of: field({
      name: '',
      type: 'object',
      meaning: '',
      fields: [...productFields, url('productUrl', 'The page of the item')],
    }),
  }),
  field({
    name: 'browser',
    meaning: "What the payer's browser says of itself",
    type: 'object',
    required: true,
    fields: [
      text('screenHeight', 'Height of the screen in pixels'),
      text('screenWidth', 'Width of the screen in pixels'),
      text('timeZoneOffset', "The payer's offset from UTC"),
      text('userAgent', "The User-Agent of the payer's browser"),
      text('visitorId', "The merchant's id for the visit"),
    ],
  }),
  walletToken('applePayToken', 'The token of Apple Pay; without it the payer pays on the page'),
]

/** A token has several kilobytes, which is above the default length. */
function walletToken(name: string, meaning: string): Field {
  return text(name, meaning, 16_384, { secrecy: 'card' })
}

const methodFields: Own<Table> = {
  card: [],
  alipay: [],
  wechat: [],
  apple_pay: applePayFields,
  google_pay: [
    walletToken('googlePayToken', 'The token of Google Pay; without it the payer pays on the page'),
  ],
  gcash: requiring(payerFields, 'userId', 'email', 'osType', 'terminal'),
  pix: [
    ...requiring(payerFields, 'userId', 'email'),
    requiredText('name', "The payer's name"),
    requiredText('socialSecurityNumber', "The payer's tax number, a CPF or CNPJ", 255, {
      secrecy: 'personal',
    }),
  ],
  spei: [],
  per_transfer: identity,
  sepa: requiring(payerFields, 'userId', 'email'),
  vn_bank: [
    ...requiring(payerFields, 'userId', 'email'),
    requiredText('productName', 'The name of the item'),
    requiredText('paymentMethodStr', 'A QR code, or a virtual account to transfer to', 255, {
      oneOf: ['qrcode', 'va'],
    }),
    integer('vaBankId', 'The bank, by its number in the list of banks for Vietnam', { required: true }),
  ],
  crypto: [
    requiredText('coin', 'The coin to pay with', 255, { oneOf: offered.coins }),
    requiredText('network', 'The network to pay on', 255, { oneOf: offered.networks }),
  ],
}

export function paymentFields(method: Method): Table {
  return overlay(inMode(paymentOrder, method), methodFields[method] ?? [])
}

const paymentMode = text(
  'paymentMode',
  'The method that the page opens: a paymentType, CREDIT_CARD, or its number',
)
const withoutCard: Table = paymentOrder.filter((field) => !cardFields.includes(field))

export function checkoutFields(): Table {
  return inMode(withoutCard, 'checkout')
}

/** The method's own fields are optional, because the page asks the payer for them. */
export function checkoutPaymentFields(method: Method): Table {
  const ordered = new Set(paymentOrder.map((field) => field.name))
  const added = (methodFields[method] ?? []).filter((field) => !ordered.has(field.name))
  return inMode([...withoutCard, paymentMode, ...optional(added)], 'checkout_payment')
}

function inMode(table: Table, mode: Mode): Table {
  return table.map((known) => (known.exempt?.includes(mode) ? field({ ...known, required: false }) : known))
}
