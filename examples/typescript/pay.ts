// Takes a card payment. Prints its number, the gateway's number and payCode: 0 paid, 1 declined, 2 pending.
import { TollgateError } from '@tollgate/sdk'
import { tollgate } from './tollgate.ts'

const billing = {
  billingFirstName: 'Example',
  billingLastName: 'Payer',
  billingAddress1: '1 Example Street',
  billingCity: 'Austin',
  billingState: 'TX',
  billingCountry: 'US',
  billingZipCode: '78701',
  billingPhone: '15125550100',
  billingEmail: 'payer@example.com',
}
const shipping = {
  shippingFirstName: 'Example',
  shippingLastName: 'Payer',
  shippingAddress1: '1 Example Street',
  shippingCity: 'Austin',
  shippingState: 'TX',
  shippingCountry: 'US',
  shippingZipCode: '78701',
  shippingPhone: '15125550100',
  shippingEmail: 'payer@example.com',
}

try {
  const order = await tollgate.pay('card', {
    merOrderNo: `order-${Date.now()}`, // your own number, a new one for each order
    currencyCode: 'USD',
    sourceAmount: '12.34', // a text with two decimals, not a number
    returnUrl: 'https://shop.example/thanks',
    notifyUrl: process.env.TOLLGATE_NOTIFY_URL,
    cardNo: '4242424242424242',
    cardExpireMonth: '12',
    cardExpireYear: '2030',
    cardSecurityCode: '123',
    ...billing,
    ...shipping,
    userAgent: 'Mozilla/5.0', // the payer's browser and address
    ipAddress: '203.0.113.7',
    productInfoList: [{ sku: 'A-1', productName: 'Scarf', price: '12.34', quantity: '1' }],
  })
  // `order.status` says the same in words. A pending order may have a payUrl: send the payer there.
  console.log(order.merOrderNo, order.tradeNo, order.answer?.payCode)
} catch (error) {
  if (!(error instanceof TollgateError) || error.next !== 'ask-by-number') throw error
  // No answer came. Do not pay again: ask for the order by its number.
  console.log((await error.order?.resolve())?.status)
}
