import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { StartRequest } from '../../contract/channel.ts'
import type { AdyenReply } from './api.ts'
import { type AdyenMethod, toPayment } from './payment-request.ts'
import { fromAmount, fromPayment, fromStart, toAction, toAmount } from './wire.ts'

const money = { amount: 12_34n, currency: 'EUR' }
const reference = 'A1'
const psp = 'C3UQWNXD2NPPSXX7'

function answer(body: Fields, status = 200): AdyenReply {
  return { kind: 'answer', status, body, isTransient: false }
}

function kindOf(body: Fields, status = 200): string {
  const outcome = fromStart(answer({ pspReference: psp, ...body }, status), { reference, money })
  return outcome.kind === 'failed' ? `failed ${outcome.cause}` : outcome.kind
}

describe("Adyen's amounts", () => {
  it('have the decimals of Adyen, not those of ISO 4217', () => {
    const table: readonly (readonly [string, bigint, number])[] = [
      ['EUR', 1234n, 1234],
      ['JPY', 1234n, 1234],
      ['KWD', 1234n, 1234],
      ['CLP', 1234n, 123_400],
      ['ISK', 5n, 500],
      ['IDR', 1_234_500n, 12_345],
      ['CVE', 500n, 5],
    ]
    for (const [currency, amount, value] of table) {
      assert.deepEqual(toAmount({ amount, currency }), { currency, value })
      assert.deepEqual(fromAmount({ currency, value }), { amount, currency })
    }
  })

  it('are refused when they cannot be expressed exactly', () => {
    for (const currency of ['IDR', 'CVE']) assert.equal(toAmount({ amount: 101n, currency }), undefined)
    for (const value of [1, -5, 1.5, '5', null, 2 ** 60])
      assert.equal(fromAmount({ value, currency: 'ISK' }), undefined, String(value))
    assert.equal(fromAmount({ value: 5, currency: 'XQX' }), undefined)
    assert.equal(fromAmount(undefined), undefined)
  })
})

describe("an answer's result", () => {
  const redirect = { action: { type: 'redirect', method: 'GET', url: 'https://adyen.example/3ds' } }

  it('says what became of the payment', () => {
    const table: readonly (readonly [Fields, string])[] = [
      [{ resultCode: 'Authorised' }, 'succeeded'],
      [{ resultCode: 'Refused' }, 'failed declined'],
      [{ resultCode: 'Error' }, 'failed declined'],
      [{ resultCode: 'Cancelled' }, 'failed cancelled'],
      [{ resultCode: 'RedirectShopper', ...redirect }, 'pending'],
      [{ resultCode: 'Pending', action: { type: 'qrCode', qrCodeData: 'x' } }, 'pending'],
      [{ resultCode: 'PartiallyAuthorised' }, 'partial'],
    ]
    for (const [body, kind] of table) assert.equal(kindOf(body), kind, String(body.resultCode))
  })

  it('is unknown when nobody has seen it, when it is incomplete, or about another payment', () => {
    const odd: readonly Fields[] = [
      {},
      { resultCode: 'AuthenticationFinished' },
      { resultCode: 'AuthenticationNotRequired' },
      { resultCode: 'Success' },
      { resultCode: 'authorised' },
      { resultCode: 7 },
      { resultCode: 'Authorised', pspReference: undefined },
      { resultCode: 'Authorised', amount: { value: 'x', currency: 'EUR' } },
      { resultCode: 'Authorised', merchantReference: 'A2' },
      { resultCode: 'Pending' },
      { resultCode: 'ChallengeShopper', action: { type: 'threeDS2' } },
      { resultCode: 'RedirectShopper', action: { ...redirect.action, method: 'POST' } },
      { resultCode: 'RedirectShopper', action: { ...redirect.action, method: 'POST', data: { MD: 7 } } },
      { resultCode: 'RedirectShopper', action: { ...redirect.action, method: 'PUT', data: { MD: '7' } } },
      { resultCode: 'RedirectShopper', action: { ...redirect.action, url: 'javascript:alert(1)' } },
    ]
    for (const body of odd) assert.equal(kindOf(body), 'unknown', JSON.stringify(body))
  })

  it('is failed only by a documented refusal', () => {
    const errorCode = '130'
    for (const status of [400, 422]) assert.equal(kindOf({ errorCode }, status), 'failed refused')
    for (const status of [401, 403]) assert.equal(kindOf({ errorCode }, status), 'failed unauthorised')
    for (const status of [404, 409, 429, 500, 502, 503]) assert.equal(kindOf({}, status), 'unknown')
    assert.equal(kindOf({ errorCode: '704' }, 422), 'unknown')
    assert.equal(kindOf({ errorCode: '703' }, 503), 'unknown')
  })

  it('echoes the amount that Adyen authorised', () => {
    const body = { resultCode: 'Authorised', pspReference: psp, amount: { value: 99, currency: 'USD' } }
    const outcome = fromStart(answer(body), { reference, money })
    assert.deepEqual(outcome, { kind: 'succeeded', money: { amount: 99n, currency: 'USD' }, channelRef: psp })
  })

  it('proves nothing if it came by a browser and does not say about which payment it is, or how much', () => {
    const amount = { value: 1234, currency: 'EUR' }
    const kindOfReturn = (body: Fields) =>
      fromPayment(answer({ pspReference: psp, ...body }), { reference, money }).kind
    for (const resultCode of ['Authorised', 'Refused', 'Cancelled', 'PartiallyAuthorised'])
      assert.equal(kindOfReturn({ resultCode, amount }), 'unproven', resultCode)
    assert.equal(kindOfReturn({ resultCode: 'Authorised', merchantReference: reference }), 'unproven')
    assert.equal(
      kindOfReturn({ resultCode: 'Authorised', merchantReference: reference, amount }),
      'succeeded',
    )
  })

  it('advises on another try', () => {
    const adviceOf = (refusalReasonCode: string, merchantAdviceCode?: string) => {
      const body = { resultCode: 'Refused', refusalReasonCode, additionalData: { merchantAdviceCode } }
      const outcome = fromStart(answer(body), { reference, money })
      return outcome.kind === 'failed' ? outcome.advice : outcome.kind
    }
    assert.equal(adviceOf('38'), 'challenge')
    for (const code of ['5', '8', '25', '26', '46']) assert.equal(adviceOf(code), 'never')
    for (const code of ['2', '6', '12', '14', '20', '22', '23', '24', '31', '99', ''])
      assert.equal(adviceOf(code), undefined)
    assert.equal(adviceOf('2', '03: Do not try again'), 'never')
    assert.equal(adviceOf('2', '02: Try again later'), undefined)
    assert.equal(adviceOf('38', '03: Do not try again'), 'never')
    assert.equal(adviceOf('38', '01: New account information available'), 'challenge')
  })
})

describe('a bank transfer', () => {
  const action = {
    type: 'bankTransfer',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    beneficiary: 'A shop',
    reference: 'HLZ3',
    totalAmount: { value: 1234, currency: 'EUR' },
  }

  it('shows account, reference and a code for banking apps', () => {
    const shown = toAction(action, money)
    assert.equal(shown?.kind, 'transfer')
    const { iban: account, bic, beneficiary: payee, reference } = action
    assert.partialDeepStrictEqual(shown, { account, accountKind: 'iban', bic, payee, reference })
    assert.match(shown.qrCode ?? '', /^BCD/)
  })

  it('is not shown when its account is wrong, or for another amount', () => {
    const wrong = [
      { iban: 'DE88370400440532013000' },
      { bic: 7 },
      { totalAmount: { value: 1, currency: 'EUR' } },
    ]
    for (const change of wrong) assert.equal(toAction({ ...action, ...change }, money), undefined)
  })
})

describe('a request', () => {
  const at = { merchantAccount: 'Shop', now: new Date('2026-01-05T12:00:00Z') }
  const card = { number: '4111111111111111', expiryMonth: '3', expiryYear: '30', securityCode: '737' }
  const details = {
    ...{ userAgent: 'UA', timezone: 'Asia/Shanghai', screenColorDepth: 25, ipAddress: '192.0.2.1' },
    ...{ billingFirstName: 'Ada', billingLastName: 'Byron', billingCountry: 'NL', billingZipCode: '1011' },
  }
  const given = makeRequest({ method: 'card', money, details }, 'pays', reference)
  const written = (method: AdyenMethod, more: Partial<StartRequest> = {}) =>
    toPayment(method, { ...given, ...more }, at)

  it('for a card asks for 3-D Secure by redirect, with what is known of holder and browser', () => {
    const body = written('card', { card, challenge: true })
    assert.deepEqual(body?.paymentMethod, {
      type: 'scheme',
      number: card.number,
      expiryMonth: '03',
      expiryYear: '2030',
      cvc: '737',
      holderName: 'Ada Byron',
    })
    assert.deepEqual(body?.authenticationData, {
      attemptAuthentication: 'always',
      threeDSRequestData: { nativeThreeDS: 'disabled' },
    })
    assert.deepEqual(body?.browserInfo, {
      ...{ userAgent: 'UA', acceptHeader: '*/*', language: 'en', colorDepth: 24, javaEnabled: false },
      ...{ screenHeight: 1080, screenWidth: 1920, timeZoneOffset: -480 },
    })
    assert.deepEqual(body?.billingAddress, {
      ...{ country: 'NL', street: 'N/A', houseNumberOrName: 'N/A', city: 'N/A', postalCode: '1011' },
    })
    assert.equal(body?.captureDelayHours, 0)
    assert.equal(written('card'), undefined)
  })

  it('for a card names who pays and where the goods go', () => {
    const shipping = {
      ...{
        shippingFirstName: 'Eva',
        shippingAddress1: 'Dam',
        shippingAddress2: '1',
        shippingCity: 'Amsterdam',
      },
      ...{ shippingZipCode: '1012', shippingCountry: 'NL' },
    }
    const more = { billingEmail: 'ada@example.com', billingPhone: '+31 20 555' }
    const body = written('card', { card, details: { ...details, ...more, ...shipping } })
    assert.deepEqual(body?.shopperName, { firstName: 'Ada', lastName: 'Byron' })
    assert.deepEqual(
      { shopperEmail: body?.shopperEmail, telephoneNumber: body?.telephoneNumber },
      { shopperEmail: 'ada@example.com', telephoneNumber: '+31 20 555' },
    )
    assert.deepEqual(body?.deliveryAddress, {
      ...{ street: 'Dam', houseNumberOrName: '1', city: 'Amsterdam', postalCode: '1012', country: 'NL' },
      firstName: 'Eva',
    })
    assert.equal(written('card', { card })?.deliveryAddress, undefined)
  })

  it('has an American address only with a state, and with five digits', () => {
    const of = (country: string, state: string, zip = '09012-1234') => {
      const place = { billingCountry: country, billingState: state, billingZipCode: zip }
      const { billingAddress } = written('card', { card, details: { ...details, ...place } }) ?? {}
      return isObject(billingAddress)
        ? { state: billingAddress.stateOrProvince, zip: billingAddress.postalCode }
        : undefined
    }
    assert.deepEqual(of('US', 'AE'), { state: 'AE', zip: '09012' }, 'a military address')
    assert.deepEqual(of('US', 'Washington, D.C.', '20500'), { state: 'DC', zip: '20500' })
    assert.deepEqual(of('US', 'Calif.', '9021'), { state: 'CA', zip: 'N/A' })
    assert.deepEqual(of('CA', 'ontario', 'K1A 0B1'), { state: 'ON', zip: 'K1A 0B1' })
    assert.deepEqual(of('DE', 'Bavaria', '80539'), { state: undefined, zip: '80539' })
    assert.equal(of('US', ''), undefined)
    assert.equal(of('CA', 'somewhere'), undefined)
  })

  it('names the payment method', () => {
    const typeOf = (method: AdyenMethod, more: Partial<StartRequest> = {}) =>
      Object.values(written(method, more)?.paymentMethod ?? {})[0]
    assert.equal(typeOf('alipay'), 'alipay')
    assert.equal(typeOf('alipay', { terminal: 'WAP' }), 'alipay_wap')
    assert.equal(typeOf('wechat'), 'wechatpayQR')
    assert.equal(typeOf('unionpay'), 'unionpay')
    assert.equal(typeOf('gcash'), 'gcash')
    assert.equal(typeOf('sepa'), 'bankTransfer_IBAN')
    assert.deepEqual(written('cash_app')?.paymentMethod, { type: 'cashapp', subtype: 'redirect' })
  })

  it('for Pix names the payer, and when the code ends', () => {
    const pix = { details: { name: 'Ana Maria Souza' }, personal: { socialSecurityNumber: '123.456.789-09' } }
    const body = written('pix', pix)
    assert.deepEqual(body?.shopperName, { firstName: 'Ana', lastName: 'Maria Souza' })
    assert.equal(body?.socialSecurityNumber, '12345678909')
    const expiresAt = new Date('2026-11-18T12:30:00Z')
    assert.equal(written('pix', { ...pix, expiresAt })?.sessionValidity, '2026-11-18T12:30:00.000Z')
    assert.equal(written('pix', { ...pix, personal: {} }), undefined)
  })

  it("passes a wallet's token on, however the merchant encoded it", () => {
    const data = { version: 'EC_v1', data: 'x' }
    const whole = JSON.stringify({ paymentData: data, transactionIdentifier: 'y' })
    for (const walletToken of [whole, JSON.stringify(data), Buffer.from(whole).toString('base64')])
      assert.deepEqual(written('apple_pay', { walletToken })?.paymentMethod, {
        type: 'applepay',
        applePayToken: Buffer.from(JSON.stringify(data)).toString('base64'),
      })
    const google = '{"signature":"s",  "protocolVersion":"ECv2"}'
    for (const walletToken of [google, Buffer.from(google).toString('base64')])
      assert.deepEqual(written('google_pay', { walletToken })?.paymentMethod, {
        type: 'googlepay',
        googlePayToken: google,
      })
    for (const walletToken of [undefined, '', 'x', '[]'])
      assert.equal(written('google_pay', { walletToken }), undefined)
  })
})
