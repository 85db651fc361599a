import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { MOST_PIECES, type Reading, ResponseReader } from './response-reader.ts'

const MOST = 100

/** Reads the text in pieces of these sizes, and the rest in one piece. After that, the server closes the connection. */
function read(text: string, sizes: readonly number[] = []): { reading: Reading; reader: ResponseReader } {
  const reader = new ResponseReader(MOST)
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

const reusable = { kind: 'done', reusable: true } as const
const closed = { kind: 'done', reusable: false } as const

describe('a response', () => {
  const responses: readonly (readonly [string, number, string, Reading])[] = [
    ['HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nSUCCESS', 200, 'SUCCESS', reusable],
    ['HTTP/1.1 200 OK\r\nContent-Length:7\r\nConnection: Close\r\n\r\nSUCCESS', 200, 'SUCCESS', closed],
    ['HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', 200, 'ok', closed],
    ['HTTP/1.1 200\r\n\r\nuntil the end', 200, 'until the end', closed],
    ['HTTP/1.1 204 No Content\r\n\r\n', 204, '', reusable],
    ['HTTP/1.1 304 Not Modified\r\n\r\n', 304, '', reusable],
    ['HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n', 204, '', reusable],
    // A body may follow this head, and would be taken for the next response.
    ['HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n', 304, '', closed],
    ['HTTP/1.1 204 No Content\r\ncontent-length: 9\r\n\r\n', 204, '', closed],
    ['HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n', 204, '', closed],
    [
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      200,
      'ok',
      closed,
    ],
    ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok', 200, 'ok', reusable],
    [
      'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx',
      200,
      'x',
      reusable,
    ],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 200, '', reusable],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Oh\r\ncontent-length: 1\r\n\r\nx', 500, 'x', reusable],
    [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nSUC\r\n4;a=b\r\nCESS\r\n0\r\n\r\n',
      200,
      'SUCCESS',
      reusable,
    ],
    [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n',
      200,
      'ok',
      reusable,
    ],
    ['HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ngrün!', 200, 'grün!', reusable],
  ]
  for (const [text, status, body, end] of responses) {
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

describe('an ambiguous response is refused', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['HTTP/2 200 OK\r\n\r\n', /HTTP/],
    ['SUCCESS\r\n\r\n', /HTTP/],
    ['HTTP/1.1 099 x\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', /two different lengths/],
    ['HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\nx: y\r\n folded\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\nno colon\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\nok', /HTTP/],
    ['HTTP/1.1 200 OK\r\ncontent-length: 2, 2\r\n\r\nok', /HTTP/],
    ['HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\nx: a\ncontent-length: 2\r\n\r\nok', /HTTP/],
    ['HTTP/1.1 200 OK\ncontent-length: 2\r\n\r\nok', /HTTP/],
    ['HTTP/1.1 200 OK\ncontent-length: 2\n\nok', /before the response was complete/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: \x0bchunked\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n', /encoding/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0x2\r\nok\r\n0\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n123456789\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\nok\r\n0\r\n\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n', /encoding/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n', /HTTP/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n', /HTTP/],
    ['HTTP/1.1 101 Switching\r\n\r\n', /protocol/],
    ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort', /before the response was complete/],
    ['HTTP/1.1 200 OK\r\n', /before the response was complete/],
    [`HTTP/1.1 200 OK\r\ncontent-length: 101\r\n\r\n${'x'.repeat(101)}`, /200 with more than 100 bytes/],
    [`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(101)}`, /200 with more than 100 bytes/],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`, /head is too long/],
    [
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(101)}`,
      /200 with more than 100 bytes/,
    ],
    [
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(900)}\r\n`,
      /200 with more than 100 bytes/,
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

test('a connection with bytes after the response is not used again', () => {
  const { reading, reader } = read('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and more')
  assert.deepEqual(reading, closed)
  assert.equal(reader.text(), 'ok')
})

describe('a server that dribbles', () => {
  const dribbles: readonly (readonly [string, string])[] = [
    ['its head', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(9_000)}`],
    ['interim responses', 'HTTP/1.1 102 Wait\r\n\r\n'.repeat(200)],
    ['its body', `HTTP/1.1 200 OK\r\n\r\n${' '.repeat(9_000)}`],
    ['chunks', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(2_000)}`],
    ['a chunk header', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(9_000)}`],
    ['trailers', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'x: y\r\n'.repeat(2_000)}`],
  ]
  for (const [what, text] of dribbles) {
    test(`${what} is abandoned after too many pieces`, () => {
      const reader = new ResponseReader(10_000)
      const bytes = Buffer.from(text)
      let pieces = 0
      while (pieces < bytes.length && reader.push(bytes.subarray(pieces, pieces + 1)) === undefined) pieces++
      assert.ok(pieces <= MOST_PIECES, `${pieces} pieces were taken`)
    })

    test(`${what} in pieces costs a few reads and copies of each byte at most`, (t) => {
      const work = countWork(t)
      const bytes = Buffer.from(text)
      const reader = new ResponseReader(10_000)
      const size = Math.ceil(bytes.length / MOST_PIECES)
      for (let at = 0; at < bytes.length; at += size)
        if (reader.push(bytes.subarray(at, at + size)) !== undefined) break
      assert.ok(work() <= 8 * bytes.length, `${work()} bytes of work for ${bytes.length}`)
    })
  }

  /** Counts the bytes that were searched, decoded, copied or joined. */
  function countWork(t: TestContext): () => number {
    let bytes = 0
    const { indexOf, toString: decode, copy } = Buffer.prototype
    t.mock.method(Buffer.prototype, 'indexOf', function (this: Buffer, value: string | number, from = 0) {
      const found = indexOf.call(this, value, from)
      bytes += (found < 0 ? this.length : found) - from
      return found
    })
    t.mock.method(
      Buffer.prototype,
      'toString',
      function (this: Buffer, encoding: BufferEncoding = 'utf8', from = 0, to = this.length) {
        bytes += to - from
        return decode.call(this, encoding, from, to)
      },
    )
    t.mock.method(
      Buffer.prototype,
      'copy',
      function (this: Buffer, target: Buffer, at = 0, from = 0, to = this.length) {
        bytes += to - from
        return copy.call(this, target, at, from, to)
      },
    )
    const { concat } = Buffer
    t.mock.method(Buffer, 'concat', (list: readonly Buffer[]) => {
      bytes += list.reduce((sum, { length }) => sum + length, 0)
      return concat(list)
    })
    return () => bytes
  }
})

test('the number of interim responses is bounded, also in one piece', () => {
  const final = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  const after = (count: number) => read('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count) + final).reading
  assert.deepEqual(after(8), reusable)
  assert.deepEqual(after(9), { kind: 'broken', why: 'it sends too many interim responses' })
})

test('what follows a whole answer does not change it, in one piece or in many', () => {
  const answer = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'
  const text = answer + 'x'.repeat(20_000)
  const atOnce = new ResponseReader(1_024)
  assert.deepEqual(atOnce.push(Buffer.from(text)), { kind: 'done', reusable: false })
  assert.equal(atOnce.text(), 'ok')
  const inTwo = new ResponseReader(1_024)
  assert.equal(inTwo.push(Buffer.from(text.slice(0, 50))), undefined)
  assert.deepEqual(inTwo.push(Buffer.from(text.slice(50))), { kind: 'done', reusable: false })
})
