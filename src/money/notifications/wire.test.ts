import assert from 'node:assert/strict'
import { createHash, createHmac, verify } from 'node:crypto'
import { test } from 'node:test'
import { rsaPair } from '../../../test/builders/rsa-keys.ts'
import { eventRules, isAcknowledged, type NotificationEvent } from './notification.ts'
import { composeBody, headersOf } from './wire.ts'

const key = 'K'.repeat(32)
const fields = { tradeNo: 'T1', merOrderNo: 'A 1', code: '0', message: '', note: 'ü&=' }
const signer = { kind: 'md5', key } as const

test('a payment goes as a form, signed by MD5 over the event and all fields that have a value', async () => {
  const body = new URLSearchParams(await composeBody('payment', fields, signer))
  const { sign, ...sent } = Object.fromEntries(body)
  assert.deepEqual(sent, fields)
  const text = 'event=payment&code=0&merOrderNo=A 1&note=ü&=&tradeNo=T1'
  assert.equal(
    sign,
    createHash('md5')
      .update(text + key)
      .digest('hex')
      .toUpperCase(),
  )
})

test('a refund goes as JSON, its state a number, signed by the platform for a merchant with an RSA key', async () => {
  const { privateKey, publicKey } = rsaPair('platform')
  const refund = { tradeNo: 'T1', refundNo: 'R1', state: 0, message: 'ok' }
  const { sign, ...sent } = JSON.parse(await composeBody('refund', refund, { kind: 'rsa', key: privateKey }))
  assert.deepEqual(sent, refund)
  const text = 'event=refund&message=ok&refundNo=R1&state=0&tradeNo=T1'
  assert.ok(verify('sha256', Buffer.from(text), publicKey, Buffer.from(sign, 'base64')))
})

test('the headers are those of Standard Webhooks', () => {
  const secret = Buffer.from('0123456789abcdef0123456789abcdef')
  const at = new Date('2026-11-15T00:00:00.900Z')
  const webhookSecret = `whsec_${secret.toString('base64')}`
  const headers = headersOf({ notificationId: 'N1', event: 'payment', body: 'a=ü', webhookSecret, at })
  assert.equal(headers['webhook-id'], 'N1')
  assert.equal(headers['webhook-timestamp'], '1794700800')
  const mac = createHmac('sha256', secret).update('N1.1794700800.a=ü').digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${mac}`)
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(headers['content-length'], '4')
})

test("a response acknowledges only with a 2xx and exactly the event's word, without white space", () => {
  const counts: readonly (readonly [NotificationEvent, number, string, boolean])[] = [
    ['payment', 200, 'SUCCESS', true],
    ['payment', 204, ' success\r\n', true],
    ['payment', 200, 'Success', false],
    ['payment', 200, '"SUCCESS"', false],
    ['payment', 302, 'SUCCESS', false],
    ['payment', 500, 'SUCCESS', false],
    ['refund', 200, 'SUCCESS\n', true],
    ['refund', 200, 'success', false],
    ['chargeback', 200, 'success', true],
  ]
  for (const [event, status, answer, expected] of counts) {
    assert.equal(isAcknowledged(event, status, answer), expected, `${event} ${status} ${answer}`)
  }
})

test('every event has rules for its body', () => {
  const types = Object.entries(eventRules).map(([event, { contentType }]) => [event, contentType])
  assert.deepEqual(types, [
    ['payment', 'form'],
    ['payout', 'form'],
    ['review', 'form'],
    ['refund', 'json'],
    ['chargeback', 'json'],
  ])
})
