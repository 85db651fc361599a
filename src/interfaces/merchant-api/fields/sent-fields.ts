// The fields of what we send, as data: `data` of the responses, and the bodies of notifications without their signature.
// Nothing here runs for a request. The SDK's types and the OpenAPI document are made from these tables; the SDK's tests
// compare real responses and notifications with them. A required field is always there.
import { stateCodes as disputeCodes } from '../../chargebacks/chargeback.ts'
import type { NotificationEvent } from '../../notifications/notification.ts'
import { salesState } from '../../order-queries/sales-answer.ts'
import { State } from '../../orders/order.ts'
import { stateCodes as refundCodes } from '../../refunds/refund.ts'
import type { EndpointPath } from '../endpoints.ts'
import { payCodes } from '../handlers/payment.ts'
import { type Field, field, integer, type Table } from './field.ts'

function always(...names: readonly string[]): Table {
  return names.map((name) => field({ name, type: 'text', required: true }))
}

function sometimes(...names: readonly string[]): Table {
  return names.map((name) => field({ name, type: 'text' }))
}

function code(name: string, values: readonly (number | string)[]): Field {
  return field({ name, type: 'text', required: true, oneOf: values.map(String) })
}

/** A number with a meaning of its own for each value. */
function number(name: string, values: readonly number[], required = true): Field {
  return integer(name, { required, oneOf: [...new Set(values)].sort((a, b) => a - b).map(String) })
}

function list(name: string, fields: Table, required = true): Field {
  return field({ name, type: 'list', required, of: field({ name: '', type: 'object', fields }) })
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

/** `data` of each kind of response; `/order/query` has one kind for each `queryType`. */
export const answers = {
  payment: [
    ...orderResult,
    ...sometimes('qrCode', 'account', 'reference', 'payeeName', 'bankName', 'bic'),
    ...sometimes('coin', 'network', 'coinAmount', 'sdkParams', 'expiresAt'),
    ...always('message'),
  ],
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
    ...['pageNum', 'pageSize', 'totalPage', 'total'].map((name) => integer(name, { required: true })),
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

/** The kinds of `data` that an endpoint responds with; none if it responds with a page. */
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

/** The result of an order: `0` success, `1` failure. */
const result: Table = [...orderNumbers, code('code', yesNo), ...always('message'), ...received]

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
