import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CsvError, readCsv, writeCsv } from './csv.ts'

async function* pieces(text: string, size = text.length || 1): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function read(text: string, size?: number) {
  const records = []
  for await (const record of readCsv(pieces(text, size))) records.push(record)
  return records
}

test('written records are read back, whatever the chunk size', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r', ' '), maxLength: 8 })
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 })
  const property = fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
    const records = await read(rows.map(writeCsv).join(''), size)
    assert.deepEqual(
      records.map((record) => record.cells),
      rows,
    )
  })
  await fc.assert(property)
})

for (const [cell, written] of [
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['Muster;=1+1', "Muster;'=1+1"],
  ['a; -cmd|x', "a;' -cmd|x"],
  ['a;;+1', "a;;'+1"],
  ['a;\t=1', "a;\t'=1"],
  ['a;＝1', "a;'＝1"],
  ['a;"=1', `"a;'""=1"`],
  ['a\n=1', `"a\n'=1"`],
  ['{"name":"x;=1"}', `"{""name"":""x;'=1""}"`],
] as const)
  test(`no spreadsheet runs ${JSON.stringify(cell)}, whichever sign separates its cells`, () => {
    assert.equal(writeCsv(['1', cell]), `1,${written}\r\n`)
  })

test('amounts stay numbers, and text that begins no formula stays as it is', () => {
  const cells = ['-12.50', '0.00', '-3', 'a; b', 'a;b=c', 'x=1', 'a-b', 'e@shop.example', '2026-11-18', '']
  assert.equal(writeCsv(cells), `${cells.join(',')}\r\n`)
})

for (const header of ['a,b', '"a","b"', '"a",b']) {
  for (const size of [1, 2, 100]) {
    test(`a byte-order mark before ${header} is skipped, in chunks of ${size}`, async () => {
      assert.deepEqual(await read(`\uFEFF${header}\n"\uFEFFc",d\n`, size), [
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['\uFEFFc', 'd'] },
      ])
    })
  }
}

test('a record has the number of its first line, also after a record with line breaks', async () => {
  assert.deepEqual(await read('a,b\n\n"x\ny",c\r\nd,e'), [
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['x\ny', 'c'] },
    { line: 5, cells: ['d', 'e'] },
  ])
})

for (const [text, line] of [
  ['a,b"c\n', 1],
  ['a\n"b"c,d\n', 2],
  ['a\n"never ends', 2],
  ['a\rb\n', 1],
] as const) {
  test(`${JSON.stringify(text)} is refused, with line ${line}`, async () => {
    await assert.rejects(read(text), (error: Error) => {
      assert.ok(error instanceof CsvError)
      return error.message.startsWith(`line ${line}: `)
    })
  })
}

test('an oversized record is refused before all of it is read', async () => {
  let given = 0
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield 'x'.repeat(given++ === 0 ? 1 : 1_000)
  }
  await assert.rejects(readCsv(endless()).next(), /line 1: a record is longer than 10000 characters/)
  assert.ok(given < 20)
})
