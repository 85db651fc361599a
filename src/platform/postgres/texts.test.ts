import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { containsAnyCase, withoutNul } from './texts.ts'

const database = useDatabase()

async function isFound(part: string, whole: string): Promise<boolean | undefined> {
  const text = 'select $1::text ~ $2 as found'
  const [row] = await database.db.query<{ found: boolean }>({ text, values: [whole, containsAnyCase(part)] })
  return row?.found
}

test('a text is found in either case, whatever the letters and the locale of the server', async () => {
  for (const [part, whole] of [
    ['SÖHNE', 'Mill & Söhne'],
    ['österreich', 'ÖSTERREICH AG'],
    ['ΑΘΗΝΑ', 'αθηνα'],
    ['москва', 'ООО Москва'],
    ['straße', 'Hauptstraße 1'],
    ['支付', '微信支付'],
    ['a😀b', 'xA😀Bx'],
  ] as const)
    assert.equal(await isFound(part, whole), true, `${part} in ${whole}`)
  assert.equal(await isFound('sohne', 'Söhne'), false)
})

test('signs with a meaning in patterns mean themselves', async () => {
  const signs = '***:.*+?^$+{}()|[]\\d-]&%_#'
  assert.equal(await isFound(signs, `x${signs}y`), true)
  for (const sign of ['.', '.*', '[a]', 'a|b', '(?i)a', '^', '$', '\\w', '***=a'])
    assert.equal(await isFound(sign, 'a'), false, sign)
})

test('NUL is removed from JSON, and what only looks like its escape stays', async () => {
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
  const rows = await database.db.query<{ text: string }>({
    text: `select (${withoutNul('details')})::json ->> 'city' as text
      from unnest($1::text[]) with ordinality as given (details, place) order by place`,
    values: [texts.map((city) => JSON.stringify({ city }))],
  })
  assert.deepEqual(
    rows.map(({ text }) => text),
    texts.map((text) => text.replaceAll('\0', '')),
  )
})
