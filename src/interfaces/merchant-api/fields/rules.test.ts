import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCardPayment, buildFrame, type JsonBody, signed } from '../../../../test/harness/merchant-frame.ts'
import { openReach } from '../../../platform/http/client/address-guard.ts'

const frame = await buildFrame()

async function pay(changes: JsonBody) {
  return (await frame.post('/payment', signed(aCardPayment(changes)))).body
}

const codes: readonly (readonly [field: string, value: unknown, code: string])[] = [
  ...[
    '10',
    '10.0',
    '10.000',
    '-1.00',
    '+1.00',
    '1e3',
    '1e3.00',
    '01.00',
    '.50',
    '10,00',
    '0.00',
    ' 1.00',
  ].map((amount) => ['sourceAmount', amount, '99997'] as const),
  ['sourceAmount', '1234567890.00', '99997'],
  ['sourceAmount', '١٠.٠٠', '99997'],
  ['sourceAmount', 10, '99996'],
  ['sourceAmount', '0.01', '00000'],
  ['returnUrl', '/back', '99997'],
  ['returnUrl', 'ftp://shop.example/', '99997'],
  ['returnUrl', 'http:shop.example', '99997'],
  ['returnUrl', 'javascript:alert(1)', '99997'],
  ['returnUrl', 'http://192.168.0.1/', '00000'],
  ['notifyUrl', 'https://192.168.0.1/', '99997'],
  ['notifyUrl', 'http://127.0.0.1:9/n', '00000'],
  ['notifyUrl', 'http://localhost:9/n', '00000'],
  ['notifyUrl', 'http://[::1]:9/n', '00000'],
  ['notifyUrl', 'http://[::ffff:127.0.0.1]/', '99997'],
  ['notifyUrl', 'http://0xa.1/', '99997'],
  ['protestNotifyUrl', 'http://169.254.169.254/', '99997'],
  ['billingCountry', 'XX', '99997'],
  ['billingCountry', 'us', '99997'],
  ['shippingCountry', 'TW', '00000'],
  ['ipAddress', '1.2.3', '99997'],
  ['ipAddress', '::1', '00000'],
  ['billingEmail', 'nobody', '99997'],
  ['billingEmail', 'a@b@c', '99997'],
  ['billingEmail', 'jürgen@büro.example', '00000'],
  ['terminal', 'web', '99997'],
  ['osType', 'WINDOWS', '99997'],
  ['cardNo', '4242424242424241', '99997'],
  ['cardNo', '4242 4242 4242 42', '99997'],
  ['cardNo', '42424242', '99997'],
  ['cardNo', '6205500000000000004', '00000'],
  ['cardNo', '42424242424242424242', '99997'],
  ['cardExpireMonth', '13', '99997'],
  ['cardExpireMonth', '00', '99997'],
  ['cardExpireMonth', '5', '99997'],
  ['cardExpireYear', '30', '99997'],
  ['cardExpireYear', '2001', '00000'],
  ['cardSecurityCode', '12', '99997'],
  ['cardSecurityCode', '12a', '99997'],
  ['cardSecurityCode', '1234', '99997'],
  ['billingFirstName', '张伟 👩‍👩‍👧', '00000'],
  ['billingLastName', 'محمد \u202Eعلي', '00000'],
  ['version', '', '00000'],
  ['version', 'V3.0.1', '00000'],
  ['version', 'V3.0', '10109'],
  ['version', 3, '99996'],
  ['merNo', '100001', '00000'],
  ['merNo', 'abc', '99996'],
  ['merNo', 1.5, '99996'],
  ['merNo', true, '99996'],
  ['merNo', -1, '10004'],
  ['merNo', '9'.repeat(400), '10004'],
]

for (const [field, value, code] of codes) {
  test(`${field} of ${JSON.stringify(value).slice(0, 40)} gives ${code}`, async () => {
    const answer = await pay({ [field]: value })
    assert.equal(answer.code, code, answer.message)
  })
}

test('amounts in a currency without decimals must end in 00', async () => {
  const codes = []
  for (const [currencyCode, sourceAmount] of [
    ['JPY', '100.50'],
    ['JPY', '100.00'],
    ['VND', '1.01'],
    ['KWD', '1.01'],
    ['???', '1.01'],
  ])
    codes.push((await pay({ currencyCode, sourceAmount })).code)
  assert.deepEqual(codes, ['99997', '00000', '99997', '00000', '00000'])
})

test('a notification address is refused by the rules of the gateway, whatever its spelling', async () => {
  const codes = async (reach: Parameters<typeof openReach>[0], notifyUrls: readonly string[]) => {
    const { post } = await buildFrame({ mayNotify: openReach(reach) })
    const answers = notifyUrls.map((notifyUrl) => post('/payment', signed(aCardPayment({ notifyUrl }))))
    return (await Promise.all(answers)).map(({ body }) => body.code)
  }
  const loopback = ['http://127.0.0.1/', 'http://LOCALHOST/', 'http://a.localhost./', 'http://[::1]/']
  const closed = { loopbackAllowed: false, allow: [] }
  assert.deepEqual(await codes(closed, loopback), ['99997', '99997', '99997', '99997'])
  const listed = { loopbackAllowed: false, allow: ['127.0.0.1', '10.1.0.0/16'] }
  const named = ['http://127.0.0.1/', 'http://localhost/', 'http://10.1.2.3/', 'http://10.2.0.1/']
  assert.deepEqual(await codes(listed, named), ['00000', '00000', '00000', '99997'])
})
