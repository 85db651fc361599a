import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AnswerReader, type Reading } from './answer-reader.ts'

const MOST = 100

/** In pieces of these sizes, the rest at once; then the connection is closed. */
function read(text: string, sizes: readonly number[] = []): { reading: Reading; reader: AnswerReader } {
  const reader = new AnswerReader(MOST)
  const bytes = Buffer.from(text, 'utf8')
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    const piece = Buffer.from(bytes.subarray(at, at + size))
    at += size
    if (piece.length === 0) continue
    const reading = reader.push(piece)
    piece.fill(0)
    if (reading !== undefined) return { reading, reader }
  }
  return { reading: reader.ended(), reader }
}

const kept = { kind: 'done', kept: true } as const
const closed = { kind: 'done', kept: false } as const

describe('an answer', () => {
  const answers: readonly (readonly [string, number, string, Reading])[] = [
    ['HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nSUCCESS', 200, 'SUCCESS', kept],
    ['HTTP/1.1 200 OK\r\nContent-Length:7\r\nConnection: Close\r\n\r\nSUCCESS', 200, 'SUCCESS', closed],
    ['HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', 200, 'ok', closed],
    ['HTTP/1.1 200\r\n\r\nuntil the end', 200, 'until the end', closed],
    ['HTTP/1.1 204 No Content\r\n\r\n', 204, '', kept],
    ['HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n', 304, '', kept],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 200, '', kept],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Oh\r\ncontent-length: 1\r\n\r\nx', 500, 'x', kept],
    [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nSUC\r\n4;a=b\r\nCESS\r\n0\r\n\r\n',
      200,
      'SUCCESS',
      kept,
    ],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n', 200, 'ok', kept],
    ['HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ngrün!', 200, 'grün!', kept],
  ]
  for (const [text, status, body, end] of answers) {
    test(JSON.stringify(text), () => {
      const pieces = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 })
      fc.assert(
        fc.property(pieces, (sizes) => {
          const { reading, reader } = read(text, sizes)
          assert.deepEqual(reading, end)
          assert.equal(reader.status, status)
          assert.equal(reader.text(), body)
        }),
      )
    })
  }
})

describe('what has no one meaning is no answer', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['HTTP/2 200 OK\r\n\r\n', /HTTP/],
    ['SUCCESS\r\n\r\n', /HTTP/],
    ['HTTP/1.1 099 x\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', /two lengths/],
    ['HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\nx: y\r\n folded\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\nno colon\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n', /encoding/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n', /HTTP/],
    ['HTTP/1.1 101 Switching\r\n\r\n', /protocol/],
    ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort', /before the answer was whole/],
    ['HTTP/1.1 200 OK\r\n', /before the answer was whole/],
    [`HTTP/1.1 200 OK\r\ncontent-length: 101\r\n\r\n${'x'.repeat(101)}`, /longer than 100 bytes/],
    [`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(101)}`, /longer than 100 bytes/],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`, /head is too long/],
    [
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(101)}`,
      /longer than 100 bytes/,
    ],
    [
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(900)}\r\n`,
      /longer than 100 bytes/,
    ],
  ]
  for (const [text, why] of wrong) {
    test(JSON.stringify(text.slice(0, 70)), () => {
      const { reading } = read(text)
      assert.equal(reading.kind, 'broken')
      assert.match(reading.why, why)
    })
  }
})

test('more than the answer means that the connection is not used again', () => {
  const { reading, reader } = read('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and more')
  assert.deepEqual(reading, closed)
  assert.equal(reader.text(), 'ok')
})
