import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../test/harness.ts'
import { containsAnyCase } from './any-case.ts'
import type { Db } from './db.ts'

let db: Db
let drop: () => Promise<void>
before(async () => {
  ;({ db, drop } = await cloneDatabase())
})
after(() => drop())

async function isFound(part: string, whole: string): Promise<boolean | undefined> {
  const text = 'select $1::text ~ $2 as found'
  const [row] = await db.query<{ found: boolean }>({ text, values: [whole, containsAnyCase(part)] })
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
