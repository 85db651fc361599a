import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBankCharge } from '../../../../../test/builders/bank-charge.ts'
import type { BankCharge } from '../bank/charge.ts'
import { speiAction } from './spei.ts'

const charge = aBankCharge({
  money: { amount: 10_00n, currency: 'MXN' },
  account: '032180000118359719',
  bank: 'STP',
  paymentReference: '0000042',
})

test('a payer of SPEI is shown CLABE, bank and reference', () => {
  assert.deepEqual(speiAction(charge), {
    kind: 'transfer',
    accountKind: 'clabe',
    account: '032180000118359719',
    bank: 'STP',
    payee: 'Corner Shop',
    reference: '0000042',
    appUrl: 'https://bank.example/C-1',
  })
})

test("the bank's BIC is shown if it is valid", () => {
  assert.deepEqual(speiAction({ ...charge, bic: 'bank 5' }), speiAction(charge))
  const action = speiAction({ ...charge, bic: 'SBOXMXMMXXX' })
  assert.deepEqual(action, { ...speiAction(charge), bic: 'SBOXMXMMXXX' })
})

test('a CLABE with a wrong check digit, or a reference that a payer cannot type, is never shown', () => {
  const wrong: readonly Partial<BankCharge>[] = [
    { account: '032180000118359718' },
    { account: '' },
    { paymentReference: '12345678' },
    { paymentReference: 'ORDER' },
  ]
  for (const change of wrong) assert.equal(speiAction({ ...charge, ...change }), undefined)
})
