import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../test/harness.ts'
import { withoutNul } from './json-text.ts'

test('NUL is removed from JSON, and what only looks like its escape stays', async () => {
  const { db, drop } = await cloneDatabase()
  const texts = [
    'Lima',
    '\0',
    '\0\0Li\0ma',
    '\\u0000',
    '\\\0',
    '\\\\u0000',
    '\\\\\0\\u0000\0',
    'u0000',
    '"\0"',
  ]
  const rows = await db.query<{ text: string }>({
    text: `select (${withoutNul('details')})::json ->> 'city' as text
      from unnest($1::text[]) with ordinality as given (details, place) order by place`,
    values: [texts.map((city) => JSON.stringify({ city }))],
  })
  assert.deepEqual(
    rows.map(({ text }) => text),
    texts.map((text) => text.replaceAll('\0', '')),
  )
  await drop()
})
