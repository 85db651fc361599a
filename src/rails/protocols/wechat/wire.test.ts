import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import type { Fields } from '../../../platform/base/object.ts'
import { actionIn, fromNewRefund, fromOrder, fromRefund, toOrder } from './wire.ts'

const account = { mchid: '1900000001', appid: 'wx1' }
const order = {
  ...account,
  out_trade_no: 'A1',
  transaction_id: '4200001',
  trade_state: 'SUCCESS',
  amount: { total: 1250, currency: 'HKD' },
}
const read = (changed: Fields) => fromOrder({ ...order, ...changed }, { reference: 'A1', account })

test('an order returns the paid amount, also after a refund', () => {
  const money = { amount: 1_250n, currency: 'HKD' }
  for (const trade_state of ['SUCCESS', 'REFUND'])
    assert.deepEqual(read({ trade_state }), { kind: 'succeeded', money, channelRef: '4200001' })
})

test('an order that is malformed or not ours is unknown', () => {
  const nonsense: readonly Fields[] = [
    { out_trade_no: 'A2' },
    { mchid: '1900000002' },
    { trade_state: 'ACCEPT' },
    { trade_state: 'NOTPAY' },
    { amount: { total: '1250', currency: 'HKD' } },
    { amount: { total: 12.5, currency: 'HKD' } },
    { amount: { total: -1, currency: 'HKD' } },
    { amount: { total: 1250, currency: 'XXX1' } },
    { amount: undefined },
  ]
  for (const changed of nonsense) assert.equal(read(changed).kind, 'unknown', JSON.stringify(changed))
  assert.equal(fromOrder(undefined, { reference: 'A1', account }).kind, 'unknown')
})

const money = { amount: 1_250n, currency: 'CNY' }
const scanning = makeRequest({ method: 'wechat', money, terminal: 'WEB' }, 'pays')
const onPhone = makeRequest(
  { method: 'wechat', money, terminal: 'WAP', details: { ipAddress: '::1' } },
  'pays',
)

test('an order says who is paid, how much, until when, and from which phone', () => {
  const { scene_info, time_expire, ...content } = toOrder(onPhone, account)
  assert.deepEqual(content, {
    ...account,
    description: 'Test shop',
    out_trade_no: onPhone.reference,
    notify_url: onPhone.callbackUrl,
    amount: { total: 1250, currency: 'CNY' },
  })
  assert.deepEqual(scene_info, { payer_client_ip: '::1', h5_info: { type: 'Wap' } })
  assert.match(String(time_expire), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  assert.equal(Math.floor(onPhone.expiresAt.getTime() / 1000), Date.parse(String(time_expire)) / 1000)
})

const sdkParams = () => assert.fail('no SDK is called from a browser')

test('a payer scans a code, or is redirected to a page on the phone and back', () => {
  const code = 'weixin://wxpay/bizpayurl?pr=abc'
  assert.deepEqual(actionIn({ code_url: code }, scanning, sdkParams), { kind: 'qr', qrCode: code })
  const page = actionIn({ h5_url: 'https://wx.example/h5?prepay_id=1' }, onPhone, sdkParams)
  assert.equal(page?.kind, 'redirect')
  assert.equal(page.referrer, 'origin')
  const url = new URL(page.url)
  assert.equal(url.searchParams.get('prepay_id'), '1')
  assert.equal(url.searchParams.get('redirect_url'), onPhone.completeUrl)
  for (const content of [{}, { code_url: '' }, { code_url: 'a b' }, undefined, { h5_url: 'x' }])
    assert.equal(actionIn(content, scanning, sdkParams), undefined)
  for (const content of [{}, { h5_url: 'weixin://x' }, { code_url: code }])
    assert.equal(actionIn(content, onPhone, sdkParams), undefined)
})

test('a refund in an unknown state, or about another refund, is unknown', () => {
  const request = { reference: 'A1', money, refundReference: 'R1', refund: money }
  const content = {
    out_refund_no: 'R1',
    refund_id: '50',
    status: 'SUCCESS',
    amount: { refund: 1250, currency: 'CNY' },
  }
  const read = (changed: Fields) =>
    fromRefund({ kind: 'answer', status: 200, body: { ...content, ...changed } }, request)
  assert.deepEqual(read({}), { kind: 'succeeded', money, channelRef: '50' })
  for (const changed of [{ status: 'ABNORMAL' }, { out_refund_no: 'R2' }, { amount: { refund: 0 } }])
    assert.equal(read(changed).kind, 'unknown')
})

test('only the answer to a refund refuses it, for reasons that are about the refund', () => {
  const request = { reference: 'A1', money, refundReference: 'R1', refund: money }
  const answer = (status: number, code: string) => ({ kind: 'answer', status, body: { code } }) as const
  const kinds = [
    [400, 'INVALID_REQUEST', 'failed'],
    [403, 'NOT_ENOUGH', 'failed'],
    [403, 'USER_ACCOUNT_ABNORMAL', 'failed'],
    [400, 'PARAM_ERROR', 'failed'],
    [403, 'NO_AUTH', 'unknown'],
    [403, 'RULE_LIMIT', 'unknown'],
    [400, 'SYSTEM_ERROR', 'unknown'],
    [400, 'A_NEW_REASON', 'unknown'],
    [404, 'MCH_NOT_EXISTS', 'unknown'],
    [401, 'SIGN_ERROR', 'unknown'],
    [429, 'FREQUENCY_LIMITED', 'unknown'],
    [500, 'SYSTEM_ERROR', 'unknown'],
  ] as const
  for (const [status, code, kind] of kinds) {
    assert.equal(fromNewRefund(answer(status, code), request).kind, kind, code)
    assert.equal(fromRefund(answer(status, code), request).kind, 'unknown', code)
  }
})

test('a refund that is not decided has the code of WeChat Pay, without a card number in it', () => {
  const request = { reference: 'A1', money, refundReference: 'R1', refund: money }
  const whyWith = (code: unknown) => {
    const outcome = fromNewRefund({ kind: 'answer', status: 403, body: { code } }, request)
    return outcome.kind === 'unknown' ? outcome.why : outcome.kind
  }
  assert.equal(whyWith('NO_AUTH'), 'WeChat Pay responded 403 NO_AUTH')
  assert.equal(whyWith('X 4111111111111111'), 'WeChat Pay responded 403 X ***1111')
  for (const code of ['X'.repeat(256), '', 7, undefined])
    assert.equal(whyWith(code), 'WeChat Pay responded 403')
})
