import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import type { Money } from '../../../platform/base/money.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { PayoutRequest } from '../../contract/payout-rail.ts'
import type { Method } from '../../methods/methods.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { signatureOf } from './api.ts'
import { fromPayout, payoutCurrencies, toPayout } from './payout-wire.ts'
import { fromRefund } from './refunds.ts'
import { fromPayment, isAbsent, isDuplicate, isRefusal, moneyIn, toPayment, withAmount } from './wire.ts'

const answer = (status: number, body: unknown): Reply => ({ kind: 'answer', status, body })
const money = { amount: 320_00n, currency: 'PEN' }

describe("dLocal's amounts", () => {
  it('are numbers in major units, written and read without calculating', () => {
    const table: readonly (readonly [money: Money, json: string])[] = [
      [{ amount: 1_250n, currency: 'BRL' }, '{"amount":12.50,"currency":"BRL"}'],
      [{ amount: 12_000n, currency: 'VND' }, '{"amount":12000.00,"currency":"VND"}'],
      [{ amount: 99_999_999_999n, currency: 'MXN' }, '{"amount":999999999.99,"currency":"MXN"}'],
      [{ amount: 29n, currency: 'PEN' }, '{"amount":0.29,"currency":"PEN"}'],
    ]
    for (const [value, json] of table) {
      assert.equal(withAmount(value, {}), json)
      assert.deepEqual(moneyIn(JSON.parse(json)), value)
    }
    for (const amount of [12.505, '12.50', -1, 1e21, Number.NaN, null])
      assert.equal(moneyIn({ amount, currency: 'BRL' }), undefined, String(amount))
    assert.equal(moneyIn({ amount: 1.5, currency: 'VND' }), undefined)
  })
})

describe("dLocal's payment", () => {
  const payment = {
    id: 'D-4-1',
    order_id: 'A1',
    amount: 320,
    currency: 'PEN',
    redirect_url: 'https://pay.example/1',
  }
  const read = (changes: Fields, status = 200) =>
    fromPayment(answer(status, { ...payment, ...changes }), { reference: 'A1', money })

  it('has one outcome for each status', () => {
    const table: readonly (readonly [changes: Fields, kind: string])[] = [
      [{ status: 'PAID' }, 'succeeded'],
      [{ status: 'PENDING' }, 'pending'],
      [{ status: 'AUTHORIZED' }, 'pending'],
      [{ status: 'REJECTED' }, 'failed'],
      [{ status: 'CANCELLED' }, 'failed'],
      [{ status: 'EXPIRED' }, 'failed'],
      [{ status: 'VERIFIED' }, 'unknown'],
      [{ status: 200 }, 'unknown'],
      [{ status: 'PENDING', amount: 10 }, 'unknown'],
      [{ status: 'PENDING', redirect_url: 'javascript:alert(1)' }, 'unknown'],
      [{ status: 'PAID', order_id: 'A2' }, 'unknown'],
      [{ status: 'PAID', amount: '320' }, 'unknown'],
      [{ status: 'PAID', id: '../x' }, 'unknown'],
    ]
    for (const [changes, kind] of table) assert.equal(read(changes).kind, kind, JSON.stringify(changes))
    for (const status of [400, 404, 429, 500]) assert.equal(read({ status: 'PAID' }, status).kind, 'unknown')
  })

  it('echoes the amount and currency that dLocal reports', () => {
    const outcome = read({ status: 'PAID', amount: 7.5, currency: 'BRL' })
    assert.deepEqual(outcome, {
      kind: 'succeeded',
      money: { amount: 750n, currency: 'BRL' },
      channelRef: 'D-4-1',
    })
  })

  it('is opened with the country, the method and what is known of the payer', () => {
    const open = (method: Method, currency: string, details: Fields = {}, personal: Fields = {}) => {
      const options = { method, money: { amount: 320_00n, currency }, details, personal }
      return JSON.parse(toPayment(makeRequest(options, 'pays')) ?? '{}')
    }
    const peru = open('per_transfer', 'PEN', { name: 'Ana Quispe' }, { customerIdentification: '41552384' })
    assert.deepEqual(
      {
        country: peru.country,
        payment_method_id: peru.payment_method_id,
        payment_method_flow: peru.payment_method_flow,
      },
      { country: 'PE', payment_method_id: 'IO', payment_method_flow: 'REDIRECT' },
    )
    assert.deepEqual(
      { name: peru.payer.name, document: peru.payer.document },
      { name: 'Ana Quispe', document: '41552384' },
    )
    const brazil = open('pix', 'BRL', {}, { socialSecurityNumber: '529.982.247-25' })
    assert.deepEqual(
      { payment_method_id: brazil.payment_method_id, document: brazil.payer.document },
      { payment_method_id: 'PQ', document: '52998224725' },
    )
    assert.equal(open('vn_bank', 'VND', { paymentMethodStr: 'qrcode' }).payment_method_id, 'QR')
    assert.equal(open('vn_bank', 'VND', { paymentMethodStr: 'va' }).payment_method_id, 'VB')
    assert.equal(
      open('spei', 'MXN', { billingFirstName: 'Eva', billingLastName: 'Paz' }).payer.name,
      'Eva Paz',
    )
    assert.equal(
      toPayment(makeRequest({ method: 'sepa', money: { amount: 1n, currency: 'EUR' } }, 'pays')),
      undefined,
    )
  })
})

describe("dLocal's errors", () => {
  it('are distinguished from unknown outcomes', () => {
    for (const status of [400, 401, 403]) assert.ok(isRefusal(answer(status, { code: 5001, message: 'x' })))
    for (const status of [402, 404, 429, 500]) assert.ok(!isRefusal(answer(status, { code: 5001 })))
    for (const body of ['', null, {}, { code: null }]) assert.ok(!isRefusal(answer(400, body)))
    assert.ok(isDuplicate(answer(400, { code: 5009 })) && !isDuplicate(answer(400, { code: 5007 })))
    assert.ok(isAbsent(answer(404, { code: 4000 })) && !isAbsent(answer(404, '<html>')))
  })
})

describe("dLocal's refund", () => {
  it('has one outcome for each status', () => {
    const table = {
      PENDING: 'pending',
      SUCCESS: 'succeeded',
      REJECTED: 'failed',
      CANCELLED: 'failed',
      NEW: 'unknown',
    }
    for (const [status, kind] of Object.entries(table))
      assert.equal(
        fromRefund(answer(200, { id: 'REF1', status, amount: 1, currency: 'BRL' }), 'R1').kind,
        kind,
        status,
      )
    assert.equal(fromRefund(answer(200, {}), 'R1').kind, 'unknown')
  })
})

describe("dLocal's signature", () => {
  it('is the documented HMAC over login, time and body', () => {
    const header = signatureOf({ login: 'l', secretKey: 's' }, '2026-11-16T12:00:00.000Z', '{}')
    assert.match(header, /^V2-HMAC-SHA256, Signature: [0-9a-f]{64}$/)
    assert.notEqual(header, signatureOf({ login: 'l', secretKey: 's' }, '2026-11-16T12:00:00.001Z', '{}'))
  })
})

describe("dLocal's payout", () => {
  const request: PayoutRequest = {
    reference: 'T1',
    kind: 'per_transfer',
    money,
    beneficiary: {
      account: '00219119184091600051',
      details: {
        ...{ benFirstName: 'Ana', benLastName: 'Quispe', accountType: '01', bankCode: '02' },
        ...{ customerIdentificationType: '00', customerIdentification: '41552384' },
      },
    },
  }

  const bankCodes = new Map([
    ['BFTVVNVX', '203'],
    ['BOFAPH2XVIP', '26'],
  ])
  const sent = (payout: PayoutRequest) => {
    const body = toPayout(payout, { purpose: 'OTHER', bankCodes })
    return typeof body === 'string' ? JSON.parse(body) : body
  }

  it('names the beneficiary, the document and the account', () => {
    const body = sent(request)
    assert.deepEqual(
      {
        external_id: body.external_id,
        country: body.country,
        flow_type: body.flow_type,
        amount: body.amount,
      },
      { external_id: 'T1', country: 'PE', flow_type: 'B2C', amount: 320 },
    )
    assert.deepEqual(body.beneficiary.document, { id: '41552384', type: 'DNI' })
    assert.deepEqual(body.beneficiary.bank_account, {
      account: '00219119184091600051',
      type: 'SAVINGS',
      code: '002',
    })
    const pix = { ...request, kind: 'pix', money: { amount: 1n, currency: 'BRL' } } as const
    const key = { account: '123.456.789-09', details: { accountHolderType: '1' } }
    const outgoing = sent({ ...pix, beneficiary: key })
    assert.deepEqual(outgoing.beneficiary.document, { id: '12345678909', type: 'CPF' })
    assert.equal(outgoing.flow_type, 'B2B')
  })

  it("names the bank by dLocal's code, never by a BIC, and is not sent where that code is not known", () => {
    const to = (countryCode: string, currency: string, account: string, bankCode: string) => {
      const details = { countryCode, bankCode, customerIdentification: '52998224725' }
      const beneficiary = { account, details }
      return sent({ ...request, kind: 'bank_account', money: { amount: 1n, currency }, beneficiary })
    }
    const [CCI, CLABE] = ['00219119184091600051', '032180000118359719']
    const table: readonly (readonly [code: string, ...Parameters<typeof to>])[] = [
      ['002', 'PE', 'PEN', CCI, 'BCPLPEPL'],
      ['032', 'MX', 'MXN', CLABE, 'BNMXMXMM'],
      ['203', 'VN', 'VND', '0123456789', 'BFTVVNVX'],
      ['203', 'VN', 'VND', '0123456789', 'bftvvnvxxxx'],
      ['203', 'VN', 'VND', '0123456789', 'BFTVVNVX002'],
      ['26', 'PH', 'PHP', '0123456789', 'BOFAPH2XVIP'],
    ]
    for (const [code, ...account] of table)
      assert.equal(to(...account).beneficiary.bank_account.code, code, account.join())
    const unknown: readonly Parameters<typeof to>[] = [
      ['VN', 'VND', '0123456789', 'ASCBVNVX'],
      ['PH', 'PHP', '0123456789', 'BOFAPH2X'],
      ['BR', 'BRL', '0123456789', 'BRASBRRJ'],
      ['PE', 'PEN', '0123456789', 'BCPLPEPL'],
    ]
    for (const account of unknown)
      assert.partialDeepStrictEqual(to(...account), {
        kind: 'failed',
        cause: 'refused',
        isLocal: true,
        message: "dLocal's code of the beneficiary's bank is not known",
      })
    const spei = { account: CLABE, details: { bankCode: '40032' } }
    const transfer = { kind: 'spei', money: { amount: 1n, currency: 'MXN' }, beneficiary: spei } as const
    assert.equal(sent({ ...request, ...transfer }).beneficiary.bank_account.code, '032')
  })

  it("to a Pix key has the beneficiary's tax number, or is not sent", () => {
    const toKey = (account: string, details: Fields = {}) => {
      const beneficiary = { account, details: { benFirstName: 'Ana', benLastName: 'Paz', ...details } }
      return sent({ ...request, kind: 'pix', money: { amount: 1n, currency: 'BRL' }, beneficiary })
    }
    const given = toKey('ana@example.com', { customerIdentification: '529.982.247-25' })
    assert.deepEqual(given.beneficiary.document, { id: '52998224725', type: 'CPF' })
    for (const details of [{}, { customerIdentification: '41552384', customerIdentificationType: '00' }])
      assert.partialDeepStrictEqual(toKey('ana@example.com', details), {
        ...{ kind: 'failed', cause: 'refused', isLocal: true },
        message: "dLocal needs the beneficiary's document: send customerIdentification",
      })
  })

  it('exists only in the currency of its country', () => {
    assert.equal(sent({ ...request, money: { amount: 1n, currency: 'USD' } }).kind, 'failed')
    const bank = {
      ...request,
      kind: 'bank_account',
      beneficiary: { account: '1', details: { countryCode: 'DE' } },
    } as const
    assert.equal(sent(bank).kind, 'failed')
    assert.deepEqual(payoutCurrencies(['spei', 'pix']), ['MXN', 'BRL'])
  })

  it('has one outcome for each status', () => {
    const table = {
      PENDING: 'processing',
      DELIVERED: 'processing',
      ON_HOLD: 'processing',
      ON_HOLD_BY_COMPLIANCE: 'processing',
      PAID: 'succeeded',
      REJECTED: 'failed',
      CANCELLED: 'failed',
      RETURNED: 'unknown',
    }
    const payout = { id: 'PO-1', external_id: 'T1', amount: 320, currency: 'PEN' }
    for (const [status, kind] of Object.entries(table))
      assert.equal(fromPayout(answer(200, { ...payout, status }), 'T1').kind, kind, status)
    assert.equal(fromPayout(answer(200, { ...payout, status: 'PAID' }), 'T2').kind, 'unknown')
    assert.equal(fromPayout(answer(500, { ...payout, status: 'PAID' }), 'T1').kind, 'unknown')
  })
})
