import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBankCharge } from '../../../../../test/builders/bank-charge.ts'
import type { BankCharge } from '../bank/charge.ts'
import { sepaAction } from './sepa.ts'

const charge = aBankCharge({
  money: { amount: 24_00n, currency: 'EUR' },
  account: 'DE89370400440532013000',
  bank: 'Sandbox Bank',
  bic: 'COBADEFFXXX',
  paymentReference: 'RF18539007547034',
})

test('a payer of SEPA is shown IBAN, BIC and reference, also as a QR code', () => {
  const action = sepaAction(charge)
  assert.equal(action?.kind, 'transfer')
  const { account, accountKind, bic, payee, reference, qrCode } = action
  assert.deepEqual(
    { accountKind, account, bic },
    { accountKind: 'iban', account: charge.account, bic: charge.bic },
  )
  const lines = qrCode?.split('\n') ?? []
  assert.deepEqual(lines.slice(4), [bic, payee, account, 'EUR24.00', '', reference])
})

test('a name is cut to the length of a transfer, in the code and in the text', () => {
  const action = sepaAction({ ...charge, payee: `${'x'.repeat(69)}€€` })
  assert.equal(action?.kind, 'transfer')
  assert.equal(action.payee, `${'x'.repeat(69)}€`)
  assert.equal(action.qrCode?.split('\n')[5], action.payee)
})

test('an invalid IBAN or BIC is never shown', () => {
  const wrong: readonly Partial<BankCharge>[] = [
    { account: 'DE88370400440532013000' },
    { account: 'DE89 3704 0044 0532 0130 00' },
    { bic: 'COBADE' },
    { bic: '' },
    { paymentReference: '' },
    { payee: '' },
  ]
  for (const change of wrong) assert.equal(sepaAction({ ...charge, ...change }), undefined)
})
