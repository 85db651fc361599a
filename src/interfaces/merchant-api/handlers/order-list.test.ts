import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSelection } from './order-list.ts'

function span(timezone: string, from: string, to: string): string[] {
  const selection = readSelection({ dateLimit: { from, to } }, timezone)
  assert.ok(selection.kind === 'span')
  return [selection.from, selection.until].map((at) => at.toISOString())
}

test('a span begins with its first second and ends after its last', () => {
  const [from, until] = span('America/Lima', '2026-05-01 00:00:00', '2026-05-01 23:59:59')
  assert.deepEqual({ from, until }, { from: '2026-05-01T05:00:00.000Z', until: '2026-05-02T05:00:00.000Z' })
})

test('for a local time that occurs twice, a span begins with the first and ends with the second', () => {
  const [from, until] = span('America/New_York', '2026-11-01 01:30:00', '2026-11-01 01:30:00')
  assert.deepEqual({ from, until }, { from: '2026-11-01T05:30:00.000Z', until: '2026-11-01T06:30:01.000Z' })
})

test('92 days are 92 days, also across a clock change', () => {
  const [from, until] = span('Europe/Berlin', '2026-01-01 00:00:00', '2026-04-02 23:59:59')
  assert.deepEqual({ from, until }, { from: '2025-12-31T23:00:00.000Z', until: '2026-04-02T22:00:00.000Z' })
})
