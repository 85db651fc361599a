import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clabe } from 'clabe-validator'
import { isValidBIC, isValidIBAN } from 'ibantools'
import { isCci } from '../../src/rails/toolkit/formats/cci.ts'
import { isCreditorReference } from '../../src/rails/toolkit/formats/epc-qr.ts'
import { allotments } from './accounts.ts'
import type { BankOrder } from './charge.ts'

const order: BankOrder = {
  reference: 'A1',
  amount: '1000',
  currency: 'EUR',
  returnUrl: '',
  callbackUrl: '',
  payee: 'Corner Shop',
  extra: {},
}
const numbers = [...Array.from({ length: 200 }, (_, at) => at + 1), 9_999_999, 10_000_000]

test('every SPEI charge has its own valid CLABE', () => {
  const accounts = numbers.map((no) => allotments.spei(no).account)
  for (const account of accounts) {
    const { ok, error } = clabe.validate(account)
    assert.ok(ok, `${account} ${error}`)
  }
  assert.equal(new Set(accounts).size, numbers.length)
})

test('every PerTransfer charge has its own CCI with both check digits', () => {
  const accounts = numbers.map((no) => allotments.per_transfer(no, order).account)
  for (const account of accounts) assert.ok(isCci(account), account)
  assert.equal(new Set(accounts).size, numbers.length)
})

test('every bank for transfers has a BIC', () => {
  for (const { bank, bic } of [allotments.spei(1), allotments.per_transfer(1, order), allotments.sepa(1)])
    assert.ok(bank !== '' && isValidBIC(bic), bic)
})

test("only the end of a Peruvian payer's document number is stored", () => {
  const { extra } = allotments.per_transfer(1, { ...order, extra: { payerDocument: '41552384' } })
  assert.deepEqual(extra, { payerDocument: '384' })
})

test('every SEPA charge has its own IBAN and creditor reference', () => {
  const all = numbers.map((no) => allotments.sepa(no))
  for (const { account, bic, paymentReference } of all) {
    assert.ok(isValidIBAN(account), account)
    assert.ok(isValidBIC(bic))
    assert.ok(isCreditorReference(paymentReference), paymentReference)
  }
  assert.equal(new Set(all.map(({ account }) => account)).size, numbers.length)
})

test('codes pay to one shop in the Philippines and to virtual accounts in Vietnam, distinguished by reference', () => {
  for (const method of ['gcash', 'vn_bank'] as const) {
    const references = numbers.map((no) => allotments[method](no).paymentReference)
    assert.equal(new Set(references).size, numbers.length)
  }
  assert.equal(new Set(numbers.map((no) => allotments.vn_bank(no).account)).size, numbers.length)
})
