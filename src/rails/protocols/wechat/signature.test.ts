import assert from 'node:assert/strict'
import { createCipheriv, createVerify, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { openResource } from './callback.ts'
import { authorise, isFromPlatform } from './signature.ts'

const now = new Date('2026-11-15T12:00:00Z')
const ours = rsaPair('gateway')
const platform = rsaPair('counterparty')

describe('a request of ours', () => {
  it('is signed over method, path, time, nonce and body, one line each', () => {
    const signer = { mchid: '1900000001', serial: 'ABC', privateKey: ours.privateKey }
    const path = '/v3/pay/transactions/out-trade-no/A1?mchid=1900000001'
    const header = authorise(signer, { method: 'GET', path, body: '', nonce: 'n0', now })
    const pattern =
      /^WECHATPAY2-SHA256-RSA2048 mchid="1900000001",nonce_str="n0",timestamp="(\d+)",serial_no="ABC",signature="(.+)"$/
    const [, timestamp, signature = ''] = pattern.exec(header) ?? []
    assert.equal(timestamp, '1794744000')
    const verify = createVerify('RSA-SHA256').update(`GET\n${path}\n1794744000\nn0\n\n`)
    assert.ok(verify.verify(ours.publicKey, signature, 'base64'))
  })
})

describe('a message of the platform', () => {
  const body = '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}'
  const signed = (at: Date, key = platform.privateKey) => {
    const timestamp = String(at.getTime() / 1000)
    const text = Buffer.from(`${timestamp}\nn1\n${body}\n`)
    return {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': 'n1',
      'wechatpay-signature': sign('sha256', text, key).toString('base64'),
    }
  }
  const isTaken = (message: Parameters<typeof isFromPlatform>[0]) =>
    isFromPlatform(message, platform.publicKey, now)
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

  it('is accepted for five minutes before and after our time', () => {
    for (const seconds of [0, 300, -300]) assert.ok(isTaken({ headers: signed(ago(seconds)), body }))
    for (const seconds of [301, -301, 86_400]) assert.ok(!isTaken({ headers: signed(ago(seconds)), body }))
  })

  it('is refused when any part was changed or removed, or another key signed it', () => {
    const headers = signed(now)
    const signature = headers['wechatpay-signature']
    assert.ok(!isTaken({ headers, body: `${body} ` }))
    assert.ok(!isTaken({ headers: signed(now, ours.privateKey), body }))
    const changes = {
      'wechatpay-timestamp': [undefined, '', '1794744001', 'now', '1.794744e9'],
      'wechatpay-nonce': [undefined, 'n2'],
      'wechatpay-signature': [undefined, '', `${signature} `, signature.replace(/==$/, '')],
    }
    for (const [name, values] of Object.entries(changes))
      for (const value of values) assert.ok(!isTaken({ headers: { ...headers, [name]: value }, body }), name)
  })
})

describe('the encrypted part of a notification', () => {
  const key = '0123456789abcdef0123456789ABCDEF'
  const seal = (text: string) => {
    const cipher = createCipheriv('aes-256-gcm', key, 'nonce1234567').setAAD(Buffer.from('transaction'))
    const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
    const ciphertext = sealed.toString('base64')
    const names = { associated_data: 'transaction', nonce: 'nonce1234567' }
    return { algorithm: 'AEAD_AES_256_GCM', ciphertext, ...names }
  }
  const sealed = seal('{"trade_state":"SUCCESS","payer":"支付"}')

  it('decrypts with the key', () => {
    assert.deepEqual(openResource(sealed, key), { trade_state: 'SUCCESS', payer: '支付' })
  })

  it('does not decrypt when it was changed, was encrypted with another key, or is not an object', () => {
    const changed = [
      { ciphertext: `A${sealed.ciphertext.slice(1)}` },
      { ciphertext: 'AAAA' },
      { ciphertext: 7 },
      { nonce: 'nonce1234568' },
      { nonce: '' },
      { associated_data: 'refund' },
      { algorithm: 'AES' },
    ]
    for (const change of changed) assert.equal(openResource({ ...sealed, ...change }, key), undefined)
    assert.equal(openResource(sealed, key.toUpperCase()), undefined)
    for (const text of ['[]', 'x', '']) assert.equal(openResource(seal(text), key), undefined)
    for (const nothing of [undefined, null, 'x', []]) assert.equal(openResource(nothing, key), undefined)
  })
})
