import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCardPayment, buildFrame, signed } from '../../../../test/harness/merchant-frame.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { checkReferer } from './referer.ts'

const sites = [
  'shop.example',
  'till.example:8443',
  '*.brand.example',
  'xn--bcher-kva.example',
  '[2001:db8::1]:81',
]

const table: readonly [referer: string | undefined, code: string][] = [
  [undefined, '10006'],
  ['', '10006'],
  ['  ', '10006'],
  ['shop.example', '10007'],
  ['//shop.example/', '10007'],
  ['ftp://shop.example/', '10007'],
  ['javascript:alert(1)', '10007'],
  ['https://', '10007'],
  ['https://user@shop.example/', '10007'],
  ['https://user:secret@shop.example/', '10007'],
  ['https://shop.example@evil.example/', '10007'],
  ['https://shop.example', '00000'],
  ['http://shop.example:81/cart?x=1#y', '00000'],
  ['HTTPS://SHOP.EXAMPLE/cart', '00000'],
  ['https://www.shop.example/', '10008'],
  ['https://shop.example.evil.example/', '10008'],
  ['https://evil.example/shop.example', '10008'],
  ['https://evil.example\\shop.example/', '10008'],
  ['https://myshop.example/', '10008'],
  ['https://till.example:8443/x', '00000'],
  ['https://till.example/x', '10008'],
  ['https://a.brand.example/', '00000'],
  ['https://a.b.brand.example/', '00000'],
  ['https://brand.example/', '10008'],
  ['https://evilbrand.example/', '10008'],
  ['https://bücher.example/', '00000'],
  ['https://BÜCHER.example/', '00000'],
  ['http://[2001:db8:0::1]:81/', '00000'],
  ['http://[2001:db8::1]/', '10008'],
]

for (const [referer, code] of table) {
  test(`a Referer of ${referer ?? 'nothing'} gives ${code}`, () => {
    assert.equal(
      codeOf(() => checkReferer(referer, sites)),
      code,
    )
  })
}

test("a site with its scheme's default port matches addresses without a port", () => {
  assert.equal(
    codeOf(() => checkReferer('https://a.example/', ['a.example:443'])),
    '00000',
  )
  assert.equal(
    codeOf(() => checkReferer('http://a.example/', ['a.example:443'])),
    '10008',
  )
})

test('Referer is checked for payments and payouts only, and Origin is no substitute', async () => {
  const { post } = await buildFrame()
  const headers = { referer: '', origin: 'https://shop.example' }
  assert.equal((await post('/payment', signed(aCardPayment()), headers)).body.code, '10006')
  assert.equal((await post('/payout', signed({ merNo: 100001 }), headers)).body.code, '10006')
  const query = signed({ merNo: 100001 }, ['merNo', 'version'])
  assert.equal((await post('/balance/query', query, headers)).body.code, '00000')
})

function codeOf(check: () => void): string {
  try {
    check()
    return '00000'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
