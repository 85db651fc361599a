import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { browserOf, challengeIdOf, minutesToUtc } from '../../../toolkit/three-d-secure.ts'
import { fromAuthorise, fromCharge, fromRefund, toAuthorise } from './wire.ts'

const card = { number: '4242424242424242', expiryMonth: '4', expiryYear: '31', securityCode: '123' }
const now = new Date('2026-07-01T12:00:00Z')
const request = {
  reference: 'A1',
  money: { amount: 12_345_678_901n, currency: 'USD' },
  merNo: 1,
  personal: {},
  details: {},
  terminal: 'WEB' as const,
  merchantName: 'Test shop',
  expiresAt: now,
  callbackUrl: 'https://pay.example/callbacks/card',
  completeUrl: 'https://pay.example/pay/t/complete',
}

describe('a request to the issuer', () => {
  it('has the amount in minor units as digits, and full dates', () => {
    assert.partialDeepStrictEqual(toAuthorise(request, card, now), {
      amount: '12345678901',
      currency: 'USD',
      card: { expiryMonth: '04', expiryYear: '2031' },
      notificationUrl: request.completeUrl,
      callbackUrl: request.callbackUrl,
    })
  })

  it("has the payer's browser in the form of 3-D Secure, and nothing else of the merchant's request", () => {
    const details = {
      acceptHeader: 'text/html',
      userAgent: 'Browser/1',
      ipAddress: '203.0.113.9',
      language: 'es',
      screenColorDepth: 24,
      screenHeight: 900,
      screenWidth: 1440,
      javaEnabled: false,
      javascriptEnabled: true,
      timezone: 'America/Lima',
      deviceId: '',
      billingEmail: 'payer@example.com',
    }
    assert.deepEqual(browserOf(details, now), {
      browserAcceptHeader: 'text/html',
      browserUserAgent: 'Browser/1',
      browserIP: '203.0.113.9',
      browserLanguage: 'es',
      browserColorDepth: 24,
      browserScreenHeight: 900,
      browserScreenWidth: 1440,
      browserJavaEnabled: false,
      browserJavascriptEnabled: true,
      browserTZ: 300,
    })
  })

  it('has the card holder with billing and shipping, without empty fields', () => {
    const details = {
      billingFirstName: 'Ana',
      billingLastName: 'Quispe',
      billingEmail: 'ana@example.com',
      billingPhone: '+51 1 5550100',
      billingAddress1: 'Av. Larco 1',
      billingAddress2: '',
      billingCity: 'Lima',
      billingState: 'Lima',
      billingCountry: 'PE',
      billingZipCode: '15074',
      shippingFirstName: 'Luis',
      shippingLastName: '',
      shippingAddress1: 'Calle 2',
      shippingCountry: 'PE',
      email: 'other@example.com',
    }
    const sent = JSON.parse(JSON.stringify(toAuthorise({ ...request, details }, card, now)))
    assert.deepEqual(sent.holder, {
      name: 'Ana Quispe',
      email: 'ana@example.com',
      phone: '+51 1 5550100',
      billing: {
        line1: 'Av. Larco 1',
        city: 'Lima',
        state: 'Lima',
        postalCode: '15074',
        country: 'PE',
      },
      shipping: { name: 'Luis', line1: 'Calle 2', country: 'PE' },
    })
    const bare = { ...request, details: { email: 'payer@example.com' } }
    const { holder } = JSON.parse(JSON.stringify(toAuthorise(bare, card, now)))
    assert.deepEqual(holder, { email: 'payer@example.com' })
  })

  it('has the time zone offset like a browser, in summer and winter', () => {
    const winter = new Date('2026-01-01T12:00:00Z')
    assert.equal(minutesToUtc('Asia/Shanghai', now), -480)
    assert.equal(minutesToUtc('Asia/Kolkata', now), -330)
    assert.equal(minutesToUtc('Europe/Berlin', now), -120)
    assert.equal(minutesToUtc('Europe/Berlin', winter), -60)
    assert.equal(minutesToUtc('UTC', now), 0)
    assert.equal(minutesToUtc('Nowhere/Land', now), undefined)
    assert.equal(JSON.stringify(browserOf({ timezone: 'Nowhere/Land', language: '' }, now)), '{}')
  })
})

describe("the issuer's response", () => {
  const captured = { id: 'ch_1', merchantReference: 'A1', amount: '5', currency: 'USD', status: 'captured' }
  const outcomeOf = (body: unknown, status = 200) => fromCharge({ kind: 'answer', status, body }, 'A1')

  it('is a success only when every part is valid', () => {
    assert.equal(outcomeOf(captured).kind, 'succeeded')
    for (const name of Object.keys(captured))
      for (const value of [undefined, null, 5, '', [], 'x y'])
        if (name !== 'id' || value !== 'x y')
          assert.equal(outcomeOf({ ...captured, [name]: value }).kind, 'unknown', `${name} ${value}`)
    assert.equal(outcomeOf(captured, 201).kind, 'unknown')
  })

  it('is unknown for anything else', () => {
    fc.assert(
      fc.property(fc.anything(), fc.nat(600), (body, status) => {
        const reply = { kind: 'answer', status, body } as const
        assert.equal(fromCharge(reply, 'A1').kind, 'unknown')
        assert.equal(fromAuthorise(reply, 'A1').kind, 'unknown')
        assert.equal(fromRefund(reply, 'R1').kind, 'unknown')
      }),
    )
  })

  it("is a pending refund while the issuer processes it, with the issuer's reference", () => {
    const refund = { id: 're_1', refundReference: 'B1', amount: '5', currency: 'USD' }
    const outcomeWith = (status: unknown) =>
      fromRefund({ kind: 'answer', status: 200, body: { ...refund, status } }, 'B1')
    assert.deepEqual(outcomeWith('processing'), { kind: 'pending', channelRef: 're_1' })
    assert.equal(outcomeWith('succeeded').kind, 'succeeded')
    for (const status of ['captured', 'pending', '', undefined])
      assert.equal(outcomeWith(status).kind, 'unknown')
  })

  it('sends a payer only to http(s) addresses', () => {
    const ids = { acsTransID: 'a', threeDSServerTransID: 'b', messageVersion: '2.2.0' }
    const asked = (acsUrl: unknown) =>
      outcomeOf({ ...captured, status: 'challenge', challenge: { ...ids, acsUrl } }).kind
    assert.equal(asked('https://bank.example/acs'), 'pending')
    for (const acsUrl of ['javascript:alert(1)', 'data:text/html,x', '/acs', '', undefined])
      assert.equal(asked(acsUrl), 'unknown')
  })

  it('names a challenge only when the cres is well-formed', () => {
    const cres = (message: unknown) => Buffer.from(JSON.stringify(message)).toString('base64url')
    const id = '0b5f63cf-7d0e-4a1c-9e6e-2f9b1a6f3c11'
    assert.equal(challengeIdOf(cres({ acsTransID: id, transStatus: 'N' })), id)
    for (const bad of [undefined, '', '%%%', cres(null), cres([id]), cres({}), cres({ acsTransID: 5 })])
      assert.equal(challengeIdOf(bad), undefined)
  })
})

describe('a decline', () => {
  const declined = { id: 'ch_1', merchantReference: 'A1', status: 'declined', reason: 'No' }
  const adviceIn = (advice?: unknown) => {
    const body = advice === undefined ? declined : { ...declined, advice }
    const outcome = fromCharge({ kind: 'answer', status: 200, body }, 'A1')
    assert.ok(outcome.kind === 'failed')
    return outcome.advice
  }

  it("has the issuer's advice, if it is one that we know", () => {
    assert.deepEqual(['challenge', 'never', 'later', 1, undefined].map(adviceIn), [
      'challenge',
      'never',
      undefined,
      undefined,
      undefined,
    ])
  })
})
