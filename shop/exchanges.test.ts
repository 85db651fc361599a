import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExchanges } from './exchanges.ts'
import { hidden } from './hidden.ts'

test('cards are masked, and nothing else is changed', () => {
  const fields = { merNo: 1, cardNo: '4242424242424242', cardSecurityCode: '123', email: 'payer@example.com' }
  assert.deepEqual(hidden(fields), { ...fields, cardNo: '424242••••••4242', cardSecurityCode: '•••' })
  assert.deepEqual(hidden({ cardNo: '12345678' }), { cardNo: '••••5678' })
  assert.deepEqual(hidden({ cardNo: '12' }), { cardNo: '12' })
  assert.deepEqual(hidden({ merNo: 1 }), { merNo: 1 })
})

test('the newest requests are kept, and changes are announced', () => {
  const announced: number[] = []
  const exchanges = createExchanges((id) => announced.push(id))
  const one = { kind: 'request', title: '', number: '', state: 'waiting', result: '', parts: [] } as const
  for (let at = 0; at < 70; at++) exchanges.add(one)
  assert.equal(exchanges.list().length, 60)
  assert.equal(exchanges.list()[0]?.id, 70)
  exchanges.change(70, { state: 'good' })
  exchanges.change(1, { state: 'good' })
  assert.equal(exchanges.find(70)?.state, 'good')
  assert.deepEqual(announced.slice(-2), [70, 70])
})
