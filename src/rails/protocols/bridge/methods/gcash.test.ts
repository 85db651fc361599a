import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBankCharge } from '../../../../../test/builders/bank-charge.ts'
import { testChannelContract } from '../../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../../test/contracts/sandbox-driver.ts'
import { readEmv } from '../../../toolkit/formats/emv-qr.ts'
import type { BankCharge } from '../bank/charge.ts'
import { gcashAction } from './gcash.ts'

const charge = aBankCharge({
  money: { amount: 10_00n, currency: 'PHP' },
  account: '217020999901',
  bic: 'GXCHPHM2XXX',
  paymentReference: 'TG000000001',
})

test('a payer of GCash is shown a code for the amount', () => {
  const action = gcashAction(charge)
  assert.equal(action?.kind, 'qr')
  assert.equal(action.reference, 'TG000000001')
  assert.equal(action.appUrl, 'https://bank.example/C-1')
  assert.equal(readEmv(action.qrCode)?.get('54'), '10.00')
})

test('a charge without a valid code is never shown', () => {
  const wrong: readonly Partial<BankCharge>[] = [
    { money: undefined },
    { money: { amount: 10_00n, currency: 'USD' } },
    { account: '' },
    { bic: 'DEUTDEFF' },
    { paymentReference: '' },
  ]
  for (const change of wrong) assert.equal(gcashAction({ ...charge, ...change }), undefined)
})

const money = { amount: 1_250_50n, currency: 'PHP' }
const details = { osType: 'ANDROID' }

testChannelContract('GCash', () => openSandboxDriver({ method: 'gcash', money, terminal: 'WAP', details }))
