import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPayout } from './read-payout.ts'

const card = {
  merOrderNo: 'payout-1',
  currencyCode: 'EUR',
  sourceAmount: '10.00',
  withdrawType: '1',
  notifyUrl: 'https://shop.example/notify',
  cardNo: '4242424242424242',
  benFirstName: 'Test',
  benLastName: 'Payee',
  mobile: '+15125550100',
}

test("a card's expiry date is read if both parts are well formed, and never stored with the payout", () => {
  const read = (more: object) => readPayout({ ...card, ...more }, () => false)
  const payout = read({ cardExpireMonth: '03', cardExpireYear: '2030' })
  assert.deepEqual(payout.expiry, { month: '03', year: '2030' })
  assert.doesNotMatch(JSON.stringify([payout.details, payout.personal]), /2030|cardExpire/)
  const others = [
    {},
    { cardExpireMonth: '03' },
    { cardExpireMonth: '13', cardExpireYear: '2030' },
    { cardExpireMonth: '3', cardExpireYear: '30' },
  ]
  for (const more of others) assert.equal(read(more).expiry, undefined)
})
