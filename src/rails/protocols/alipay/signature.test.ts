import assert from 'node:assert/strict'
import { createVerify, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { fromAlipayTime, pageExpiry, pageUrl, toAlipayTime } from './page.ts'
import { isSignedNotice, readAnswer, signParams } from './signature.ts'

const ours = rsaPair('gateway')
const alipay = rsaPair('counterparty')
const signed = (text: string, key = alipay.privateKey) =>
  sign('sha256', Buffer.from(text), key).toString('base64')

describe('a request of ours', () => {
  it('is signed over its non-empty parameters in order of name', () => {
    const { sign: signature = '', ...rest } = signParams({ b: '2&', a: '1', c: '', Z: '支' }, ours.privateKey)
    assert.deepEqual(rest, { b: '2&', a: '1', c: '', Z: '支' })
    const verify = createVerify('RSA-SHA256').update('Z=支&a=1&b=2&')
    assert.ok(verify.verify(ours.publicKey, signature, 'base64'))
  })

  it('leads the payer to a page that says what is paid, until when, and where to come back', () => {
    const app = { url: 'https://alipay.example/gateway.do', appId: '9021', privateKey: ours.privateKey }
    const request = makeRequest({ method: 'alipay', money: { amount: 1_250n, currency: 'EUR' } }, 'pays')
    const address = pageUrl(app, request, new Date('2026-11-15T20:00:01Z'))
    const { sign: signature = '', ...params } = Object.fromEntries(new URL(address).searchParams)
    const text = Object.keys(params)
      .sort()
      .map((name) => `${name}=${params[name]}`)
      .join('&')
    assert.ok(createVerify('RSA-SHA256').update(text).verify(ours.publicKey, signature, 'base64'))
    assert.equal(params.timestamp, '2026-11-16 04:00:01')
    assert.equal(params.notify_url, request.callbackUrl)
    assert.equal(params.return_url, request.completeUrl)
    const content = JSON.parse(params.biz_content ?? '')
    assert.equal(content.total_amount, '12.50')
    assert.equal(content.trans_currency, 'EUR')
    const seconds = Math.floor(request.expiresAt.getTime() / 1000)
    assert.deepEqual(pageExpiry({ kind: 'redirect', url: address }), new Date(seconds * 1000))
    assert.equal(pageExpiry({ kind: 'redirect', url: 'https://other.example' }), undefined)
  })
})

describe('a notification', () => {
  const params = { app_id: '9021', out_trade_no: 'A1', total_amount: '12.50', empty: '' }
  const text = 'app_id=9021&out_trade_no=A1&total_amount=12.50'
  const notice = { ...params, sign_type: 'RSA2', sign: signed(text) }

  it('is accepted when Alipay signed it', () => {
    assert.ok(isSignedNotice(notice, alipay.publicKey))
  })

  it('is refused when any part was changed, added or removed, or another key signed it', () => {
    const { total_amount: _amount, ...less } = notice
    const changed = [
      { ...notice, total_amount: '12.51' },
      { ...notice, more: 'x' },
      less,
      { ...notice, sign_type: 'RSA' },
      { ...notice, sign: '' },
      { ...notice, sign: ` ${notice.sign}` },
      { ...notice, sign: signed(text, ours.privateKey) },
      params,
    ]
    for (const one of changed) assert.ok(!isSignedNotice(one, alipay.publicKey), JSON.stringify(one))
  })
})

describe('an answer', () => {
  const content = '{"code":"10000","msg":"Success","sub":{"sign":"x"},"total_amount":"12.50"}'
  const answer = (text: string, sign: string) => `{"alipay_trade_query_response":${text},"sign":"${sign}"}`

  it('is accepted when Alipay signed its exact content', () => {
    const node = 'alipay_trade_query_response'
    assert.deepEqual(readAnswer(answer(content, signed(content)), alipay.publicKey), {
      node,
      content: JSON.parse(content),
    })
  })

  it('is refused when the content was changed, even only its spaces, or is not signed', () => {
    const sign = signed(content)
    const spaced = content.replace(':', ': ')
    const wrong = [
      answer(content.replace('12.50', '12.51'), sign),
      answer(spaced, sign),
      answer(content, signed(content, ours.privateKey)),
      answer(content, ''),
      `{"alipay_trade_query_response":${content}}`,
      `{"error_response":${content},"x":{},"sign":"${sign}"}`,
      '<html>',
      '',
    ]
    for (const text of wrong) assert.equal(readAnswer(text, alipay.publicKey), undefined, text)
  })
})

describe("Alipay's times", () => {
  it('are eight hours ahead of UTC, and are read back', () => {
    const at = new Date('2026-12-31T16:00:00Z')
    assert.equal(toAlipayTime(at), '2027-01-01 00:00:00')
    assert.deepEqual(fromAlipayTime('2027-01-01 00:00:00'), at)
    for (const text of ['2027-13-01 00:00:00', '2027-01-01', ''])
      assert.equal(fromAlipayTime(text), undefined)
  })
})
