// Refunds a payment: node refund.ts ORDER TRADENO AMOUNT. Prints the number of the refund.
import { tollgate } from './tollgate.ts'

const [, , merOrderNo = '', tradeNo = '', amount = ''] = process.argv
const refund = await tollgate.refund({
  merOrderNo,
  tradeNo,
  amount,
  // Your own number of this refund. Store it first: sent twice, it refunds once.
  merRefundNo: `refund-${Date.now()}`,
})

// It is accepted. Whether it succeeded is in the notification, and in `await refund.resolve()`.
console.log(refund.refundNo)
