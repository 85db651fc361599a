import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCardPayment, signed } from '../../../test/harness/merchant-frame.ts'
import { MASK, MOST_CHARACTERS, shownAnswer, shownBody, shownMessage } from './log-request.ts'

test('values of known fields are shown, secret ones are masked, and names stay', () => {
  const body = signed(aCardPayment({ merOrderNo: 'A-1', socialSecurityNumber: '52998224725' }))
  const shown = JSON.parse(shownBody(body))
  assert.deepEqual(Object.keys(shown), Object.keys(body))
  assert.equal(shown.merOrderNo, 'A-1')
  assert.deepEqual(shown.productInfoList, body.productInfoList)
  for (const name of ['cardNo', 'cardSecurityCode', 'cardExpireMonth', 'sign', 'socialSecurityNumber'])
    assert.equal(shown[name], MASK, name)
})

test('a value under a name that the interface does not know is masked at every level', () => {
  const body = JSON.parse(
    '{"merNo":1,"pan":"4242424242424242","__proto__":{"cvv":"123"},"browser":{"userAgent":"x","pan":"42"},' +
      '"productInfoList":[{"sku":"s","cardNo":"42"},7],"info":{"payerName":"N"},"applePayToken":"T"}',
  )
  assert.equal(
    shownBody(body),
    '{"merNo":1,"pan":"***","__proto__":"***","browser":{"userAgent":"x","pan":"***"},' +
      '"productInfoList":[{"sku":"s","cardNo":"***"},7],"info":"***","applePayToken":"***"}',
  )
})

test('long bodies and responses are cut', () => {
  const products = Array.from({ length: 500 }, () => ({ sku: 'x'.repeat(64) }))
  assert.equal(shownBody({ productInfoList: products }).length, MOST_CHARACTERS + 1)
  const answer = shownAnswer(
    '/order/queryOrderList',
    { code: '00000', message: 'x'.repeat(9_000) },
    undefined,
  )
  assert.equal(answer.length, MOST_CHARACTERS + 1)
})

test("our signature, a beneficiary's link and the string of a wrong signature are not in a response", () => {
  const data = { tradeNo: 'T1', payUrl: 'https://pay.example/p/secret' }
  const envelope = { code: '00000', message: 'SUCCESS', data, sign: 'ABC' } as const
  const shown = (path: '/payout' | '/payment') => shownAnswer(path, envelope, JSON.stringify(envelope))
  assert.match(shown('/payment'), /p\/secret.*"sign":"\*{3}"/)
  assert.doesNotMatch(shown('/payout'), /secret|ABC/)
  const message = 'Signature error: sign must be the SHA256withRSA signature, in base64, of cardNo=42'
  assert.equal(
    shownMessage('10015', message),
    'Signature error: sign must be the SHA256withRSA signature, in base64',
  )
  assert.doesNotMatch(shownAnswer('/payment', { code: '10015', message }, undefined), /cardNo/)
})
