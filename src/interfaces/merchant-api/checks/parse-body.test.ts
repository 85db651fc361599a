import assert from 'node:assert/strict'
import { it, test } from 'node:test'
import { aCardPayment, buildFrame, signed } from '../../../../test/harness/merchant-frame.ts'
import { checkJsonShape, claimedMerNo, MAX_DEPTH, MOST_VALUES, shapeOf } from './parse-body.ts'

function valuesOf(text: string): number {
  return shapeOf(Buffer.from(text)).values
}

test('names and list elements are counted, but not inside strings', () => {
  const counted: [string, number][] = [
    ['{}', 0],
    ['{"a":1}', 1],
    ['{"a":1,"b":[],"c":[ ]}', 3],
    ['[1]', 1],
    ['[1,2, 3 ]', 3],
    ['[[],[]]', 2],
    ['[{},{}]', 2],
    ['[{"a":1,"b":2},{"a":[1,2]}]', 7],
    ['{"a:b,[]":"x:,[]{}","c":"\\"[1,2]\\\\"}', 2],
    ['{"a":"\\\\","b":[1,2]}', 4],
  ]
  for (const [text, count] of counted) assert.equal(valuesOf(text), count, text)
})

test('counting stops at the first value beyond the limit', () => {
  assert.equal(valuesOf(`[${'{},'.repeat(300_000)}{}]`), MOST_VALUES + 1)
  assert.equal(valuesOf(`{${'"a":1,'.repeat(300_000)}"a":1}`), MOST_VALUES + 1)
})

test('nesting is counted below the outermost level, and not inside strings', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  assert.equal(shapeOf(Buffer.from(nested(MAX_DEPTH))).depth, MAX_DEPTH)
  assert.equal(shapeOf(Buffer.from(nested(100_000))).depth, MAX_DEPTH + 1)
  assert.equal(shapeOf(Buffer.from(`{"a":"${'['.repeat(100)}"}`)).depth, 0)
  checkJsonShape(Buffer.from(nested(MAX_DEPTH)))
  assert.throws(() => checkJsonShape(Buffer.from(nested(MAX_DEPTH + 1))), { code: '99997' })
  checkJsonShape(Buffer.from(`{"a":[${'[],'.repeat(100)}[]]}`))
})

test('invalid JSON does no harm', () => {
  for (const text of ['', '"', '"\\', ']]]]', '}}}[1,2', '{"a":[', ':::', ',,,'])
    checkJsonShape(Buffer.from(text))
  assert.throws(() => checkJsonShape(Buffer.from(':'.repeat(100_000))), { code: '99997' })
})

const product = { sku: 'S-1', productName: 'Lamp', price: '10.00', quantity: '1' }

test('too many names or elements are refused before all other checks', async () => {
  const { post } = await buildFrame()
  const bodies = [
    `{"merNo":5,"productInfoList":[${'{},'.repeat(MOST_VALUES)}{}]}`,
    `{${Array.from({ length: MOST_VALUES + 1 }, (_, at) => `"k${at}":1`).join(',')}}`,
    `{"merNo":"wrong",${'"a":1,'.repeat(MOST_VALUES)}`,
  ]
  for (const body of bodies) assert.equal((await post('/payment', body)).body.code, '99997')
})

test('the largest allowed orders and queries pass', async () => {
  const { post } = await buildFrame()
  const products = (count: number) =>
    signed(aCardPayment({ productInfoList: Array.from({ length: count }, () => product) }))
  assert.equal((await post('/payment', products(1_000))).body.code, '00000')
  assert.match((await post('/payment', products(1_001))).body.message, /at most 1000 elements/)
  const numbers = Array.from({ length: 501 }, (_, at) => `ORDER-${at}`)
  const list = signed({ merNo: 100001, queryType: 'merOrderNos', merOrderNos: numbers }, ['merNo'])
  assert.notEqual((await post('/order/queryOrderList', list)).body.code, '99997')
})

test('a list beyond its limit costs no more than one at its limit', async () => {
  const { post } = await buildFrame()
  // The wrong element is beyond the limit, so it is not checked.
  const elements = [...Array.from({ length: 1_000 }, () => product), 5]
  const { code, message } = (await post('/payment', signed(aCardPayment({ productInfoList: elements })))).body
  assert.equal(code, '99997')
  assert.match(message, /at most 1000 elements/)
})

const bodies: readonly (readonly [string, number | undefined])[] = [
  ['{"merNo":100001}', 100001],
  ['{"sign":"F","merNo":"100001","version":"V3.0.0"}', 100001],
  ['{ "merNo" :\n 100001\n}', 100001],
  ['{"merNo":9999999999}', 9_999_999_999],
  ['{"merNo":99999999999}', undefined],
  ['{"merNo":100001', undefined],
  ['{"merNo":1.5}', undefined],
  ['{"merNo":-1}', undefined],
  ['{"merNo":null}', undefined],
  ['{"merOrderNo":"100001"}', undefined],
  ['{"name":"merNo","merNo":7}', undefined],
  ['', undefined],
]
for (const [body, expected] of bodies) {
  it(`finds ${expected ?? 'no number'} in ${JSON.stringify(body)}`, () => {
    assert.equal(claimedMerNo(Buffer.from(body)), expected)
  })
}
