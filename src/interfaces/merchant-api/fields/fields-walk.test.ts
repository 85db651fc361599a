// Tests every field of a card payment. The expectations are written out here and do not use the tables under test.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCardPayment, buildFrame, type JsonBody, signed } from '../../../../test/harness/merchant-frame.ts'
import { paymentFields } from './request-fields.ts'

type Expected = {
  readonly name: string
  readonly required: boolean
  readonly max?: number
  /** A valid value of exactly the maximum length. Needed if plain letters would break another rule. */
  readonly longest?: string
  readonly type?: 'integer' | 'boolean'
  /** The expected code for an empty field, if it is not 10002. */
  readonly empty?: string
}

const letters = (count: number) => 'x'.repeat(count)
const address = (who: string): readonly Expected[] => [
  { name: `${who}FirstName`, required: true, max: 50 },
  { name: `${who}LastName`, required: true, max: 50 },
  { name: `${who}Address1`, required: true, max: 128 },
  { name: `${who}Address2`, required: false, max: 128 },
  { name: `${who}City`, required: true, max: 100 },
  { name: `${who}State`, required: true, max: 100 },
  { name: `${who}Country`, required: true, max: 2, longest: 'GB' },
  { name: `${who}ZipCode`, required: true, max: 20 },
  { name: `${who}Phone`, required: true, max: 20 },
  { name: `${who}Email`, required: true, max: 100, longest: `a@${letters(98)}` },
]
const web = (name: string, required: boolean): Expected => {
  return { name, required, max: 512, longest: `https://a.example/${letters(494)}` }
}

const walk: readonly Expected[] = [
  { name: 'merOrderNo', required: true, max: 32 },
  { name: 'currencyCode', required: true, max: 3, longest: 'EUR', empty: '10018' },
  { name: 'sourceAmount', required: true, max: 12, longest: '123456789.01' },
  web('returnUrl', true),
  web('notifyUrl', false),
  { name: 'cardNo', required: true, max: 16, longest: '5555555555554444' },
  { name: 'cardExpireMonth', required: true, max: 2, longest: '01' },
  { name: 'cardExpireYear', required: true, max: 4, longest: '2031' },
  { name: 'cardSecurityCode', required: true, max: 3, longest: '000' },
  ...address('billing'),
  ...address('shipping'),
  { name: 'userAgent', required: true, max: 128 },
  { name: 'ipAddress', required: true, max: 64, longest: '2001:0db8:0000:0000:0000:ffff:192.0.2.128' },
  { name: 'userId', required: false, max: 255 },
  { name: 'email', required: false, max: 255, longest: `a@${letters(253)}` },
  { name: 'osType', required: false, max: 255, longest: 'ANDROID' },
  { name: 'terminal', required: false, max: 255, longest: 'MINI_APP' },
  web('protestNotifyUrl', false),
  { name: 'acceptHeader', required: false, max: 1024 },
  { name: 'deviceId', required: false, max: 255 },
  { name: 'language', required: false, max: 255 },
  { name: 'timezone', required: false, max: 255 },
  { name: 'screenColorDepth', required: false, type: 'integer' },
  { name: 'screenHeight', required: false, type: 'integer' },
  { name: 'screenWidth', required: false, type: 'integer' },
  { name: 'javaEnabled', required: false, type: 'boolean' },
  { name: 'javascriptEnabled', required: false, type: 'boolean' },
  { name: 'latitude', required: false, max: 255 },
  { name: 'longitude', required: false, max: 255 },
  { name: 'deviceModel', required: false, max: 255 },
  { name: 'osVersion', required: false, max: 255 },
]

const items: readonly Expected[] = [
  { name: 'sku', required: true, max: 64 },
  { name: 'productName', required: true, max: 128 },
  { name: 'price', required: true, max: 16 },
  { name: 'quantity', required: true, max: 16 },
]

/** A change of the request, and the code that is expected. */
type Case = readonly [what: string, value: unknown, code: string]

function casesOf({ required, max, longest, type, empty = '10002' }: Expected): readonly Case[] {
  const whenEmpty = required ? empty : '00000'
  const always: readonly Case[] = [
    ['missing', undefined, whenEmpty],
    ['null', null, whenEmpty],
    ['""', '', whenEmpty],
    ['an object', {}, '99996'],
    ['a list', ['x'], '99996'],
  ]
  if (type === 'integer')
    return [
      ...always,
      ['24', 24, '00000'],
      ['"24"', '24', '99996'],
      ['1.5', 1.5, '99996'],
      ['true', true, '99996'],
    ]
  if (type === 'boolean')
    return [...always, ['false', false, '00000'], ['"true"', 'true', '99996'], ['1', 1, '99996']]
  const most = max ?? 0
  return [
    ...always,
    ['a number', 10, '99996'],
    ['true', true, '99996'],
    ['exactly its length', longest ?? letters(most), '00000'],
    [
      'one over its length',
      longest === undefined ? letters(most + 1) : longest.padEnd(most + 1, '1'),
      '99997',
    ],
    ['a tab', `\t${(longest ?? letters(most)).slice(1)}`, '99997'],
    ['a NUL', `${(longest ?? letters(most)).slice(1)}\u0000`, '99997'],
    ['a C1 control', '\u0085', '99997'],
    ['half a surrogate pair', '\ud83d', '99997'],
    ...(longest === undefined ? emoji(most) : []),
  ]
}

function emoji(max: number): readonly Case[] {
  return [
    ['exactly its length in emoji', '🧿'.repeat(max), '00000'],
    ['one over its length in emoji', '🧿'.repeat(max + 1), '99997'],
  ]
}

const frame = await buildFrame()

async function codeOf(body: JsonBody): Promise<{ code: string; message: string }> {
  // The signature is over the bytes that a program would send for malformed Unicode.
  return (await frame.post('/payment', signed(body))).body
}

for (const expected of walk) {
  test(`/payment enforces the rules of ${expected.name}`, async () => {
    for (const [what, value, code] of casesOf(expected)) {
      const answer = await codeOf(aCardPayment({ [expected.name]: value }))
      assert.equal(answer.code, code, `${expected.name} ${what}: ${answer.message}`)
      if (code !== '00000' && code !== '10018')
        assert.match(answer.message, new RegExp(`\\b${expected.name}\\b`))
      if (code === '99997' && typeof value === 'string' && value.length > 4)
        assert.ok(!answer.message.includes(value), 'a message never holds the value')
    }
  })
}

for (const expected of items) {
  test(`/payment enforces the rules of a product's ${expected.name}`, async () => {
    for (const [what, value, code] of casesOf(expected)) {
      const good = { sku: 'S-1', productName: 'Lamp', price: '10.00', quantity: '1' }
      const productInfoList = [good, { ...good, [expected.name]: value }]
      const answer = await codeOf(aCardPayment({ productInfoList }))
      assert.equal(answer.code, code, `${expected.name} ${what}: ${answer.message}`)
      if (code !== '00000') assert.ok(answer.message.includes(`productInfoList[1].${expected.name}`))
    }
  })
}

test('/payment enforces the rules of productInfoList', async () => {
  const item = { sku: 'S-1', productName: 'Lamp', price: '10.00', quantity: '1' }
  const cases: readonly Case[] = [
    ['missing', undefined, '10002'],
    ['null', null, '10002'],
    ['""', '', '10002'],
    ['no elements', [], '10002'],
    ['an object', item, '99996'],
    ['a string', 'x', '99996'],
    ['a string inside', ['x'], '99996'],
    ['null inside', [null], '99996'],
    ['1000 elements', Array(1000).fill(item), '00000'],
    ['1001 elements', Array(1001).fill(item), '99997'],
  ]
  for (const [what, productInfoList, code] of cases)
    assert.equal((await codeOf(aCardPayment({ productInfoList }))).code, code, what)
})

test('every field of a card payment is checked', () => {
  const walked = walk.map(({ name }) => name)
  const others = ['merNo', 'sign', 'version', 'productInfoList']
  const known = paymentFields('card').map(({ name }) => name)
  assert.deepEqual(known.toSorted(), [...walked, ...others].toSorted())
})
