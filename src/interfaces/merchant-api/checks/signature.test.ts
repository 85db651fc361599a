import assert from 'node:assert/strict'
import { createHash, createSign, createVerify } from 'node:crypto'
import { test } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import {
  aCardPayment,
  aMerchant,
  buildFrame,
  type JsonBody,
  KEY,
  platformKeys,
  signed,
} from '../../../../test/harness/merchant-frame.ts'
import { canonicalString, signerFor, signFields } from '../../../money/merchants/sign-fields.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex').toUpperCase()
const merchantKeys = rsaPair('merchant')
const rsa = (text: string) => createSign('sha256').update(text).sign(merchantKeys.privateKey, 'base64')

test('each endpoint accepts the MD5 of its fields in the documented order', async () => {
  const { post } = await buildFrame()
  const merNo = 100001
  const vectors: readonly [string, JsonBody, string][] = [
    ['/payment', aCardPayment(), '100001ORDER-1USD10.00'],
    ['/order/query', { merNo, merOrderNo: 'A1', tradeNo: 'T1', queryType: 'sales' }, '100001A1T1'],
    ['/order/query', { merNo, merOrderNo: 'A1', queryType: 'sales' }, '100001A1'],
    ['/refund/apply', { merNo, merOrderNo: 'A1', amount: '5.00', tradeNo: 'T1' }, '100001A15.00T1'],
    ['/balance/query', { merNo, version: 'V3.0.1' }, '100001V3.0.1'],
    ['/balance/query', { merNo }, '100001'],
    ['/order/queryOrderList', { merNo }, '100001'],
    ['/order/queryAmount', { merNo }, '100001'],
    ['/review/submit', { merNo, tradeNo: 'T1' }, '100001T1'],
  ]
  for (const [path, body, text] of vectors) {
    const good = await post(path, { ...body, sign: md5(text + KEY) })
    assert.equal(good.body.code, '00000', `${path}: ${good.body.message}`)
    const bad = await post(path, { ...body, sign: md5(`${text}x${KEY}`) })
    assert.equal(bad.body.code, '10015', path)
  }
})

test('values are signed as sent', async () => {
  const { post } = await buildFrame()
  const asText = { ...aCardPayment({ merNo: '000100001' }), sign: md5(`000100001ORDER-1USD10.00${KEY}`) }
  assert.equal((await post('/payment', asText)).body.code, '00000')
})

test('lower case, a missing and a wrong signature are refused', async () => {
  const { post } = await buildFrame()
  const body = signed(aCardPayment())
  const codes = []
  for (const sign of [String(body.sign).toLowerCase(), '', 'x', '0'.repeat(32), `${body.sign} `])
    codes.push((await post('/payment', { ...body, sign })).body.code)
  assert.deepEqual(codes, ['10015', '10002', '10015', '10015', '10015'])
})

test('the refusal shows the string to sign in sandbox, but not in live', async () => {
  const wrong = { ...aCardPayment(), sign: '0'.repeat(32) }
  const sandbox = await (await buildFrame()).post('/payment', wrong)
  assert.ok(sandbox.body.message.includes('100001ORDER-1USD10.00<KEY>'))
  assert.ok(!sandbox.text.includes(KEY))
  const live = await (await buildFrame({ mode: 'live' })).post('/payment', wrong)
  assert.equal(live.body.message, 'Signature error')
})

test('the refusal of an RSA signature shows the string for RSA in sandbox, but not in live', async () => {
  const payment = aCardPayment({ returnUrl: 'https://shop.example/?a=1&tradeNo=2' })
  const forRsa = /sign must be the SHA256withRSA signature, in base64, of (.*)$/
  const sign = rsa('something else')
  const { publicKey: rsaKey } = merchantKeys
  for (const [merchant, given, why] of [
    [aMerchant({ rsaKey }), sign, 'returnUrl contains "&"'],
    [aMerchant(), sign, 'this merchant has no RSA public key: register it, or sign with MD5; '],
    [aMerchant({ requireRsa: true, rsaKey }), '0'.repeat(32), 'this merchant must sign with RSA; '],
    [aMerchant({ requireRsa: true }), '0'.repeat(32), 'this merchant must sign with RSA; '],
  ] as const) {
    const refused = async (mode: 'sandbox' | 'live') => {
      const { body } = await (await buildFrame({ mode, merchants: [merchant] })).post('/payment', {
        ...payment,
        sign: given,
      })
      assert.equal(body.code, '10015')
      return body.message
    }
    const message = await refused('sandbox')
    assert.ok(message.startsWith(`Signature error: ${why}`), message)
    const [, text = ''] = forRsa.exec(message) ?? assert.fail(message)
    const accepting = await buildFrame({ merchants: [aMerchant({ requireRsa: true, rsaKey })] })
    assert.equal((await accepting.post('/payment', { ...payment, sign: rsa(text) })).body.code, '00000')
    assert.doesNotMatch(await refused('live'), /merOrderNo=|ORDER-1|has no RSA/)
  }
  const { body } = await (await buildFrame()).post('/payment', { ...payment, sign: 'a'.repeat(64) })
  assert.match(body.message, /sign must be the MD5, in upper-case hex, of 100001ORDER-1USD10.00<KEY>$/)
})

test('two keys are valid while one is rotated out, and each use is reported', async () => {
  const fresh = { keyId: 'K2', key: 'fresh', usedAt: undefined, retiresAt: undefined }
  const old = { keyId: 'K1', key: 'old', usedAt: new Date(), retiresAt: new Date(Date.now() + 3_600_000) }
  const ended = { keyId: 'K0', key: 'ended', usedAt: new Date(), retiresAt: new Date(Date.now() - 1) }
  const frame = await buildFrame({ merchants: [aMerchant({ keys: [fresh, old, ended] })] })
  const codes = []
  for (const key of ['old', 'fresh', 'ended'])
    codes.push((await frame.post('/payment', signed(aCardPayment(), undefined, key))).body.code)
  assert.deepEqual(codes, ['00000', '00000', '10015'])
  assert.deepEqual(frame.keyUses, ['K1', 'K2'])
})

test('RSA covers the whole body: sorted, empty fields left out, objects and lists as sorted JSON', async () => {
  const rsaUse = { keyId: 'R1', usedAt: undefined }
  const frame = await buildFrame({ merchants: [aMerchant({ rsaKey: merchantKeys.publicKey, rsaUse })] })
  const body = {
    version: '',
    zero: 0,
    merorderNo: 'b',
    tradeNo: null,
    merOrderNo: 'a',
    merNo: 100001,
    flag: false,
    list: [],
    object: {},
    unknown: { z: [1, { y: true, a: null }], ä: 'ü"', b: '' },
    queryType: 'sales',
  }
  const text =
    'flag=false&list=[]&merNo=100001&merOrderNo=a&merorderNo=b&object={}&queryType=sales' +
    '&unknown={"b":"","z":[1,{"a":null,"y":true}],"ä":"ü\\""}&zero=0'
  assert.equal(canonicalString(body), text)
  const good = await frame.post('/order/query', { ...body, sign: rsa(text) })
  assert.equal(good.body.code, '00000', good.body.message)
  const misspelt = await frame.post('/order/query', { ...body, sing: rsa(text) })
  assert.equal(misspelt.body.code, '00000', misspelt.body.message)
  const changed = await frame.post('/order/query', { ...body, zero: 1, sign: rsa(text) })
  assert.equal(changed.body.code, '10015')
  assert.ok(changed.body.message.includes('&zero=1'))
  assert.deepEqual(frame.keyUses, ['R1', 'R1'], 'only the accepted requests used the key')
})

test('an RSA body must not contain numbers that JSON parsers read differently', async () => {
  const frame = await buildFrame({ merchants: [aMerchant({ rsaKey: merchantKeys.publicKey })] })
  for (const number of [1.5, 2 ** 53, -(2 ** 60)]) {
    const answer = await frame.post('/balance/query', { merNo: 100001, x: { number }, sign: rsa('any') })
    assert.equal(answer.body.code, '10015')
    assert.match(answer.body.message, /integers/)
  }
})

test('an RSA signature needs a registered key, and strict base64', async () => {
  const body = { merNo: 100001 }
  const sign = rsa('merNo=100001')
  const without = await (await buildFrame()).post('/balance/query', { ...body, sign })
  assert.equal(without.body.code, '10015')
  const frame = await buildFrame({ merchants: [aMerchant({ rsaKey: merchantKeys.publicKey })] })
  const codes = []
  for (const written of [sign, ` ${sign}`, sign.replace('=', '*')])
    codes.push((await frame.post('/balance/query', { ...body, sign: written })).body.code)
  assert.deepEqual(codes, ['00000', '10015', '10015'])
})

test('a merchant may require RSA and its own addresses for every request', async () => {
  const rsaOnly = aMerchant({ requireRsa: true, rsaKey: merchantKeys.publicKey })
  const payment = signed(aCardPayment())
  assert.equal(
    (await (await buildFrame({ merchants: [rsaOnly] })).post('/payment', payment)).body.code,
    '10015',
  )
  for (const [ips, code] of [
    [[], '10015'],
    [['10.1.2.3', '2001:db8::/32'], '10015'],
    [['127.0.0.0/8'], '00000'],
    [['127.0.0.1'], '00000'],
  ] as const) {
    const frame = await buildFrame({ merchants: [aMerchant({ requireIp: true, ips })] })
    assert.equal((await frame.post('/payment', payment)).body.code, code, ips.join())
  }
})

test('in live payouts accept MD5 only from listed addresses, and RSA from anywhere', async () => {
  const payout = {
    merNo: 100001,
    merOrderNo: 'P1',
    currencyCode: 'USD',
    sourceAmount: '1.00',
    withdrawType: '4',
    cardNo: 'k',
    benFirstName: 'A',
    benLastName: 'B',
  }
  const rsaKey = merchantKeys.publicKey
  const elsewhere = await buildFrame({ mode: 'live', merchants: [aMerchant({ rsaKey })] })
  const listed = await buildFrame({ mode: 'live', merchants: [aMerchant({ ips: ['127.0.0.1'] })] })
  const sandbox = await buildFrame()
  assert.equal((await elsewhere.post('/payout', signed(payout))).body.code, '10015')
  assert.equal((await listed.post('/payout', signed(payout))).body.code, '00000')
  assert.equal((await sandbox.post('/payout', signed(payout))).body.code, '00000')
  const byRsa = { ...payout, sign: rsa(canonicalString(payout)) }
  assert.equal((await elsewhere.post('/payout', byRsa)).body.code, '00000')
})

test('responses are signed for merchants who turned it on, beginning with the event', async () => {
  const byMd5 = await buildFrame({ merchants: [aMerchant({ signAnswers: true })] })
  const answer = await byMd5.post('/payment', signed(aCardPayment()))
  assert.equal(answer.body.sign, md5(`event=answer&payCode=0&tradeNo=T1${KEY}`))
  assert.deepEqual(Object.keys(answer.body), ['code', 'message', 'data', 'sign'])
  const rsaKey = merchantKeys.publicKey
  const byRsa = await buildFrame({ merchants: [aMerchant({ signAnswers: true, rsaKey })] })
  const { sign = '' } = (await byRsa.post('/payment', signed(aCardPayment()))).body
  const verify = createVerify('sha256').update('event=answer&payCode=0&tradeNo=T1')
  assert.ok(verify.verify(platformKeys.publicKey, sign, 'base64'))
})

test('we sign with the old key until the new one is used', async () => {
  const fields = { tradeNo: 'T1', code: '0', message: '', sign: 'x' }
  const keys = (used: boolean) => [
    { keyId: 'K2', key: 'new', usedAt: used ? new Date() : undefined, retiresAt: undefined },
    { keyId: 'K1', key: 'old', usedAt: new Date(), retiresAt: new Date(Date.now() + 3_600_000) },
  ]
  const sign = (used: boolean) =>
    signFields('payment', fields, signerFor(aMerchant({ keys: keys(used) }), platformKeys.privateKey))
  assert.equal(await sign(false), md5('event=payment&code=0&tradeNo=T1old'))
  assert.equal(await sign(true), md5('event=payment&code=0&tradeNo=T1new'))
})
