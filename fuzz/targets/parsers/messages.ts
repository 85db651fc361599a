// HTTP as our own parsers read it: whole requests of merchants, and answers in pieces of any size.
import { MOST_PIECES, ResponseReader } from '../../../src/platform/http/client/response-reader.ts'
import { readWhole } from '../../../src/platform/http/server/raw/read-whole.ts'
import type { Target } from '../../input.ts'
import { parserTarget } from './parser-target.ts'

const request = (body: string) =>
  `POST /payment HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`

export async function openRequestHeads(): Promise<Target> {
  return parserTarget({
    name: 'request-heads',
    seeds: [
      { text: request('{}') },
      { text: request('{"merNo":1}').replace('Host', 'Referer: https://x/\r\nHost') },
    ],
    parse({ text = '' }) {
      const bytes = Buffer.from(text, 'latin1')
      const read = readWhole(bytes)
      if (read === undefined) return false
      const sent = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
      if (!sent.equals(read.body)) throw new Error('reads a body that was not sent')
      return true
    },
  })
}

const MOST_BYTES = 1_024

export async function openResponses(): Promise<Target> {
  return parserTarget({
    name: 'responses',
    seeds: [
      { text: 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nSUCCESS', sizes: '5 1 40' },
      {
        text: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nSUC\r\n4\r\nCESS\r\n0\r\n\r\n',
        sizes: '1',
      },
      { text: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', sizes: '500' },
    ],
    parse({ text = '', sizes = '' }) {
      const [inPieces, atOnce] = [answerOf(text, sizes.split(' ').map(Number)), answerOf(text, [text.length])]
      if (inPieces !== atOnce) throw new Error(`reads ${inPieces}, or ${atOnce}`)
      return atOnce.startsWith('2')
    },
  })
}

/** Reads a response in pieces. The sizes of the pieces must not change the result. */
function answerOf(text: string, sizes: readonly number[]): string {
  const reader = new ResponseReader(MOST_BYTES)
  const bytes = Buffer.from(text, 'latin1')
  // The number of pieces is limited.
  const leastSize = Math.ceil(bytes.length / MOST_PIECES)
  let reading: ReturnType<ResponseReader['push']>
  for (let [at, turn] = [0, 0]; at < bytes.length && reading === undefined; turn++) {
    const size = Math.max(leastSize, Math.abs(Math.trunc(sizes[turn % sizes.length] || 1)))
    reading = reader.push(bytes.subarray(at, at + size))
    at += size
  }
  const end = reading ?? reader.ended()
  return end.kind === 'broken' ? 'nothing' : `${reader.status} ${reader.text()}`
}
