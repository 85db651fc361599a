import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createHttpClient, type HttpReply } from './http-client.ts'

/** The client's result for a counterparty that responds like this. */
async function asked(t: TestContext, answer: string): Promise<HttpReply> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const url = new URL(`http://127.0.0.1:${address.port}/`)
  return createHttpClient()({ method: 'GET', url, signal: new AbortController().signal })
}

const chunked = (count: number) =>
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`
const afterInterim = (count: number) =>
  `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(count)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok`

test('a response in too many pieces is abandoned, one in a few is read', async (t) => {
  const some = await asked(t, chunked(1_000))
  assert.equal(some.kind === 'answer' && some.text.length, 1_000)
  assert.equal((await asked(t, chunked(5_000))).kind, 'silent')
})

test('interim responses are skipped, and their number is bounded', async (t) => {
  const some = await asked(t, afterInterim(8))
  assert.equal(some.kind === 'answer' && some.text, 'ok')
  assert.equal((await asked(t, afterInterim(9))).kind, 'silent')
})
