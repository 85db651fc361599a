// The benchmark has parsers of its own: its issuer parses the bytes and fields of requests, and its load client parses
// responses. These parsers must not be fast because they are wrong.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { programPath, startChild } from '../bench/child.ts'
import { openConnection, utf8 } from '../bench/connection.ts'
import { freePort } from './harness/gateway-process.ts'
import { rawClient } from './harness/raw-client.ts'

const port = await freePort()
const issuer = await startChild({
  name: 'the card issuer',
  args: [programPath('./lean-issuer.ts')],
  env: { PORT: String(port) },
})
after(() => issuer.stop())

async function call(operation: string, body: object) {
  const url = `http://127.0.0.1:${port}/v1/${operation}`
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  const charge: Record<string, unknown> = JSON.parse(await response.text())
  return { status: response.status, charge }
}

const captured = { amount: '12.34', currency: 'USD', status: 'captured', reason: '' }

test('a repeated reference gets its first response, and another one its own', async () => {
  const first = await call('authorise', { merchantReference: 'R1', amount: '12.34', currency: 'USD' })
  assert.deepEqual(first, { status: 200, charge: { id: 'ch_0', merchantReference: 'R1', ...captured } })
  assert.deepEqual(await call('authorise', { merchantReference: 'R1', amount: '99', currency: 'EUR' }), first)
  assert.deepEqual(await call('lookup', { merchantReference: 'R1' }), first)
  assert.deepEqual(await call('void', { merchantReference: 'R1' }), first)
  const other = await call('void', { merchantReference: 'R2' })
  assert.deepEqual({ id: other.charge.id, status: other.charge.status }, { id: 'ch_1', status: 'voided' })
  assert.equal((await call('lookup', { merchantReference: 'R3' })).status, 404)
})

test("a customer's text that looks like a field is none", async () => {
  const name = '","merchantReference":"R1","amount":"1'
  const { charge } = await call('authorise', { holder: { name }, merchantReference: 'R4', amount: '5.00' })
  assert.deepEqual(
    { merchantReference: charge.merchantReference, amount: charge.amount },
    { merchantReference: 'R4', amount: '5.00' },
  )
})

test('a request in pieces is read when it is complete, by the length of its bytes', async () => {
  const body = JSON.stringify({ merchantReference: 'R5', holder: 'Núñez', amount: '1' })
  const bytes = Buffer.from(
    `POST /v1/authorise HTTP/1.1\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  const { socket, ended } = await rawClient(port)
  for (const [from, to] of [
    [0, 30],
    [30, bytes.length - 1],
  ]) {
    socket.write(bytes.subarray(from, to))
    await sleep(30)
  }
  assert.equal((await call('lookup', { merchantReference: 'R5' })).status, 404)
  socket.end(bytes.subarray(-1))
  assert.match(await ended(), /^HTTP\/1\.1 200 OK.*"merchantReference":"R5"/s)
})

test('the load client reads a response in pieces, and its text is what was sent', async (t) => {
  const sent = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nNúñez')
  const server = createServer(async (socket) => {
    for (const piece of [sent.subarray(0, 20), sent.subarray(20, -1), sent.subarray(-1)]) {
      socket.write(piece)
      await sleep(20)
    }
  })
  const where = await freePort()
  await new Promise<void>((resolve) => server.listen(where, '127.0.0.1', resolve))
  const { promise: reply, resolve } = Promise.withResolvers<unknown>()
  const connection = await openConnection(where, {
    replied: ({ status, body }) => resolve({ status, text: utf8(body) }),
    broke: resolve,
  })
  t.after(() => {
    connection.end()
    server.close()
  })
  assert.deepEqual(await reply, { status: 200, text: 'Núñez' })
})
