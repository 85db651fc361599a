import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cloneDatabase, useDatabase } from '../../../test/harness/harness.ts'
import { arrayOf, bool, bytes, day, int4, int8, itself, json, listOf, numeric, text, time } from './lists.ts'

type Row = {
  readonly wide: bigint | undefined
  readonly number: number
  readonly small: number | undefined
  readonly words: string | undefined
  readonly is: boolean
  readonly raw: Buffer | undefined
  readonly at: Date | undefined
  readonly on: string
}

const rows = listOf<Row>({
  wide: int8((one) => one.wide),
  number: int8((one) => one.number),
  small: int4((one) => one.small),
  words: text((one) => one.words),
  is: bool((one) => one.is),
  raw: bytes((one) => one.raw),
  at: time((one) => one.at),
  on_day: day((one) => one.on),
})

for (const [name, pipeline] of [
  ['binary', true],
  ['text', false],
] as const)
  describe(`lists as ${name}`, () => testLists(pipeline))

function testLists(pipeline: boolean): void {
  const database = useDatabase({ pipeline })

  function echoed(list: readonly Row[]) {
    const text = `select wide, number, small, words, "is", raw, at, on_day::text as on_day from ${rows.text}`
    return database.db.query({ text, values: rows.values(list) })
  }

  const full: Row = {
    wide: 2n ** 62n,
    number: -(2 ** 40) - 7,
    small: -5,
    words: 'a "quoted" {text}, 北京 \\ NULL 🙂',
    is: true,
    raw: Buffer.from([0, 255, 34]),
    at: new Date('2026-11-15T06:07:08.009Z'),
    on: '2026-11-15',
  }

  test('a list is read as rows, in order', async () => {
    const early = {
      ...full,
      wide: -1n,
      words: '',
      is: false,
      at: new Date('1969-12-31T23:59:59.999Z'),
      on: '1999-12-31',
    }
    const found = await echoed([full, early])
    assert.deepEqual(
      found,
      [full, early].map(({ on, number, ...one }) => ({ ...one, number: BigInt(number), on_day: on })),
    )
  })

  test('undefined becomes null', async () => {
    const nothing = { wide: undefined, small: undefined, words: undefined, raw: undefined, at: undefined }
    const [first, second] = await echoed([full, { ...full, ...nothing }])
    assert.equal(first?.words, full.words)
    assert.deepEqual(
      { wide: second?.wide, small: second?.small, words: second?.words, raw: second?.raw, at: second?.at },
      { wide: null, small: null, words: null, raw: null, at: null },
    )
  })

  test('an empty list has no rows, and a long one has all of them', async () => {
    assert.deepEqual(await echoed([]), [])
    const long = Array.from({ length: 3_000 }, (_, at) => ({
      ...full,
      number: at,
      words: 'é'.repeat(at % 90),
    }))
    const found = await echoed(long)
    assert.deepEqual(
      found.map(({ number, words }) => [Number(number), words]),
      long.map(({ number, words }) => [number, words]),
    )
  })

  test('a text is the same whatever its length and its letters', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => 'x'.repeat(at)).flatMap((ascii) => [
      ascii,
      `${ascii}é`,
      `é${ascii}`,
      `${ascii}🙂`,
      `${ascii}\x7f\x80`,
    ])
    const found = await echoed(texts.map((words) => ({ ...full, words })))
    assert.deepEqual(
      found.map(({ words }) => words),
      texts,
    )
  })

  test('parameters are counted from the first one given', () => {
    const later = listOf<string>({ one: text((word) => word), two: text((word) => word) }, 3)
    assert.match(later.text, /\$3::text\[\].*\$4::text\[\]/)
    assert.equal(later.next, '$5')
  })

  test('a value that cannot be encoded does not break later statements with the same name', async () => {
    const one = await cloneDatabase(1, pipeline)
    const wide = listOf<bigint>({ wide: int8((amount) => amount) })
    const ask = (amount: bigint) => {
      const statement = { name: 'wide', text: `select wide from ${wide.text}`, values: wide.values([amount]) }
      return one.db.transaction((tx) => tx.query(statement))
    }
    assert.deepEqual(await ask(1n), [{ wide: 1n }])
    await assert.rejects(ask(2n ** 64n), RangeError)
    assert.deepEqual(await ask(2n), [{ wide: 2n }])
    await one.drop()
  })

  test('decimals, documents and booleans may be null', async () => {
    type Loose = { readonly rate?: string; readonly details?: unknown; readonly is?: boolean }
    const loose = listOf<Loose>({
      rate: numeric((one) => one.rate),
      details: json((one) => one.details),
      is: bool((one) => one.is),
    })
    const text = `select rate::text as rate, details, "is" from ${loose.text}`
    const details = { name: 'a "quoted" 🙂', list: [1, null] }
    const rate = '123456789012345678.000000000001'
    const values = loose.values([{ rate, details, is: false }, {}])
    assert.deepEqual(await database.db.query({ text, values }), [
      { rate, details, is: false },
      { rate: null, details: null, is: null },
    ])
  })

  test('a value is compared with an array, empty or not', async () => {
    const [names, numbers] = [arrayOf(text<string>(itself), 1), arrayOf(int8<number>(itself), 2)]
    const query = `select 'a' = any (${names.text}) as "isNamed", 7 <> all (${numbers.text}) as "isOther"`
    const ask = (list: string[], others: number[]) =>
      database.db.query({ text: query, values: [names.value(list), numbers.value(others)] })
    assert.deepEqual(await ask(['b', 'a'], [6, 7]), [{ isNamed: true, isOther: false }])
    assert.deepEqual(await ask([], []), [{ isNamed: false, isOther: true }])
  })
}
