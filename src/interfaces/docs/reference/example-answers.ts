// Examples of `data` for every kind of response. A test compares them with the tables of the interface.
import type { answers } from '../../merchant-api/fields/sent-fields.ts'
import type { Json } from '../../merchant-api/openapi/schemas.ts'

type Example = { readonly [name: string]: Json }

const tradeNo = 'T0000000000000000000000000000001'
const merOrderNo = 'ORDER-1001'
const merNo = '10000001'
const order = { tradeNo, merOrderNo }
const result = { ...order, merorderNo: merOrderNo }
const refunded = { refundAmount: '2.34', refundCurrency: 'USD' }
const disputed = { refuseAmount: '12.34', refuseCurrency: 'USD' }
const lost = { actualRefuseAmount: '0.00', actualRefuseCurrency: 'USD' }
const balance = {
  currency: 'USD',
  balance: '250.00',
  unCheckedBalance: '11.44',
  totalBalance: '261.44',
}

export const exampleAnswers: Readonly<Record<keyof typeof answers, Example>> = {
  payment: { ...result, payCode: 0, message: 'Payment succeeded' },
  repeatedPayment: { tradeNo },
  payout: { ...result, payCode: 2, message: 'The payout is on its way' },
  refund: { refundNo: 'R0000000000000000000000000000001', ...order, merNo, ...refunded },
  salesQuery: {
    ...{ state: 3, merNo, ...order, message: 'Payment succeeded' },
    ...{ tradeFee: '0.90', receiveAmount: '12.34', settle: 0 },
  },
  refundQuery: {
    ...{ state: 6, refundNo: 'R0000000000000000000000000000001', merNo, merRefundNo: 'REFUND-1' },
    ...{ ...refunded, ...order, message: 'Refund succeeded' },
  },
  chargebackQuery: {
    ...{ state: 1, merNo, ...order, message: 'Chargeback opened: goods not received', reason: '4855' },
    ...{ ...disputed, ...lost },
  },
  orderList: {
    ...{ pageNum: 1, pageSize: 15, totalPage: 1, total: 1 },
    list: [
      {
        ...{ state: 5, merOrderNo, tradeNo, handlingFee: '0.60', receiveAmount: '12.34' },
        ...{ settleAmount: '11.44', settlementCurrency: 'USD', margin: '1.23', marginStatus: 0 },
        ...{ transactionProcessingFee: '0.30', exceptionHandlingFee: '0.00' },
        ...{ refundAmount: '0.00', refundCurrency: 'USD', sourceAmount: '12.34', sourceCurrency: 'USD' },
        ...{ refusalPayReason: '', message: 'Payment succeeded', settle: 0 },
      },
    ],
    asOf: 'mi1k0f28.1f3.4',
  },
  balanceQuery: balance,
  amountQuery: {
    settleAmountList: [{ settleAmount: '11.44', settleCurrency: 'USD' }],
    sourceAmountList: [{ sourceAmount: '12.34', sourceCurrency: 'USD' }],
  },
  upload: { fileId: 'F0000000000000000000000000000001' },
  review: { ...order, merNo, state: 25 },
}
