import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../../../platform/base/object.ts'
import { fetchStatement, readPage } from './fetch-statement.ts'

const day = '2026-11-15'
const line = { reference: 'A1', type: 'payment', amount: '1250', currency: 'USD', fee: '35' }

test('a statement is fetched page by page', async () => {
  const pages = new Map<unknown, Fields>([
    [undefined, { day, lines: [line], next: 'x' }],
    [
      'x',
      {
        day,
        lines: [{ ...line, id: 'b-7', reference: 'R1', type: 'refund', amount: '-1250', fee: undefined }],
      },
    ],
  ])
  const statement = await fetchStatement(
    {
      transport: async (_operation, { after }) => ({ kind: 'answer', status: 200, body: pages.get(after) }),
      timeoutMs: 1_000,
    },
    day,
  )
  const money = { amount: 1_250n, currency: 'USD' }
  assert.deepEqual(statement, {
    kind: 'listed',
    lines: [
      { reference: 'A1', type: 'payment', money, fee: 35n },
      { id: 'b-7', reference: 'R1', type: 'refund', money: { ...money, amount: -1_250n }, fee: 0n },
    ],
  })
})

test('a statement with anything malformed is unknown', async () => {
  const wrong: readonly unknown[] = [
    undefined,
    {},
    { day: '2026-11-14', lines: [] },
    { day, lines: [{ ...line, amount: '0' }] },
    { day, lines: [{ ...line, amount: 1250 }] },
    { day, lines: [{ ...line, amount: '--5' }] },
    { day, lines: [{ ...line, id: 7 }] },
    { day, lines: [{ ...line, fee: '-1' }] },
    { day, lines: [{ ...line, currency: 'XXY' }] },
    { day, lines: [{ ...line, type: 'fee' }] },
    { day, lines: [line, null] },
    { day, lines: [line], next: 7 },
  ]
  for (const body of wrong)
    assert.equal(typeof readPage({ kind: 'answer', status: 200, body }, day), 'string', JSON.stringify(body))
  assert.equal(typeof readPage({ kind: 'answer', status: 409, body: { error: 'not_ready' } }, day), 'string')
  const endless = await fetchStatement(
    {
      transport: async () => ({ kind: 'answer', status: 200, body: { day, lines: [], next: 'x' } }),
      timeoutMs: 1_000,
    },
    day,
  )
  assert.equal(endless.kind, 'unknown')
})
