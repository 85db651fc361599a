import assert from 'node:assert/strict'
import { constants, createHash, createHmac, sign as rsaSign } from 'node:crypto'
import { test } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { aMerchant } from '../../../../test/harness/merchant-frame.ts'
import { md5 } from '../../../platform/base/secret.ts'
import { escapedString, plainString, signedFields } from '../checks/rsa-string.ts'
import type { EndpointPath } from '../endpoints.ts'
import { explainSignature, type SignatureQuestion } from './explain-signature.ts'
import { hashMistakes, md5Mistakes, rsaMistakes, spellingMistakes } from './mistakes.ts'

const keys = rsaPair('merchant')
const merchant = aMerchant()
const withRsa = aMerchant({ rsaKey: keys.publicKey })
const key = merchant.keys[0]?.key ?? ''
const OLD = 'an-old-key-of-this-merchant'

const payment = {
  merNo: merchant.merNo,
  merOrderNo: 'Shop-7',
  currencyCode: 'USD',
  sourceAmount: '12.30',
  version: 'V3.0.0',
}
const values = `${merchant.merNo}Shop-7USD12.30`

function explain(body: object, more: Partial<SignatureQuestion> = {}, asked = merchant) {
  const question = { endpoint: '/payment' as EndpointPath, text: JSON.stringify(body), ...more }
  const found = explainSignature({ merchant: asked, oldKeys: [OLD] }, question)
  assert.ok(found)
  return found
}

function mistakesOf(sign: string, body: object = payment, more: Partial<SignatureQuestion> = {}): string[] {
  const { mistakes, verdict } = explain({ ...body, sign }, more)
  assert.equal(verdict, 'wrong')
  return mistakes.map(({ code }) => code)
}

test('it shows the string with <KEY>, the fields, and whether the signature is right', () => {
  const { algorithm, stringToSign, fields, verdict, mistakes } = explain({
    ...payment,
    sign: md5(values + key),
  })
  assert.deepEqual({ algorithm, verdict, mistakes }, { algorithm: 'md5', verdict: 'right', mistakes: [] })
  assert.equal(stringToSign, `${values}<KEY>`)
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'],
  )
  assert.equal(explain(payment).verdict, 'missing')
})

/** The texts that callers with a mistake would have hashed, by the code of the mistake. */
const hashed: Readonly<Record<string, string>> = {
  'field-order': `Shop-7${merchant.merNo}USD12.30${key}`,
  separator: `${merchant.merNo}&Shop-7&USD&12.30&${key}`,
  names: `currencyCode=USD&merNo=${merchant.merNo}&merOrderNo=Shop-7&sourceAmount=12.30&version=V3.0.0&key=${key}`,
  'key-place': key + values,
  'key-missing': values,
  'key-spaces': `${values}${key}\n`,
  'key-case': values + (key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()),
  amount: `${merchant.merNo}Shop-7USD12.3${key}`,
  spaces: `${merchant.merNo}Shop-7 USD12.30${key}`,
  'field-left-out': `${merchant.merNo}Shop-712.30${key}`,
  'field-added': `${values}V3.0.0${key}`,
  'whole-body': JSON.stringify(payment) + key,
  'text-case': values.toLowerCase() + key,
}

for (const [code, text] of Object.entries(hashed))
  test(`MD5: ${code}`, () => {
    assert.deepEqual(mistakesOf(md5(text)), [code])
    assert.deepEqual(mistakesOf(md5(text).toLowerCase()), [code, 'lower-case'])
  })

test('MD5: an empty value signed as a word, and values that are URL-encoded', () => {
  const query = { merNo: merchant.merNo, merOrderNo: 'A/1', tradeNo: '', queryType: 'sales' }
  const endpoint = '/order/query'
  assert.deepEqual(mistakesOf(md5(`${merchant.merNo}A/1null${key}`), query, { endpoint }), ['empty-value'])
  assert.deepEqual(mistakesOf(md5(`${merchant.merNo}A%2F1${key}`), query, { endpoint }), ['url-encoded'])
})

test('MD5: the right string with a signature that is written or made in another way', () => {
  const text = values + key
  const sha = createHash('sha256').update(text).digest('hex')
  assert.deepEqual(mistakesOf(md5(text).toLowerCase()), ['lower-case'])
  assert.deepEqual(mistakesOf(` ${md5(text)}`), ['sign-spaces'])
  assert.deepEqual(mistakesOf(sha), ['other-hash'])
  assert.deepEqual(mistakesOf(createHmac('md5', key).update(values).digest('hex')), ['hmac'])
  assert.deepEqual(mistakesOf(createHash('md5').update(text).digest('base64')), ['base64'])
  assert.deepEqual(mistakesOf(md5(md5(text))), ['md5-twice'])
  assert.deepEqual(mistakesOf(md5(text).slice(8, 24)), ['cut'])
})

test('MD5: another key', () => {
  assert.deepEqual(mistakesOf(md5(values + OLD)), ['old-key'])
  assert.deepEqual(mistakesOf(md5(values + merchant.webhookSecret)), ['webhook-secret'])
  assert.deepEqual(mistakesOf(md5(`${values}a key of nobody`)), ['unknown'])
  const other = { ...payment, merNo: merchant.merNo + 1 }
  assert.deepEqual(mistakesOf(md5('x'), other), ['other-merchant'])
})

test('a body that is JSON in JSON, or has an amount as a number', () => {
  const right = { ...payment, sign: md5(values + key) }
  const twice = explain({}, { text: JSON.stringify(JSON.stringify(right)) })
  assert.deepEqual(
    { verdict: twice.verdict, mistakes: twice.mistakes.map(({ code }) => code) },
    { verdict: 'right', mistakes: ['double-encoded'] },
  )
  assert.ok(mistakesOf('0'.repeat(32), { ...payment, sourceAmount: 12.3 }).includes('number'))
  for (const text of ['', '{', '[]', '7', 'null'])
    assert.equal(explainSignature({ merchant, oldKeys: [] }, { endpoint: '/payment', text }), undefined)
})

test('a refund may be signed with or without its number', () => {
  const body = { merNo: merchant.merNo, merOrderNo: 'A', amount: '1.00', tradeNo: 'T', merRefundNo: 'R' }
  for (const end of ['T', 'TR']) {
    const sign = md5(`${merchant.merNo}A1.00${end}${key}`)
    assert.equal(explain({ ...body, sign }, { endpoint: '/refund/apply' }).verdict, 'right')
  }
})

test('a merchant that requires RSA is told so even if its MD5 is right', () => {
  const asked = aMerchant({ requireRsa: true })
  const { mistakes } = explain({ ...payment, sign: md5(values + key) }, {}, asked)
  assert.deepEqual(
    mistakes.map(({ code }) => code),
    ['rsa-required'],
  )
})

const rich = { ...payment, remark: 'a b', empty: '', browser: { b: 1, a: 'x' } }
const fields = signedFields(rich)
const plain = plainString(fields)

function rsa(text: string, hash = 'sha256', padding = constants.RSA_PKCS1_PADDING): string {
  return rsaSign(hash, Buffer.from(text), { key: keys.privateKey, padding }).toString('base64')
}

function rsaMistakesOf(sign: string, body: object = rich): string[] {
  const { mistakes, algorithm } = explain({ ...body, sign }, {}, withRsa)
  assert.equal(algorithm, 'rsa')
  return mistakes.map(({ code }) => code)
}

test('RSA: the right signature, in both forms', () => {
  assert.deepEqual(rsaMistakesOf(rsa(plain)), [])
  const { verdict, stringToSign } = explain({ ...rich, sign: rsa(escapedString(fields)) }, {}, withRsa)
  assert.deepEqual({ verdict, stringToSign }, { verdict: 'right', stringToSign: plain })
})

const signedStrings: Readonly<Record<string, string>> = {
  'rsa-order': plainString(
    [...fields]
      .reverse()
      .toSorted((a, b) => Object.keys(rich).indexOf(a.name) - Object.keys(rich).indexOf(b.name)),
  ),
  'rsa-empty-fields': plain.replace('&merNo=', '&empty=&merNo='),
  'rsa-nested': plain.replace('{"a":"x","b":1}', '{"b":1,"a":"x"}'),
  'rsa-sign-included': `${plain}&sign=`,
  'rsa-md5-string': values + key,
  'rsa-key-appended': plain + key,
  'rsa-whole-body': JSON.stringify(rich),
  'rsa-url-encoded': plain
    .replace('a b', 'a%20b')
    .replace('{"a":"x","b":1}', encodeURIComponent('{"a":"x","b":1}')),
  'rsa-line-break': `${plain}\n`,
}

for (const [code, text] of Object.entries(signedStrings))
  test(`RSA: ${code}`, () => assert.deepEqual(rsaMistakesOf(rsa(text)), [code]))

test('RSA: a value that could be read as another field needs the escaped form', () => {
  const risky = { ...payment, remark: 'x&merNo=9' }
  assert.deepEqual(rsaMistakesOf(rsa(plainString(signedFields(risky))), risky), ['rsa-needs-escape'])
})

test('RSA: the right string, signed or written in another way', () => {
  assert.deepEqual(rsaMistakesOf(Buffer.from(rsa(plain), 'base64').toString('base64url')), ['rsa-base64'])
  assert.deepEqual(rsaMistakesOf(Buffer.from(rsa(plain), 'base64').toString('hex')), ['rsa-hex'])
  assert.deepEqual(rsaMistakesOf(rsa(plain, 'sha1')), ['rsa-hash'])
  assert.deepEqual(rsaMistakesOf(rsa(plain, 'sha256', constants.RSA_PKCS1_PSS_PADDING)), ['rsa-padding'])
  assert.deepEqual(rsaMistakesOf(rsa('something else')), ['unknown'])
})

test('RSA without a registered key, and a body that cannot be signed', () => {
  assert.deepEqual(mistakesOf(rsa(plain), rich), ['rsa-no-key'])
  assert.deepEqual(rsaMistakesOf(rsa('x'), { ...payment, 'a b': 1 }), ['rsa-body'])
})

test('every mistake has a test here', () => {
  const all = [...md5Mistakes, ...hashMistakes, ...rsaMistakes, ...spellingMistakes].map(({ code }) => code)
  const tested = [...Object.keys(hashed), ...Object.keys(signedStrings)]
  const apart = ['empty-value', 'url-encoded', 'other-hash', 'hmac', 'base64', 'md5-twice', 'cut']
  const ofRsa = ['rsa-needs-escape', 'rsa-base64', 'rsa-hex', 'rsa-hash', 'rsa-padding']
  assert.deepEqual(all.toSorted(), [...tested, ...apart, ...ofRsa].toSorted())
})

test('the first character that differs is shown with its field, and no key ever', () => {
  const said = (signed: string) => explain(payment, { signed }).difference
  assert.equal(said(values + key), undefined)
  assert.equal(said(`${values}<KEY>`), undefined)
  const at = `${merchant.merNo}Shop-7USD12.3`.length
  assert.deepEqual(said(`${merchant.merNo}Shop-7USD12.3${key}`), {
    at,
    field: 'sourceAmount',
    right: '0<KEY>',
    given: '<KEY>',
  })
  assert.deepEqual(said(`${values}other`), { at: values.length, field: '', right: '<KEY>', given: 'other' })
  const ofRsa = explain(
    { ...rich, sign: rsa('x') },
    { signed: plain.replace('USD', 'usd') },
    withRsa,
  ).difference
  assert.deepEqual(
    { field: ofRsa?.field, right: ofRsa?.right.slice(0, 3), given: ofRsa?.given.slice(0, 3) },
    { field: 'currencyCode', right: 'USD', given: 'usd' },
  )
})

test('no explanation contains a secret', () => {
  for (const text of Object.values(hashed)) {
    const told = JSON.stringify(explain({ ...payment, sign: md5(text) }, { signed: text }))
    for (const secret of [key, OLD, merchant.webhookSecret]) assert.ok(!told.includes(secret), text)
  }
})
