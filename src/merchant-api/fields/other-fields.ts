// The fields of payouts, refunds, queries and the review of a payment.
import {
  type Field,
  field,
  integer,
  merNo,
  merOrderNo,
  merRefundNo,
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

/** Every field of a payout, none required beyond what all kinds need. */
export const payoutOrder: Table = [
  merNo,
  merOrderNo,
  requiredText('currencyCode', 3),
  requiredText('sourceAmount', 12, { rule: 'amount' }),
  // Empty and unknown kinds have codes of their own (10000, 10001), so it is not required here.
  text('withdrawType'),
  url('returnUrl'),
  url('notifyUrl', { rule: 'notifyUrl' }),
  sign,
  text('cardNo', 255, { secrecy: 'personal', identifier: true }),
  text('benFirstName'),
  text('benLastName'),
  text('mobile', 255, { rule: 'mobile' }),
  text('addressLine'),
  text('addressLine2'),
  text('city'),
  text('state'),
  text('countryCode', 2, { rule: 'country' }),
  text('postCode'),
  text('email', 255, { rule: 'email' }),
  text('ipAddress', 64, { rule: 'ip' }),
  version,
  text('beneficiaryType', 255, { oneOf: ['individual', 'business'] }),
  text('accountHolderType', 255, { oneOf: ['0', '1'] }),
  text('bankCode'),
  text('accountType', 255, { oneOf: ['00', '01'] }),
  text('customerIdentificationType', 255, { oneOf: ['00', '01', '02', '03'] }),
  text('customerIdentification', 255, { secrecy: 'personal' }),
]

const payee = ['benFirstName', 'benLastName'] as const
const bankAddress = ['addressLine', 'city', 'countryCode', 'beneficiaryType'] as const
const identity = ['customerIdentificationType', 'customerIdentification'] as const
// No rule here: whether it is a card number is the payout's question too.
const payeeCard: Table = [requiredText('cardNo', 16, { secrecy: 'card', identifier: true })]

/** By `withdrawType`. What `cardNo` holds differs; whether it is a valid account is the payout's question (10105). */
export const payoutKinds: Readonly<Record<string, Table>> = {
  '1': overlay(requiring(payoutOrder, ...payee, 'mobile'), payeeCard),
  '2': requiring(payoutOrder, ...payee, 'email'),
  '3': requiring(payoutOrder, 'cardNo', ...payee, ...bankAddress),
  '4': requiring(payoutOrder, 'cardNo', ...payee),
  '5': requiring(payoutOrder, 'cardNo', ...payee, 'accountType', ...identity),
  '6': requiring(payoutOrder, 'cardNo', ...payee),
}

function operationType(only: string): Field {
  return text('operationType', 10, { oneOf: [only], otherwise: only })
}

export const refundFields: Table = [
  merNo,
  merOrderNo,
  requiredText('amount', 12, { rule: 'amount' }),
  url('notifyUrl', { rule: 'notifyUrl' }),
  sign,
  operationType('refund'),
  version,
  ...requiring([tradeNo], 'tradeNo'),
  text('remark', 1000),
  merRefundNo,
]

export const orderQueryFields: Table = [
  merNo,
  merOrderNo,
  field({ ...sign, aliases: ['sing'] }),
  operationType('query'),
  version,
  // A merchant whose request timed out never learnt it.
  tradeNo,
  requiredText('queryType', 16, { oneOf: ['sales', 'refund', 'chargeback'] }),
  text('refundNo', 50, { identifier: true }),
  merRefundNo,
]

export const balanceQueryFields: Table = [merNo, version, sign, text('currency')]

// More than 500 numbers, and pages and ranges out of bounds, have a code of their own (10108): no bound here.
const NO_BOUND_HERE = Number.MAX_SAFE_INTEGER

export const orderListFields: Table = [
  merNo,
  textList('merOrderNos', NO_BOUND_HERE, { identifier: true }),
  textList('tradeNos', NO_BOUND_HERE, { identifier: true }),
  field({
    name: 'dateLimit',
    type: 'object',
    fields: [requiredText('from', 19, { rule: 'dateTime' }), requiredText('to', 19, { rule: 'dateTime' })],
  }),
  version,
  integer('pageNum'),
  integer('pageSize'),
  // Ours, and longer the more was under way when it was made.
  text('asOf', 2000),
  sign,
]

const listStates = ['1', '5', '6', '7', '9', '10', '11', '12', '17', '24', '25']

export const amountQueryFields: Table = [
  merNo,
  textList('orderStatusList', 1000, { oneOf: listStates }),
  textList('sourceCurrencyList', 1000),
  textList('settleCurrencyList', 1000),
  textList('merOrderNoList', 1000, { identifier: true }),
  textList('settlementStatusList', 1000, { oneOf: ['0', '1'] }),
  text('startDate', 10, { rule: 'day' }),
  text('endDate', 10, { rule: 'day' }),
  version,
  sign,
]

/** Multipart: `file` is a part beside these. A type that is not taken has a code of its own (10106). */
export const fileUploadFields: Table = [merNo, requiredText('type'), sign]

const infoTypes = [
  'payerName',
  'payerEmail',
  'payerNationality',
  'payerBirthday',
  'businessModel',
  'fundUsageDescription',
  'proofOfDeliveryInformation',
  'profitModel',
  'customerAcquisitionModel',
  'transactionWebsite',
  'payeeName',
  'payeeNationality',
  'payeeBirthday',
]

const fileTypes = [
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
  // A type that is not known would be lost: it is refused rather than ignored.
  field({ name: 'info', type: 'object', closed: true, fields: infoTypes.map((name) => text(name)) }),
  field({
    name: 'files',
    type: 'list',
    maxLength: 1000,
    of: field({
      name: '',
      type: 'object',
      fields: [requiredText('type', 255, { oneOf: fileTypes }), requiredText('fileId')],
    }),
  }),
  sign,
]
