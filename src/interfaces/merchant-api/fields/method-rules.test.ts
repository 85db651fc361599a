import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aReference } from '../../../../test/builders/reference.ts'
import { aCardPayment, buildFrame, type JsonBody, signed } from '../../../../test/harness/merchant-frame.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { methods } from '../../../rails/methods/methods.ts'
import { knowsBank } from '../../../rails/methods/traits.ts'

const frame = await buildFrame()
const { merNo, merOrderNo, returnUrl, ipAddress, productInfoList, userAgent } = aCardPayment()
const order = { merNo, merOrderNo, returnUrl, ipAddress }

type Case = readonly [changes: JsonBody, code: string, message: RegExp]

async function expectAll(paymenttype: string, body: JsonBody, cases: readonly Case[]): Promise<void> {
  for (const [changes, code, message] of cases) {
    const answer = await frame.post('/payment', signed({ ...order, ...body, ...changes }), { paymenttype })
    assert.equal(answer.body.code, code, `${JSON.stringify(changes)}: ${answer.body.message}`)
    assert.match(answer.body.message, message)
  }
}

test('PerTransfer accepts an identification whose number matches its kind', async () => {
  const body = {
    currencyCode: 'PER',
    sourceAmount: '10.00',
    customerIdentificationType: '02',
    customerIdentification: '20100070970',
  }
  await expectAll('PER_TRANSFER', body, [
    [{}, '00000', /^SUCCESS$/],
    [{ customerIdentificationType: '00', customerIdentification: '41552384' }, '00000', /^SUCCESS$/],
    [{ customerIdentification: '20100070971' }, '99997', /customerIdentification must be a tax number/],
    [{ customerIdentificationType: '00' }, '99997', /customerIdentification must be the 8 digits/],
    [{ customerIdentificationType: '03', customerIdentification: '-' }, '99997', /of a passport/],
    [{ customerIdentificationType: '04' }, '99997', /customerIdentificationType must be one of/],
    [{ customerIdentification: '' }, '10002', /customerIdentification/],
  ])
})

test("a method's own rules are checked after the table's, and refusals never show the value", async () => {
  const body = {
    currencyCode: 'PEN',
    sourceAmount: '10.0',
    customerIdentificationType: '00',
    customerIdentification: 'secret-1',
  }
  await expectAll('PER_TRANSFER', body, [
    [{}, '99997', /sourceAmount/],
    [{ sourceAmount: '10.00' }, '99997', /^(?!.*secret-1).*customerIdentification must/],
  ])
})

test('the cashier applies the same rules to what the merchant sends, and leaves the rest to the page', async () => {
  const body = { ...order, currencyCode: 'PEN', sourceAmount: '10.00', productInfoList, userAgent }
  const send = async (changes: JsonBody) => {
    const whole = signed({ ...body, paymentMode: 'PER_TRANSFER', ...changes })
    return (await frame.post('/cashier/checkStandPayment', whole)).body.code
  }
  assert.equal(await send({}), '00000')
  assert.equal(await send({ customerIdentificationType: '00' }), '00000')
  assert.equal(await send({ customerIdentificationType: '00', customerIdentification: '1' }), '99997')
})

test('GCash requires the payer and the device, SEPA the payer and the browser', async () => {
  const payer = { userId: 'u-1', email: 'payer@example.com' }
  const php = { currencyCode: 'PHP', sourceAmount: '10.00', ...payer, osType: 'ANDROID', terminal: 'WAP' }
  await expectAll('GCASH', php, [
    [{}, '00000', /^SUCCESS$/],
    [{ email: 'payer' }, '99997', /email must be/],
    [{ osType: 'SYMBIAN' }, '99997', /osType must be one of/],
    [{ terminal: '' }, '10002', /terminal/],
  ])
  const eur = { currencyCode: 'EUR', sourceAmount: '10.00', ...payer, userAgent }
  await expectAll('SEPA', eur, [
    [{}, '00000', /^SUCCESS$/],
    [{ userAgent: '' }, '10002', /userAgent/],
    [{ email: null }, '10002', /email/],
  ])
  await expectAll('SPEI', { currencyCode: 'MXN', sourceAmount: '10.00' }, [
    [{}, '00000', /^SUCCESS$/],
    [{ email: 'payer' }, '99997', /email must be/],
  ])
})

test('Vietnam Pay responds 400 to bad input and 404 to an unknown bank', async () => {
  const { bank } = methods.vn_bank
  assert.ok(bank)
  const { post } = await buildFrame({
    handlers: {
      '/payment': async ({ fields }) => {
        if (!knowsBank(aReference, bank, fields)) throw new Refusal('10013')
        return { data: { payCode: 2 } }
      },
    },
  })
  const body = {
    ...order,
    currencyCode: 'VND',
    sourceAmount: '250000.00',
    userId: 'u-1',
    email: 'payer@example.com',
    productName: 'Lamp',
    paymentMethodStr: 'qrcode',
    vaBankId: 970436,
  }
  for (const [changes, status, code, message] of [
    [{}, 200, '00000', /^SUCCESS$/],
    [{ paymentMethodStr: 'va', vaBankId: 970407 }, 200, '00000', /^SUCCESS$/],
    [{ vaBankId: 970499 }, 404, '10013', /^Record not found/],
    [{ vaBankId: '970436' }, 400, '99996', /^Invalid input.*vaBankId/],
    [{ vaBankId: null }, 400, '10002', /^Invalid input.*vaBankId/],
    [{ sourceAmount: '250000.50' }, 400, '99997', /^Invalid input.*sourceAmount/],
    [{ paymentMethodStr: 'QRCODE' }, 400, '99997', /^Invalid input.*paymentMethodStr/],
  ] as const) {
    const answer = await post('/payment', signed({ ...body, ...changes }), { paymenttype: 'VN_BANK' })
    assert.deepEqual({ status: answer.status, code: answer.body.code }, { status, code }, answer.body.message)
    assert.match(answer.body.message, message)
  }
})
