// The SDK signs with WebCrypto and its own MD5. The gateway's own functions must produce the same strings and
// signatures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  escapedString as gatewayString,
  signedFields,
} from '../../src/interfaces/merchant-api/checks/rsa-string.ts'
import { isMd5, isSignedByRsa, md5StringToSign } from '../../src/interfaces/merchant-api/checks/signature.ts'
import { endpoints } from '../../src/interfaces/merchant-api/endpoints.ts'
import { canonicalString as gatewayCanonical } from '../../src/money/merchants/sign-fields.ts'
import { md5 as gatewayMd5 } from '../../src/platform/base/secret.ts'
import { rsaPair } from '../../test/builders/rsa-keys.ts'
import { canonicalString, escapedString } from './canonical.ts'
import { md5 } from './md5.ts'
import { verifyRsa } from './rsa.ts'
import { signRequest } from './sign.ts'
import { Tollgate } from './tollgate.ts'

const body = {
  merNo: 12,
  merOrderNo: 'A-1',
  currencyCode: 'USD',
  sourceAmount: '10.00',
  email: '',
  name: undefined,
  note: 'half & half, 100 %, 😀 &currencyCode=EUR',
  javaEnabled: false,
  productInfoList: [{ sku: 'ä', price: '1.00', left: undefined, more: { b: [], a: null } }],
}

test('MD5 of texts of every length up to three blocks is what Node computes', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'aé€😀'.repeat(length).slice(0, length)
    assert.equal(md5(text), gatewayMd5(text), `length ${length}`)
  }
})

test('the strings to sign are those of the gateway', () => {
  assert.equal(canonicalString(body), gatewayCanonical(body))
  assert.equal(escapedString(body), gatewayString(signedFields(body)))
})

test('an MD5 signature covers the fields of its endpoint, and a refund its own number', () => {
  const key = 'secret'
  const expected = gatewayMd5(md5StringToSign(endpoints['/payment'].signed, body) + key)
  assert.equal(signRequest('/payment', body, { key }), expected)
  const refund = { merNo: 12, merOrderNo: 'A-1', amount: '1.00', tradeNo: 'T1' }
  assert.equal(signRequest('/refund/apply', refund, { key }), gatewayMd5('12A-11.00T1secret'))
  const numbered = { ...refund, merRefundNo: 'R-1' }
  assert.equal(signRequest('/refund/apply', numbered, { key }), gatewayMd5('12A-11.00T1R-1secret'))
})

test('an RSA signature is one that the gateway accepts, and one of the gateway is verified', async () => {
  const { privateKey, publicKey } = rsaPair('merchant')
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const sign = await signRequest('/payment', body, { privateKey: pem })
  assert.ok(!isMd5(sign))
  assert.ok(isSignedByRsa(signedFields(body), endpoints['/payment'], sign, publicKey))
  const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }))
  assert.ok(await verifyRsa(publicPem, escapedString(body), sign))
  assert.ok(!(await verifyRsa(publicPem, `${escapedString(body)} `, sign)))
  for (const wrong of ['no base64!', 'AAAAA', 'AAAA'])
    assert.ok(!(await verifyRsa(publicPem, escapedString(body), wrong)), wrong)
  const older = String(privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const settings = { baseUrl: 'https://pay.example', merNo: 12, site: 'shop.example' }
  assert.throws(() => new Tollgate({ ...settings, privateKey: older }), /openssl pkcs8/)
})
