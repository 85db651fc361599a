import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCardPayment, buildFrame, KEY, signed } from '../../../../test/harness/merchant-frame.ts'
import { requiredText, sign, type Table, text } from './field.ts'
import { splitBySecrecy } from './field-values.ts'

test('card data and signatures are never among what may be stored', async () => {
  const { post, reached } = await buildFrame()
  await post('/payment', signed(aCardPayment({ userId: 'u' })))
  const [request] = reached
  assert.ok(request)
  const { plain, personal } = splitBySecrecy([])(request)
  assert.deepEqual(personal, {})
  assert.equal(plain.userId, 'u')
  const kept = JSON.stringify(plain)
  for (const secret of ['4242424242424242', '"123"', '2030', KEY, String(request.fields.sign)])
    assert.ok(!kept.includes(secret), secret)
})

const table: Table = [
  requiredText('city', 'City'),
  text('street', 'Street'),
  text('taxNo', 'Tax number', 20, { secrecy: 'personal' }),
  text('note', 'Note'),
  sign,
]
const divide = splitBySecrecy(['note'])

test('each request gets its own values under its own names, whatever came before it', () => {
  const requests = [
    ['Lima', 'Arica', '1', 'left out', 'S'],
    ['Cusco', undefined, '2', undefined, 'S'],
    ['Puno', 'Tacna', '3', undefined, 'S'],
    ['Ica', undefined, undefined, undefined, 'S'],
    ['Piura', undefined, '5', undefined, 'S'],
  ]
  assert.deepEqual(
    requests.map((values) => divide({ table, values })),
    [
      { plain: { city: 'Lima', street: 'Arica' }, personal: { taxNo: '1' } },
      { plain: { city: 'Cusco' }, personal: { taxNo: '2' } },
      { plain: { city: 'Puno', street: 'Tacna' }, personal: { taxNo: '3' } },
      { plain: { city: 'Ica' }, personal: {} },
      { plain: { city: 'Piura' }, personal: { taxNo: '5' } },
    ],
  )
})

test('two requests share nothing', () => {
  const [one, other] = ['Lima', 'Cusco'].map((city) => divide({ table, values: [city] }))
  assert.notEqual(one?.plain, other?.plain)
  assert.deepEqual(
    { one: one?.plain, other: other?.plain },
    { one: { city: 'Lima' }, other: { city: 'Cusco' } },
  )
})
