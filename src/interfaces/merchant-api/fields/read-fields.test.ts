import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCardPayment, buildFrame, type JsonBody, signed } from '../../../../test/harness/merchant-frame.ts'

const frame = await buildFrame()

test('aliases are accepted, unless both spellings are sent and differ', async () => {
  const { billingFirstName: name, productInfoList: items, ...rest } = aCardPayment()
  const { post, reached } = await buildFrame()
  const bodies: readonly [JsonBody, string][] = [
    [{ billFirstName: name, productInfo: items }, '00000'],
    [{ billFirstName: name, billingFirstName: name, productInfo: items, productInfoList: items }, '00000'],
    [{ billFirstName: name, billingFirstName: '', productInfoList: items }, '00000'],
    [{ billFirstName: name, billingFirstName: 'Eve', productInfoList: items }, '99997'],
    [{ billingFirstName: name, productInfoList: items, productInfo: [] }, '99997'],
    [{ billingFirstName: name, products: items }, '10002'],
    [{ billFirstName: 5, productInfoList: items }, '99996'],
  ]
  for (const [changes, code] of bodies) {
    const { body } = await post('/payment', signed({ ...rest, ...changes }))
    assert.equal(body.code, code, `${Object.keys(changes)}: ${body.message}`)
  }
  assert.equal(reached.length, 3)
  for (const { fields } of reached) {
    assert.equal(fields.billingFirstName, 'Test')
    assert.deepEqual(fields.productInfoList, items)
    assert.ok(!('billFirstName' in fields) && !('productInfo' in fields))
  }
})

test('sign may be spelt sing in an order query, and only there', async () => {
  const { sign, ...query } = signed({ merNo: 100001, merOrderNo: 'A', queryType: 'sales' }, [
    'merNo',
    'merOrderNo',
  ])
  assert.equal((await frame.post('/order/query', { ...query, sing: sign })).body.code, '00000')
  assert.equal((await frame.post('/order/query', { ...query, sing: sign, sign })).body.code, '00000')
  assert.equal((await frame.post('/order/query', { ...query, sing: sign, sign: 'other' })).body.code, '99997')
  const { sign: other, ...payment } = signed(aCardPayment())
  assert.equal((await frame.post('/payment', { ...payment, sing: other })).body.code, '10002')
})
