export const endpoints: readonly string[] = [
  '/payment',
  '/cashier/checkStand',
  '/cashier/checkStandPay',
  '/cashier/checkStandPayment',
  '/payout',
  '/refund/apply',
  '/order/query',
  '/order/queryOrderList',
  '/order/queryAmount',
  '/balance/query',
  '/file/upload',
  '/review/submit',
]
