// The fields of our messages: those in `data` of responses, and those of notifications without the signature. The SDK's
// types and the OpenAPI document are made from these tables. The SDK's tests compare real messages with the tables. A
// required field is always present.
import { stateCodes as disputeCodes } from '../../../money/chargebacks/chargeback.ts'
import type { NotificationEvent } from '../../../money/notifications/notification.ts'
import { salesState } from '../../../money/order-queries/sales-answer.ts'
import { State } from '../../../money/orders/order.ts'
import { stateCodes as refundCodes } from '../../../money/refunds/refund.ts'
import type { EndpointPath } from '../endpoints.ts'
import { payCodes } from '../handlers/payment.ts'
import { type Field, field, integer, type Table } from './field.ts'

const meanings = {
  merorderNo: 'The same as merOrderNo, in the spelling of earlier versions',
  payCode: 'The result: 0 success, 1 failure, 2 pending',
  payUrl: 'Where the payer or beneficiary continues',
  qrCode: 'The content of the QR code',
  account: 'The account or address to transfer to',
  reference: 'What the payer must write on the transfer',
  payeeName: 'Whose account it is',
  bankName: 'The bank of the account',
  bic: 'The BIC of the bank',
  coinAmount: 'How much of the coin to send',
  sdkParams: "Parameters for the wallet's own SDK",
  expiresAt: 'Until when the payer can pay',
  message: 'The reason, in words',
  code: 'The result: 0 success, 1 failure',
  refundAmount: 'The amount refunded',
  refundCurrency: 'The currency of the refund',
  state: 'The state, as a number',
  tradeFee: 'The fees of the order',
  receiveAmount: 'What the payer has sent so far',
  settle: 'Whether the order is settled: 1 yes, 0 not yet',
  gasFee: 'The fee of the network',
  transactionHash: 'The transfer on the chain',
  txHash: 'The transfer on the chain',
  counterpartyAccountName: 'Whose account the money came from or went to',
  counterpartyAccountNum: 'The account that the money came from or went to',
  refuseAmount: 'The disputed amount',
  refuseCurrency: 'The currency of the disputed amount',
  actualRefuseAmount: 'The amount that was lost; 0.00 until then',
  actualRefuseCurrency: 'The currency of the amount that was lost',
  reason: 'Why the payer disputes the payment',
  totalPage: 'How many pages there are',
  total: 'How many orders there are',
  list: 'The orders, newest first',
  handlingFee: 'The percentage fee',
  transactionProcessingFee: 'The fixed fee',
  exceptionHandlingFee: 'Fees of refunds and chargebacks, and what did not arrive of a refund that came back',
  settleAmount: 'The amount in the currency of settlement',
  settlementCurrency: 'The currency of settlement',
  settleCurrency: 'The currency of settlement',
  margin: 'The rolling reserve of the order',
  marginStatus: 'Whether the reserve is released: 1 yes, 0 held',
  sourceAmount: 'The amount of the order',
  currencyCode: 'The currency of the order',
  sourceCurrency: 'The currency of the order',
  refusalPayReason: 'The reason of the chargeback; empty without one',
  balance: 'The available balance',
  unCheckedBalance: 'The balance that is not settled yet',
  totalBalance: 'Both together',
  balances: 'One entry for each currency',
  settleAmountList: 'Totals by currency of settlement',
  sourceAmountList: 'Totals by currency of the orders',
  merNo: "The merchant's number",
  merOrderNo: "The merchant's number for the order",
  sign: "The gateway's signature",
  coin: 'The coin to send',
  network: 'The network to send it on',
  amount: 'The disputed amount',
  tradeNo: "The gateway's number for the order",
  merRefundNo: "The merchant's number for the refund",
  refundNo: "The gateway's number for the refund",
  currency: 'The currency of the amounts',
  pageNum: 'The page, from 1',
  pageSize: 'Orders on a page',
  asOf: 'The moment that all pages show; send it back for the next page',
  fileId: 'The id of an uploaded file',
}

type Name = keyof typeof meanings

function named(name: Name) {
  return { name, meaning: meanings[name] }
}

function always(...names: readonly Name[]): Table {
  return names.map((name) => field({ ...named(name), type: 'text', required: true }))
}

function sometimes(...names: readonly Name[]): Table {
  return names.map((name) => field({ ...named(name), type: 'text' }))
}

function code(name: Name, values: readonly (number | string)[]): Field {
  return field({ ...named(name), type: 'text', required: true, oneOf: values.map(String) })
}

function number(name: Name, values: readonly number[], required = true): Field {
  return integer(name, meanings[name], {
    required,
    oneOf: [...new Set(values)].sort((a, b) => a - b).map(String),
  })
}

function list(name: Name, fields: Table, required = true): Field {
  const of = field({ name: '', type: 'object', meaning: '', fields })
  return field({ ...named(name), type: 'list', required, of })
}

const orderNumbers = always('tradeNo', 'merOrderNo')
const yesNo = [0, 1]

const orderResult: Table = [
  ...orderNumbers,
  ...always('merorderNo'),
  number('payCode', Object.values(payCodes)),
  ...sometimes('payUrl'),
]

const refundSums = always('refundAmount', 'refundCurrency')
const refused = ['refuseAmount', 'refuseCurrency', 'actualRefuseAmount', 'actualRefuseCurrency'] as const
const balance = always('currency', 'balance', 'unCheckedBalance', 'totalBalance')

const listedOrder: Table = [
  number('state', Object.values(State)),
  ...always(
    'merOrderNo',
    'tradeNo',
    'handlingFee',
    'receiveAmount',
    'settleAmount',
    'settlementCurrency',
    'margin',
  ),
  number('marginStatus', yesNo),
  ...always('transactionProcessingFee', 'exceptionHandlingFee', 'refundAmount', 'refundCurrency'),
  ...always('sourceAmount', 'sourceCurrency', 'refusalPayReason', 'message'),
  number('settle', yesNo, false),
]

/** The fields of `data`, by kind of response. `/order/query` has one kind of response for each `queryType`. */
export const answers = {
  payment: [
    ...orderResult,
    ...sometimes('qrCode', 'account', 'reference', 'payeeName', 'bankName', 'bic'),
    ...sometimes('coin', 'network', 'coinAmount', 'sdkParams', 'expiresAt'),
    ...always('message'),
  ],
  /** The data of a payment that is refused because it repeats an accepted payment field by field. */
  repeatedPayment: always('tradeNo'),
  payout: [...orderResult, ...always('message')],
  refund: [...always('refundNo'), ...orderNumbers, ...always('merNo'), ...refundSums],
  salesQuery: [
    number('state', Object.values(State).map(salesState)),
    ...always('merNo'),
    ...orderNumbers,
    ...always('message', 'tradeFee', 'receiveAmount'),
    number('settle', yesNo),
    ...sometimes('gasFee', 'transactionHash', ...refused),
  ],
  refundQuery: [
    number('state', Object.values(refundCodes)),
    ...always('refundNo', 'merNo'),
    ...sometimes('merRefundNo'),
    ...refundSums,
    ...orderNumbers,
    ...always('message'),
  ],
  chargebackQuery: [
    number('state', Object.values(disputeCodes)),
    ...always('merNo'),
    ...orderNumbers,
    ...always('message', 'reason', ...refused),
  ],
  orderList: [
    ...(['pageNum', 'pageSize', 'totalPage', 'total'] as const).map((name) =>
      integer(name, meanings[name], { required: true }),
    ),
    list('list', listedOrder),
    ...always('asOf'),
  ],
  balanceQuery: [...balance, list('balances', balance, false)],
  amountQuery: [
    list('settleAmountList', always('settleAmount', 'settleCurrency')),
    list('sourceAmountList', always('sourceAmount', 'sourceCurrency')),
  ],
  upload: always('fileId'),
  review: [...orderNumbers, ...always('merNo'), number('state', [State.inReview])],
} as const satisfies Record<string, Table>

/** The kinds of `data` that an endpoint's responses may have. Empty if the endpoint answers with a page. */
export const answersOf: Readonly<Record<EndpointPath, readonly (keyof typeof answers)[]>> = {
  '/payment': ['payment'],
  '/cashier/checkStand': [],
  '/cashier/checkStandPay': ['payment'],
  '/cashier/checkStandPayment': ['payment'],
  '/payout': ['payout'],
  '/refund/apply': ['refund'],
  '/order/query': ['salesQuery', 'refundQuery', 'chargebackQuery'],
  '/balance/query': ['balanceQuery'],
  '/order/queryOrderList': ['orderList'],
  '/order/queryAmount': ['amountQuery'],
  '/file/upload': ['upload'],
  '/review/submit': ['review'],
}

const received = sometimes('receiveAmount', 'txHash', 'counterpartyAccountName', 'counterpartyAccountNum')

export const signature = always('sign')

const result: Table = [
  ...orderNumbers,
  code('code', yesNo),
  ...always('message'),
  ...sometimes('currencyCode', 'sourceAmount'),
  ...received,
]

export const notificationFields: Readonly<Record<NotificationEvent, Table>> = {
  payment: result,
  payout: result,
  review: [...orderNumbers, code('code', ['3']), ...always('message'), ...received],
  refund: [
    ...orderNumbers,
    ...always('refundNo'),
    number('state', yesNo),
    ...always('message'),
    ...refundSums,
  ],
  chargeback: [
    ...orderNumbers,
    code('code', Object.values(disputeCodes)),
    ...always('message', 'reason', 'currency', 'amount'),
  ],
}
