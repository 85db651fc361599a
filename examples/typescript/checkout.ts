// Opens a page where the payer chooses how to pay, and prints its address. Redirect the payer to it.
import { tollgate } from './tollgate.ts'

const order = await tollgate.checkout({
  merOrderNo: `order-${Date.now()}`,
  currencyCode: 'EUR',
  sourceAmount: '24.00',
  returnUrl: 'https://shop.example/thanks',
  notifyUrl: process.env.TOLLGATE_NOTIFY_URL,
  ipAddress: '203.0.113.7',
  productInfoList: [{ sku: 'A-1', productName: 'Scarf', price: '24.00', quantity: '1' }],
})

console.log(order.payUrl)
