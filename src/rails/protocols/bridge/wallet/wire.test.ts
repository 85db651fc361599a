import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCharge } from '../bank/charge.ts'
import { paymentOf, toSheet } from './wire.ts'

const payment = { reference: 'A1', merNo: 10_001, money: { amount: 1_250n, currency: 'USD' } }
const secret = 'ours alone'

test("a sheet's payment is charged only if it is exactly what we requested", () => {
  const paymentIn = (changed: object = {}, extra: object = {}) => {
    const charge = { id: '1', reference: 'A1', status: 'paid', amount: '1250', currency: 'USD', deposits: [] }
    const read = readCharge({ ...charge, extra: { ...toSheet(payment, secret), ...extra }, ...changed })
    assert.ok(read)
    return paymentOf(read, secret)
  }
  assert.deepEqual(paymentIn(), payment)
  for (const changed of [{ amount: '1251' }, { currency: 'EUR' }, { reference: 'A2' }])
    assert.equal(paymentIn(changed), undefined)
  for (const extra of [{ merNo: '10002' }, { merNo: 'x' }, { seal: undefined }, { seal: '' }])
    assert.equal(paymentIn({}, extra), undefined)
})
