import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aBankCharge } from '../../../../../test/builders/bank-charge.ts'
import { writeBrCode } from '../../../toolkit/formats/br-code.ts'
import type { BankCharge } from '../bank/charge.ts'
import { pixAction } from './pix.ts'

describe('a Pix charge of a bridge', () => {
  const money = { amount: 12_50n, currency: 'BRL' }
  const location = 'pix.example/qr/v2/1'
  const qrCode = writeBrCode({ money, location, payeeName: 'Corner Shop', payeeCity: 'Recife' })
  const charge = aBankCharge({ money, qrCode })

  it('shows the BR Code with the payee that the code names', () => {
    assert.deepEqual(pixAction(charge), {
      kind: 'qr',
      qrCode,
      payee: 'Corner Shop',
      reference: 'A1',
      appUrl: 'https://bank.example/C-1',
    })
    assert.partialDeepStrictEqual(pixAction({ ...charge, paymentReference: 'txid1' }), { reference: 'txid1' })
  })

  it('shows no code that is wrong, or asks for another amount', () => {
    const { qrCode: _code, ...without } = charge
    const wrong: readonly BankCharge[] = [
      without,
      { ...charge, qrCode: qrCode.replace('12.50', '12.51') },
      { ...charge, money: { amount: 12_51n, currency: 'BRL' } },
      { ...charge, money: { amount: 12_50n, currency: 'USD' } },
      { ...charge, qrCode: 'https://bank.example/pay' },
    ]
    for (const one of wrong) assert.equal(pixAction(one), undefined, JSON.stringify(one.qrCode))
  })
})
