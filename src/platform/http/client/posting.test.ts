// A body that is sent in pieces. send.test.ts has the tests of posts in general.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHostileServer, type Received } from '../../../../test/counterparties/hostile-server.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { createAddressGuard } from './address-guard.ts'
import { openPosting, type PostEnd } from './posting.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const body = 'amount=1&name=🍵🍵🍵 tea'

async function meet(t: TestContext, serve: (received: Received) => void) {
  const server = await openHostileServer(t, serve)
  const guard = createAddressGuard({ loopbackAllowed: true, allow: [], ports: 'any' })
  const posting = openPosting(guard, { pauseMs: 20 })
  t.after(() => posting.close())
  const { promise, resolve } = Promise.withResolvers<PostEnd>()
  const headers = { 'content-length': String(Buffer.byteLength(body)) }
  const post = posting.post({ url: server.url, headers, body, mostResponseBytes: 100, ended: resolve })
  return { ...server, post, ended: promise }
}

test('a body is sent in five pieces, with a pause between them', async (t) => {
  const pieces: string[] = []
  const { ended } = await meet(t, ({ socket, head }) => {
    pieces.push(Buffer.from(head, 'latin1').toString())
    socket.on('data', (piece) => {
      if (pieces.at(-1) !== String(piece)) pieces.push(String(piece))
      if (pieces.join('').endsWith(body)) socket.write(ok)
    })
  })
  assert.deepEqual(await ended, { status: 200, text: 'ok', error: undefined, stale: false })
  assert.match(pieces[0] ?? '', /\r\n\r\namoun$/)
  assert.equal(pieces.length, 5)
})

test('an answer before the last piece counts, and its connection is closed', async (t) => {
  const { ended, allClosed } = await meet(t, ({ socket }) => socket.write(ok))
  assert.equal((await ended).text, 'ok')
  await allClosed()
})

test('a post that is cut between two pieces sends no more', async (t) => {
  const { post, requests, allClosed } = await meet(t, () => {})
  assert.ok(await eventually(() => requests() === 1))
  assert.deepEqual(post.cut(), { status: undefined, text: '' })
  await allClosed()
  await sleep(50)
})
