import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from '../../../../platform/http/client/http-client.ts'
import { readCharge } from './charge.ts'

const deposit = {
  id: 'd-1',
  at: '2026-11-16T02:00:00.440Z',
  amount: '4590',
  currency: 'EUR',
  payerName: 'Payer',
}
const charge = {
  id: 'c-1',
  reference: 'r-1',
  status: 'paid',
  amount: '4590',
  currency: 'EUR',
  deposits: [deposit],
}

/** Reads the charge from JSON, as in a callback or a response. */
const read = (changes: object) => readCharge(parseJson(JSON.stringify({ ...charge, ...changes })))

test('a charge with its deposits is read', () => {
  assert.equal(read({})?.deposits[0]?.at.toISOString(), deposit.at)
})

test('a charge that the database could not store is not read', () => {
  const years = ['.440Z', '0001-01-01T00:00:00Z', '+275760-09-13T00:00:00.000Z']
  for (const at of years) assert.equal(read({ deposits: [{ ...deposit, at }] }), undefined, at)
  assert.equal(read({ deposits: [{ ...deposit, payerName: 'a\0b' }] }), undefined)
  assert.equal(read({ reason: '\0' }), undefined)
})

test('money that is listed twice is not counted twice', () => {
  assert.equal(read({ deposits: [deposit, deposit] }), undefined)
  assert.equal(read({ deposits: [deposit, { ...deposit, amount: '1' }] }), undefined)
  assert.equal(read({ deposits: [deposit, { ...deposit, id: 'd-2' }] })?.deposits.length, 2)
})
