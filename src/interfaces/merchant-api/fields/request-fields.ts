// The fields of all requests: payouts, refunds, queries and reviews. At the end is the payment order, with the fields
// that each method adds or requires. An optional field is checked if it is present.

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
  merRefundNo,
  notifyUrl,
  optional,
  overlay,
  requiredText,
  requiring,
  sign,
  type Table,
  text,
  textList,
  tradeNo,
  url,
  version,
} from './field.ts'

const account =
  'The account: a card number, IBAN, account number, Pix key, CCI or CLABE, by the kind of payout'

/** The fields that all kinds of payout have. A field is required here only if every kind requires it. */
export const payoutOrder: Table = [
  merNo,
  merOrderNo,
  currencyCode,
  requiredText('sourceAmount', 'The amount to pay out', 12, { rule: 'amount' }),
  // The kind is not required here, because an empty kind and an unknown kind have their own codes (10000, 10001).
  text('withdrawType', 'The kind of payout'),
  url('returnUrl', 'Where the beneficiary goes after entering an account'),
  notifyUrl,
  sign,
  text('cardNo', account, 255, { secrecy: 'personal', identifier: true }),
  text('benFirstName', "The beneficiary's first name"),
  text('benLastName', "The beneficiary's last name"),
  text('mobile', "The beneficiary's telephone number", 255, { rule: 'mobile' }),
  text('addressLine', "The beneficiary's street and number"),
  text('addressLine2', 'Second line of the address'),
  text('city', "The beneficiary's city"),
  text('state', "The beneficiary's state or province"),
  text('countryCode', "The beneficiary's country", 2, { rule: 'country' }),
  text('postCode', "The beneficiary's postal code"),
  text('email', "The beneficiary's e-mail address", 255, { rule: 'email' }),
  text('ipAddress', "The beneficiary's IP address", 64, { rule: 'ip' }),
  version,
  text('beneficiaryType', 'Whether the beneficiary is a person or a company', 255, {
    oneOf: ['individual', 'business'],
  }),
  text('accountHolderType', 'Whether the account belongs to a person (0) or a company (1)', 255, {
    oneOf: ['0', '1'],
  }),
  text('bankCode', 'The bank, by its code in the lists of banks; a BIC for an account without IBAN'),
  text('accountType', '00 current account, 01 savings account', 255, { oneOf: ['00', '01'] }),
  ...optional(identity),
]

const payee = ['benFirstName', 'benLastName'] as const
const bankAddress = ['addressLine', 'city', 'countryCode', 'beneficiaryType'] as const
// The card fields have no rules here. `/payout` refuses a wrong card number with 10105 and ignores a malformed expiry
// date.
const payeeCard: Table = [
  requiredText('cardNo', account, 16, { secrecy: 'card', identifier: true }),
  text('cardExpireMonth', 'The month in which the card expires', 255, { secrecy: 'card' }),
  text('cardExpireYear', 'The year in which the card expires', 255, { secrecy: 'card' }),
]

/** The tables by `withdrawType`. The kind determines what `cardNo` contains. A wrong account is refused with 10105. */
export const payoutKinds: Readonly<Record<string, Table>> = {
  '1': overlay(requiring(payoutOrder, ...payee, 'mobile'), payeeCard),
  '2': requiring(payoutOrder, ...payee, 'email'),
  '3': requiring(payoutOrder, 'cardNo', ...payee, ...bankAddress),
  '4': requiring(payoutOrder, 'cardNo', ...payee),
  '5': requiring(payoutOrder, 'cardNo', ...payee, 'accountType', ...identity.map(({ name }) => name)),
  '6': requiring(payoutOrder, 'cardNo', ...payee),
}

function operationType(only: string): Field {
  return text('operationType', 'Always the same for this endpoint; may be left out', 10, {
    oneOf: [only],
    defaultValue: only,
  })
}

export const refundFields: Table = [
  merNo,
  field({ ...merOrderNo, meaning: "The merchant's number for the paid order" }),
  requiredText('amount', 'The amount to refund', 12, { rule: 'amount' }),
  notifyUrl,
  sign,
  operationType('refund'),
  version,
  ...requiring([tradeNo], 'tradeNo'),
  text('remark', 'A note, stored with the refund', 1000),
  merRefundNo,
]

export const orderQueryFields: Table = [
  merNo,
  field({ ...merOrderNo, meaning: "The merchant's number for the order" }),
  field({ ...sign, aliases: ['sing'] }),
  operationType('query'),
  version,
  // The number is optional, because a merchant whose request timed out does not know the number.
  tradeNo,
  requiredText('queryType', 'What to look up: the order, a refund, or a chargeback', 16, {
    oneOf: ['sales', 'refund', 'chargeback'],
  }),
  text('refundNo', "The gateway's number for the refund", 50, { identifier: true }),
  merRefundNo,
]

export const balanceQueryFields: Table = [
  merNo,
  version,
  sign,
  text('currency', 'The currency of the balance; without it all balances are returned'),
]

// No maximum is checked here. Too many numbers, and pages or ranges out of bounds, are refused later with their own
// code (10108).
const NO_MAXIMUM = Number.MAX_SAFE_INTEGER

export const orderListFields: Table = [
  merNo,
  textList('merOrderNos', 'Only orders with these numbers of the merchant', NO_MAXIMUM, { identifier: true }),
  textList('tradeNos', 'Only orders with these numbers of the gateway', NO_MAXIMUM, { identifier: true }),
  field({
    name: 'dateLimit',
    meaning: 'Only orders of this time',
    type: 'object',
    fields: [
      requiredText('from', 'The first moment', 19, { rule: 'dateTime' }),
      requiredText('to', 'The last moment', 19, { rule: 'dateTime' }),
    ],
  }),
  version,
  integer('pageNum', 'The page, from 1'),
  integer('pageSize', 'Orders on a page'),
  // Merchants copy this value from our response. Its length varies, because it lists the database transactions that
  // were open at the time.
  text('asOf', 'The moment that all pages show; send it back for the next page', 2000),
  sign,
]

const listStates = ['1', '5', '6', '7', '9', '10', '11', '12', '17', '24', '25']

export const amountQueryFields: Table = [
  merNo,
  textList('orderStatusList', 'Only orders in these states', 1000, { oneOf: listStates }),
  textList('sourceCurrencyList', 'Only orders in these currencies', 1000),
  textList('settleCurrencyList', 'Only orders that settle in these currencies', 1000),
  textList('merOrderNoList', 'Only orders with these numbers of the merchant', 1000, { identifier: true }),
  textList('settlementStatusList', 'Only settled (1) or unsettled (0) orders', 1000, { oneOf: ['0', '1'] }),
  text('startDate', 'The first day', 10, { rule: 'day' }),
  text('endDate', 'The last day', 10, { rule: 'day' }),
  version,
  sign,
]

const fileType = 'For an upload, the ending of the file; in a review, what the file shows'

/**
 * The fields of an upload. The file is a separate part of the form, named `file`. An unsupported file type is refused
 * with its own code (10106).
 */
export const fileUploadFields: Table = [merNo, requiredText('type', fileType), sign]

const information = {
  payerName: "The payer's name",
  payerEmail: "The payer's e-mail address",
  payerNationality: "The payer's nationality",
  payerBirthday: "The payer's date of birth",
  businessModel: 'How the business works',
  fundUsageDescription: 'What the money is used for',
  proofOfDeliveryInformation: 'How the delivery can be proved',
  profitModel: 'How the business earns money',
  customerAcquisitionModel: 'How the business finds its customers',
  transactionWebsite: 'The website of the purchase',
  payeeName: "The payee's name",
  payeeNationality: "The payee's nationality",
  payeeBirthday: "The payee's date of birth",
}

export const infoTypes = Object.keys(information)

export const fileTypes: readonly string[] = [
  'documentsProvingSourceOfFunds',
  'payerIdentityDocument',
  'buyerConfirmationLetter',
  'buyerPaymentStatement',
  'documentsProvingBusinessTransactions',
  'transactionProofDocuments',
  'transactionDetails',
  'historicalOrderRecords',
  'communicationRecordsWithPayers',
]

export const reviewFields: Table = [
  merNo,
  ...requiring([tradeNo], 'tradeNo'),
  version,
  // The object is closed: an unknown type of information is refused, because otherwise the information would be lost.
  field({
    name: 'info',
    meaning: 'The information that was asked for',
    type: 'object',
    closed: true,
    fields: Object.entries(information).map(([name, meaning]) => text(name, meaning)),
  }),
  field({
    name: 'files',
    meaning: 'Files that were uploaded before',
    type: 'list',
    maxLength: 1000,
    of: field({
      name: '',
      type: 'object',
      meaning: '',
      fields: [
        requiredText('type', fileType, 255, { oneOf: fileTypes }),
        requiredText('fileId', 'The id of an uploaded file'),
      ],
    }),
  }),
  sign,
]

const modes: readonly Mode[] = [...methodNames(), 'checkout', 'checkout_payment']

function allModesExcept(...needing: readonly Mode[]): readonly Mode[] {
  return modes.filter((mode) => !needing.includes(mode))
}

const cardOnly = { exempt: allModesExcept('card') }
const cardSecret = { ...cardOnly, secrecy: 'card' } as const

const productFields: Table = [
  requiredText('sku', "The merchant's number for the item", 64),
  requiredText('productName', 'The name of the item', 128),
  // Price and quantity are free text, because they do not affect the amount that is paid.
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
  requiredText('cardNo', 'The card number', 19, { ...cardSecret, rule: 'cardNumber', identifier: true }),
  requiredText('cardExpireMonth', 'The month in which the card expires', 2, { ...cardSecret, rule: 'month' }),
  requiredText('cardExpireYear', 'The year in which the card expires', 4, { ...cardSecret, rule: 'year' }),
  requiredText('cardSecurityCode', 'The security code of the card; never stored', 4, {
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

/** Describes a wallet token. Its maximum length is higher than the default, because a token has several kilobytes. */
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

/**
 * Returns the fields of an order for a payment page. The method's own fields are optional, because the page asks the
 * payer for them.
 */
export function checkoutPaymentFields(method: Method): Table {
  const ordered = new Set(paymentOrder.map((field) => field.name))
  const added = (methodFields[method] ?? []).filter((field) => !ordered.has(field.name))
  return inMode([...withoutCard, paymentMode, ...optional(added)], 'checkout_payment')
}

function inMode(table: Table, mode: Mode): Table {
  return table.map((known) => (known.exempt?.includes(mode) ? field({ ...known, required: false }) : known))
}
