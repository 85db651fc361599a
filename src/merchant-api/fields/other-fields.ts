// The fields of payouts, refunds, queries and reviews.
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

/** All payout fields. Only those that every kind needs are required here. */
export const payoutOrder: Table = [
  merNo,
  merOrderNo,
  requiredText('currencyCode', 3),
  requiredText('sourceAmount', 12, { rule: 'amount' }),
  // Not required here: an empty or unknown kind has its own code (10000, 10001).
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
// No rules here: payouts check the card number and refuse with 10105, and an expiry date that is malformed counts as none.
const payeeCard: Table = [
  requiredText('cardNo', 16, { secrecy: 'card', identifier: true }),
  text('cardExpireMonth', 255, { secrecy: 'card' }),
  text('cardExpireYear', 255, { secrecy: 'card' }),
]

/** By `withdrawType`. The meaning of `cardNo` differs by kind; payouts check the account and refuse with 10105. */
export const payoutKinds: Readonly<Record<string, Table>> = {
  '1': overlay(requiring(payoutOrder, ...payee, 'mobile'), payeeCard),
  '2': requiring(payoutOrder, ...payee, 'email'),
  '3': requiring(payoutOrder, 'cardNo', ...payee, ...bankAddress),
  '4': requiring(payoutOrder, 'cardNo', ...payee),
  '5': requiring(payoutOrder, 'cardNo', ...payee, 'accountType', ...identity),
  '6': requiring(payoutOrder, 'cardNo', ...payee),
}

function operationType(only: string): Field {
  return text('operationType', 10, { oneOf: [only], defaultValue: only })
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
  // Optional: a merchant whose request timed out does not know it.
  tradeNo,
  requiredText('queryType', 16, { oneOf: ['sales', 'refund', 'chargeback'] }),
  text('refundNo', 50, { identifier: true }),
  merRefundNo,
]

export const balanceQueryFields: Table = [merNo, version, sign, text('currency')]

// No maximum here: too many numbers, and pages or ranges out of bounds, have their own code (10108).
const NO_MAXIMUM = Number.MAX_SAFE_INTEGER

export const orderListFields: Table = [
  merNo,
  textList('merOrderNos', NO_MAXIMUM, { identifier: true }),
  textList('tradeNos', NO_MAXIMUM, { identifier: true }),
  field({
    name: 'dateLimit',
    type: 'object',
    fields: [requiredText('from', 19, { rule: 'dateTime' }), requiredText('to', 19, { rule: 'dateTime' })],
  }),
  version,
  integer('pageNum'),
  integer('pageSize'),
  // We made it. It lists the transactions that were open at the time, so its length varies.
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

/** Multipart: `file` is another part. An unsupported type has its own code (10106). */
export const fileUploadFields: Table = [merNo, requiredText('type'), sign]

export const infoTypes: readonly string[] = [
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
  // Closed: an unknown information type is refused, because ignoring it would lose information.
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
