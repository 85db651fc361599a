import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEntered } from './read-entered.ts'

const taken = [
  ['card', 'cardNo', '4242424242424242', '4242424242424242'],
  ['card', 'billingCountry', 'PE', 'PE'],
  ['card', 'billingEmail', 'payer@example.com', 'payer@example.com'],
  ['vn_bank', 'vaBankId', '970436', 970_436],
  ['pix', 'askedByNobodyElse', 'any text', 'any text'],
] as const

for (const [method, name, text, value] of taken) {
  test(`${name} of ${method} is read by the rules of the interface`, () => {
    assert.deepEqual(readEntered(method, { name, maxLength: 100 }, text), { value })
  })
}

const refused = [
  ['card', 'cardNo', '4242424242424241'],
  ['card', 'cardSecurityCode', '12'],
  ['card', 'billingCountry', 'Peru'],
  ['card', 'billingEmail', 'nobody'],
  ['card', 'billingFirstName', 'x'.repeat(51)],
  ['card', 'billingCity', 'Li\u0000ma'],
  ['vn_bank', 'vaBankId', '97x'],
  ['crypto', 'coin', 'DOGE'],
  ['pix', 'askedByNobodyElse', 'x'.repeat(101)],
] as const

for (const [method, name, text] of refused) {
  test(`${name} of ${method} is refused when it breaks the interface's rule or is too long`, () => {
    assert.equal(readEntered(method, { name, maxLength: 100 }, text), undefined)
  })
}
