import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBankCharge } from '../../../../../test/builders/bank-charge.ts'
import { perTransferAction } from './per-transfer.ts'

const charge = aBankCharge({
  money: { amount: 10_00n, currency: 'PEN' },
  account: '00219119184091600051',
  bank: 'BCP',
  paymentReference: 'TG000000042',
})

test('a payer of PerTransfer is shown CCI, bank and reference', () => {
  assert.deepEqual(perTransferAction(charge), {
    kind: 'transfer',
    accountKind: 'cci',
    account: '00219119184091600051',
    bank: 'BCP',
    payee: 'Corner Shop',
    reference: 'TG000000042',
    appUrl: 'https://bank.example/C-1',
  })
})

test("the bank's BIC is shown if it is valid", () => {
  assert.deepEqual(perTransferAction({ ...charge, bic: 'bank 5' }), perTransferAction(charge))
  const action = perTransferAction({ ...charge, bic: 'SBOXPEPLXXX' })
  assert.deepEqual(action, { ...perTransferAction(charge), bic: 'SBOXPEPLXXX' })
})

test('a CCI with a wrong check digit is never shown', () => {
  for (const account of ['00219119184091600050', '00219119184091600041', '0021911918409160005', ''])
    assert.equal(perTransferAction({ ...charge, account }), undefined, account)
})
