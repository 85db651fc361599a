// Pays out to a Pix key. Prints your number, the gateway's number and payCode: 0 paid, 1 failed, 2 pending.
import { tollgate } from './tollgate.ts'

// In live, /payout accepts MD5 only from addresses on the merchant's list. Otherwise give the client an RSA key.
const payout = await tollgate.payOut('pix', {
  merOrderNo: `payout-${Date.now()}`,
  currencyCode: 'BRL',
  sourceAmount: '5.00',
  cardNo: '12ABC34501DE35', // the Pix key
  benFirstName: 'Example',
  benLastName: 'Payee',
  notifyUrl: process.env.TOLLGATE_NOTIFY_URL,
})

console.log(payout.merOrderNo, payout.tradeNo, payout.answer?.payCode)
