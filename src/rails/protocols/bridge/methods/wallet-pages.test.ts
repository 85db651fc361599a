// What payers see of charges whose code or parameters come from the bridge.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aBankCharge } from '../../../test/bank-charge.ts'
import type { BankCharge } from '../bank/charge.ts'
import { writeBrCode } from '../pix/br-code.ts'
import { pixAction } from './pix.ts'
import { walletAction, wechatAction } from './wallet-pages.ts'

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

describe("a wallet's charge of a bridge", () => {
  const all = aBankCharge({ qrCode: 'weixin://wxpay/1', sdkParams: '{"prepayid":"wx1"}' })
  const at = (terminal: string) => ({ ...all, extra: { terminal } })
  const url = 'https://bank.example/C-1'

  it('gives each terminal what it can open', () => {
    assert.deepEqual(walletAction(at('WEB')), { kind: 'qr', qrCode: 'weixin://wxpay/1', appUrl: url })
    assert.deepEqual(walletAction(at('WAP')), { kind: 'redirect', url })
    for (const terminal of ['APP', 'MINI_APP'])
      assert.deepEqual(walletAction(at(terminal)), { kind: 'app', sdkParams: '{"prepayid":"wx1"}' })
  })

  it('tells WeChat Pay where its payer comes from', () => {
    assert.deepEqual(wechatAction(at('WAP')), { kind: 'redirect', url, referrer: 'origin' })
    assert.deepEqual(wechatAction(at('WEB')), walletAction(at('WEB')))
  })

  it('gives an app nothing that only a browser can open, and a browser nothing for apps', () => {
    const { sdkParams: _params, ...page } = all
    assert.equal(walletAction({ ...page, extra: { terminal: 'APP' } }), undefined)
    const { qrCode: _code, payerUrl: _url, ...params } = all
    assert.equal(walletAction({ ...params, extra: { terminal: 'WEB' } }), undefined)
  })
})
