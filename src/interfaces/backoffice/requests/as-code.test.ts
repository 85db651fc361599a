import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Tollgate } from '../../../../sdk/src/tollgate.ts'
import { endpoints } from '../../merchant-api/endpoints.ts'
import { asSdk, type Logged } from './as-code.ts'

function logged(endpoint: string, body: unknown, paymentType = ''): Logged {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { endpoint, merNo: 12, referer: 'https://shop.example/cart', paymentType, body: text }
}

const asked: Readonly<Record<string, unknown>> = { merNo: 12, merOrderNo: 'A-1', sign: '***' }

test('a payment is a call of the SDK, without what the client fills in', () => {
  const body = { ...asked, name: "O'Hara", productInfoList: [{ sku: 'A' }], 'odd name': 1 }
  assert.equal(
    asSdk('http://127.0.0.1:8080', logged('/payment', body, 'PIX')),
    `import { Tollgate } from '@tollgate/sdk'

const tollgate = new Tollgate({
  baseUrl: 'http://127.0.0.1:8080',
  merNo: 12,
  key: '***',
  site: 'shop.example',
})

console.log(await tollgate.pay('pix', {
  merOrderNo: 'A-1',
  name: "O'Hara",
  productInfoList: [{
    sku: 'A',
  }],
  "odd name": 1,
}))
`,
  )
})

test('every endpoint is a function that the SDK has', () => {
  const known = Object.getOwnPropertyNames(Tollgate.prototype)
  const choices: Readonly<Record<string, unknown>> = { paymentMode: '7', withdrawType: '4' }
  for (const queryType of ['sales', 'refund', 'chargeback']) {
    for (const path of Object.keys(endpoints)) {
      const code = asSdk('', logged(path, { ...asked, ...choices, queryType })) ?? ''
      const [, name = ''] = /\btollgate\.(\w+)\(/.exec(code) ?? []
      assert.ok(known.includes(name), `${path}: ${code}`)
    }
  }
  const called = (path: string, body: unknown, type = '') =>
    /tollgate\.[^{]*/.exec(asSdk('', logged(path, body, type)) ?? '')?.[0]
  assert.equal(called('/payment', asked), "tollgate.pay('card', ")
  assert.equal(
    called('/cashier/checkStandPayment', { ...asked, paymentMode: '7' }),
    "tollgate.checkoutBy('pix', ",
  )
  assert.equal(called('/payout', { ...asked, withdrawType: '3' }), "tollgate.payOut('bank_account', ")
})

test('what cannot be read is no call', () => {
  for (const body of ['', '[]', 'null', '{"merNo": 1'])
    assert.equal(asSdk('', logged('/payment', body)), undefined, body)
  assert.equal(asSdk('', logged('/payment', asked, 'CHEQUE')), undefined)
  assert.equal(asSdk('', logged('/payout', asked)), undefined)
  assert.equal(asSdk('', logged('/unknown', asked)), undefined)
})
