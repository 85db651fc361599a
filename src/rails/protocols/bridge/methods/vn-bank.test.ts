import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QRPay } from 'vietnam-qr-pay'
import { aBankCharge } from '../../../test/bank-charge.ts'
import { aReference } from '../../../test/reference.ts'
import type { BankCharge } from '../bank/charge.ts'
import { vnBankAction } from './action.ts'

const charge = aBankCharge({
  money: { amount: 250_000n, currency: 'VND' },
  account: '962470000000042',
  paymentReference: 'TG000000042',
  extra: { vaBankId: '970436', payBy: 'qrcode' },
})

test('a payer in Vietnam is shown a code for an account at the chosen bank', () => {
  const action = vnBankAction(aReference, charge)
  assert.equal(action?.kind, 'qr')
  assert.deepEqual([action.account, action.bank, action.bic], ['962470000000042', 'Vietcombank', 'BFTVVNVX'])
  const code = new QRPay(action.qrCode)
  assert.deepEqual([code.isValid, code.consumer.bankBin, code.amount], [true, '970436', '250000'])
})

test('a payer in Vietnam is shown a virtual account with the name and BIC of its bank', () => {
  const action = vnBankAction(aReference, { ...charge, extra: { vaBankId: '970407', payBy: 'va' } })
  assert.equal(action?.kind, 'transfer')
  assert.deepEqual([action.accountKind, action.bank, action.bic], ['va', 'Techcombank', 'VTCBVNVX'])
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
