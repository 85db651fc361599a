import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QRPay } from 'vietnam-qr-pay'
import { aBankCharge } from '../../../../../test/builders/bank-charge.ts'
import { aReference } from '../../../../../test/builders/reference.ts'
import type { BankCharge } from '../bank/charge.ts'
import { vnBankAction } from './vn-bank.ts'

const charge = aBankCharge({
  money: { amount: 250_000n, currency: 'VND' },
  account: '962470000000042',
  paymentReference: 'TG000000042',
  extra: { vaBankId: '970436', payBy: 'qrcode' },
})

test('a payer in Vietnam is shown a code for an account at the chosen bank', () => {
  const action = vnBankAction(aReference, charge)
  assert.equal(action?.kind, 'qr')
  assert.deepEqual(
    { account: action.account, bank: action.bank, bic: action.bic },
    { account: '962470000000042', bank: 'Vietcombank', bic: 'BFTVVNVX' },
  )
  const code = new QRPay(action.qrCode)
  assert.deepEqual(
    { isValid: code.isValid, bankBin: code.consumer.bankBin, amount: code.amount },
    { isValid: true, bankBin: '970436', amount: '250000' },
  )
})

test('a payer in Vietnam is shown a virtual account with the name and BIC of its bank', () => {
  const action = vnBankAction(aReference, { ...charge, extra: { vaBankId: '970407', payBy: 'va' } })
  assert.equal(action?.kind, 'transfer')
  assert.deepEqual(
    { accountKind: action.accountKind, bank: action.bank, bic: action.bic },
    { accountKind: 'va', bank: 'Techcombank', bic: 'VTCBVNVX' },
  )
  assert.equal(action.account, '962470000000042')
})

test('an invalid account, or one at an unknown bank, is never shown', () => {
  const wrong: readonly Partial<BankCharge>[] = [
    { extra: { vaBankId: '970499', payBy: 'va' } },
    { extra: {} },
    { account: '42' },
    { paymentReference: '' },
    { money: { amount: 1n, currency: 'USD' } },
  ]
  for (const change of wrong) assert.equal(vnBankAction(aReference, { ...charge, ...change }), undefined)
})
