// The raw server and Node's server send the same responses, also to requests that arrive in pieces.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { aCardPayment, buildFrame, signed } from '../../../../../test/harness/merchant-frame.ts'
import { readWhole } from './read-whole.ts'

async function started(rawServer: boolean): Promise<number> {
  const { app } = await buildFrame({ server: { rawServer } })
  after(() => app.close())
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
}

const port = await started(true)
const plainPort = await started(false)

const body = JSON.stringify(signed(aCardPayment({ billingCity: 'Zürich' })))

function request(lines: readonly string[] = [], sent = body, first = 'POST /payment HTTP/1.1'): string {
  const length = Buffer.byteLength(sent)
  const plain = ['Host: x', 'Content-Type: application/json', 'Referer: https://shop.example/']
  return [first, ...plain, `Content-Length: ${length}`, ...lines, '', sent].join('\r\n')
}

const whole = request()
const inChunks = whole
  .replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
  .replace(body, `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`)

async function opened(at: number): Promise<Socket> {
  const socket = connect(at, '127.0.0.1')
  socket.setNoDelay()
  await once(socket, 'connect')
  return socket
}

/** Sends the pieces with a pause between them, and waits for this number of responses. */
async function exchange(pieces: readonly (string | Buffer)[], responses = 1, at = port): Promise<string> {
  const socket = await opened(at)
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  while (received.split('HTTP/1.1 ').length - 1 < responses || !received.endsWith('}'))
    await once(socket, 'data')
  socket.destroy()
  return received
}

/** Masks the parts that differ from response to response. */
function shape(response: string): string {
  return response
    .replace(/x-request-id: [0-9a-f-]{36}/g, 'x-request-id: ID')
    .replace(/Date: [^\r]+ GMT/g, 'Date: NOW')
}

const expected = shape(await exchange([inChunks], 1, plainPort))

test("a request that is read whole gets the response of Node's server", async () => {
  assert.notEqual(readWhole(Buffer.from(whole)), undefined)
  assert.equal(readWhole(Buffer.from(inChunks)), undefined)
  assert.match(
    expected,
    /^HTTP\/1\.1 200 OK\r\n.*Connection: keep-alive\r\nKeep-Alive: timeout=72\r\n\r\n\{/s,
  )
  for (const at of [port, plainPort]) assert.equal(shape(await exchange([whole], 1, at)), expected)
})

test('wherever a request is cut in two, the response is the same', async () => {
  const bytes = Buffer.from(whole)
  const head = whole.indexOf('\r\n\r\n')
  for (const at of [1, 10, 30, head, head + 2, head + 4, head + 5, bytes.length - 1])
    assert.equal(shape(await exchange([bytes.subarray(0, at), bytes.subarray(at)])), expected, `cut at ${at}`)
})

test('a connection may change from one server to the other, and its responses stay in order', async () => {
  for (const at of [port, plainPort]) {
    const all = await exchange([whole, whole, inChunks, whole + whole, inChunks + whole], 7, at)
    assert.equal(shape(all), expected.repeat(7))
  }
})

test('requests sent before an earlier response get their responses after it', async () => {
  for (const at of [port, plainPort]) {
    const all = await exchange([whole + inChunks + whole, whole], 4, at)
    assert.equal(shape(all), expected.repeat(4))
  }
})

test('only unambiguous requests are read', () => {
  const odd = [
    request([], body, 'POST /payment HTTP/1.0'),
    request([], body, 'GET /payment HTTP/1.1'),
    request([], body, 'POST /payment?x HTTP/1.1'),
    request([], body, 'POST  /payment HTTP/1.1'),
    request(['Transfer-Encoding: chunked']),
    request(['Content-Length: 5']),
    request(['Host: y']),
    request(['Connection: close']),
    request(['Expect: 100-continue']),
    request(['Upgrade: h2c']),
    request(['Name : value']),
    request([' folded: value']),
    request(['Word: \u00e9']),
    request(['Line: a\nb: c']),
    request(['']),
    whole.replace('Host: x\r\n', ''),
    whole.replace(/Content-Length: (\d+)/, 'Content-Length: +$1'),
    whole.replace(/Content-Length: (\d+)/, 'Content-Length: 0$1'),
    `${whole}x`,
    whole.slice(0, -1),
    `\r\n${whole}`,
  ]
  for (const text of odd) assert.equal(readWhole(Buffer.from(text)), undefined, text.slice(0, 300))
})

test('header names are read in any case, and values are trimmed', () => {
  const found = readWhole(Buffer.from(request(['PaymentType:  Cards \t'.trimEnd(), '__proto__: x'])))
  assert.equal(found?.headers.paymenttype, 'Cards')
  assert.deepEqual({ url: found?.url, body: found?.body.toString() }, { url: '/payment', body })
})

test('a client that disconnects before its response does no harm', async () => {
  const socket = await opened(port)
  socket.end(whole)
  await once(socket.resume(), 'close')
  assert.equal(shape(await exchange([whole])), expected)
})

for (const rawServer of [true, false])
  test(`idle connections are closed with the server, ${rawServer ? 'raw' : 'plain'}`, async () => {
    const other = await buildFrame({ server: { rawServer } })
    const address = new URL(await other.app.listen({ host: '127.0.0.1', port: 0 }))
    const sockets = [whole, inChunks, ''].map((text) => {
      const socket = connect(Number(address.port), '127.0.0.1')
      socket.write(text)
      return socket
    })
    await Promise.all(sockets.slice(0, 2).map((socket) => once(socket, 'data')))
    const gone = sockets.map((socket) => once(socket.resume(), 'close'))
    await other.app.close()
    await Promise.all(gone)
  })

test('an unknown Expect header changes nothing', async () => {
  for (const at of [port, plainPort])
    assert.equal(shape(await exchange([request(['Expect: 200-maybe'])], 1, at)), expected)
})
