import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aBankCharge } from '../../../../../test/builders/bank-charge.ts'
import { walletAction, wechatAction } from './wallet-pages.ts'

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
