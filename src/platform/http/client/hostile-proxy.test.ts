// Proxies that break the rules in many ways. In each case the caller learns whether its request may have been carried
// out, and no broken connection stays open.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { selfSigned } from '../../../../test/builders/self-signed.ts'
import { openHostileServer, type Received } from '../../../../test/counterparties/hostile-server.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { createHttpClient, type HttpReply } from './http-client.ts'

const { signal } = new AbortController()
const TUNNEL = 'HTTP/1.1 200 Connection established\r\n\r\n'
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const secret = 'Basic dXNAZXI6cGE6c3M='

async function meet(t: TestContext, serve: (received: Received) => void) {
  const server = await openHostileServer(t, serve)
  const client = createHttpClient({
    proxy: `http://us%40er:pa%3Ass@127.0.0.1:${server.url.port}`,
    tls: { ca: selfSigned.cert },
  })
  const post = (url: string, until = signal, body = 'x'): Promise<HttpReply> =>
    client({ method: 'POST', url: new URL(url), body, signal: until })
  return { ...server, post }
}

const refusals: readonly (readonly [string, string, 'unsent' | 'silent' | 407 | 502])[] = [
  [
    'wants other credentials',
    'HTTP/1.1 407 Unauthorised\r\nproxy-authenticate: Basic\r\ncontent-length: 2\r\n\r\nno',
    'unsent',
  ],
  ['passes on a 407 of the counterparty', 'HTTP/1.1 407 Odd\r\ncontent-length: 0\r\n\r\n', 407],
  ['cannot reach the counterparty', 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n', 502],
  ['says nothing', '', 'silent'],
  ['says half a line', 'HTTP/1.1 200 Conn', 'silent'],
  ['talks nonsense', 'nonsense\r\n\r\n', 'silent'],
  ['does not come to an end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}`, 'silent'],
]
for (const [does, answer, plain] of refusals)
  describe(`a proxy that ${does}`, () => {
    for (const [url, expected] of [
      ['http://acquirer.example/', plain],
      ['https://acquirer.example/', 'unsent'],
    ] as const)
      test(`for ${url}: ${expected}, and no connection is left`, async (t) => {
        const heads: string[] = []
        const late = new AbortController()
        const { post, allClosed } = await meet(t, ({ socket, head }) => {
          heads.push(head)
          socket.write(answer)
          setTimeout(() => late.abort(), 50)
        })
        const reply = await post(url, late.signal)
        assert.equal(reply.kind === 'answer' ? reply.status : reply.kind, expected)
        assert.equal(heads.length, 1)
        assert.ok(heads[0]?.includes(`proxy-authorization: ${secret}\r\n`))
        // After a response to a plain request, the connection stays open for the next request.
        if (url.startsWith('https') || expected === 'silent') await allClosed()
      })
  })

const endless: readonly (readonly [string, string])[] = [
  ['head, byte by byte', 'x'],
  ['header', 'x'.repeat(60_000)],
  ['row of headers', `x: ${'y'.repeat(60_000)}\r\n`],
  ['row of interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
]
for (const [what, text] of endless)
  test(`a proxy that answers the request for a tunnel with an endless ${what} is given up early`, async (t) => {
    const { post, allClosed } = await meet(t, ({ socket }) => {
      if (!what.startsWith('row of interim')) socket.write('HTTP/1.1 200 OK\r\nx: ')
      const pour = () => {
        if (!socket.destroyed) socket.write(text, () => setImmediate(pour))
      }
      pour()
    })
    const refused = { kind: 'unsent', why: 'the proxy refused to connect to it' }
    assert.deepEqual(await post('https://acquirer.example/'), refused)
    await allClosed()
  })

test('a proxy that goes away at any stage of the tunnel is blamed for it until TLS begins', async (t) => {
  for (const [answer, why] of [
    ['', 'the proxy refused to connect to it'],
    ['HTTP/1.1 200 Conn', 'the proxy refused to connect to it'],
    ['HTTP/1.1 407 No\r\ncontent-length: 2\r\n\r\nno', 'the proxy did not accept our credentials'],
    [TUNNEL, 'the connection broke'],
    [`${TUNNEL}nonsense`, 'the connection broke'],
  ] as const)
    for (const close of ['end', 'destroySoon', 'resetAndDestroy'] as const) {
      const { post, allClosed } = await meet(t, ({ socket }) => {
        if (answer === '') socket[close]()
        else socket.write(answer, () => setTimeout(() => socket[close](), 20))
      })
      assert.deepEqual(await post('https://acquirer.example/'), { kind: 'unsent', why }, answer)
      await allClosed()
    }
})

test('bytes that a proxy sends before the handshake do not get into the tunnel', async (t) => {
  const there = await openHostileServer(t, ({ socket }) => socket.write(ok), selfSigned)
  const { post } = await meet(t, ({ socket }) => tunnel(socket, there.url, undefined, `${TUNNEL}${ok}`))
  const reply = await post('https://localhost./')
  assert.equal(reply.kind === 'answer' && reply.text, 'ok')
})

test('a tunnel whose handshake does not come to an end is closed with the request', async (t) => {
  const late = new AbortController()
  const { post, allClosed } = await meet(t, ({ socket }) => {
    socket.write(TUNNEL)
    setTimeout(() => late.abort(), 50)
  })
  assert.equal((await post('https://acquirer.example/', late.signal)).kind, 'unsent')
  await allClosed()
})

test('a counterparty that responds 407 inside the tunnel has seen the request', async (t) => {
  const answer = 'HTTP/1.1 407 Odd\r\ncontent-length: 0\r\n\r\n'
  const there = await openHostileServer(t, ({ socket }) => socket.write(answer), selfSigned)
  const { post } = await meet(t, ({ socket }) => tunnel(socket, there.url))
  const reply = await post('https://localhost./')
  assert.equal(reply.kind === 'answer' && reply.status, 407)
})

test('a request whose writing fails half way is not repeated in another tunnel', async (t) => {
  const serve = ({ socket, no }: Received) => {
    if (no === 1) socket.write(ok)
    else if (socket instanceof TLSSocket) socket.renegotiate({ rejectUnauthorized: false }, () => {})
  }
  const there = await openHostileServer(t, serve, { ...selfSigned, maxVersion: 'TLSv1.2' })
  const { post } = await meet(t, ({ socket }) => {
    // The reset comes after the server's request to renegotiate. The client reads this request first, and learns of the
    // reset when it continues to write.
    tunnel(socket, there.url, () => there.requests() === 2 && socket.resetAndDestroy())
  })
  const large = 'x'.repeat(16 * 1024 * 1024)
  assert.equal((await post('https://localhost./')).kind, 'answer')
  assert.equal((await post('https://localhost./', signal, large)).kind, 'silent')
  await sleep(50)
  assert.equal(there.requests(), 2)
})

test('a kept tunnel that was reset before the request is written is replaced', async (t) => {
  const there = await openHostileServer(t, ({ socket }) => socket.write(ok), selfSigned)
  const sockets: Received['socket'][] = []
  const { post } = await meet(t, ({ socket }) => {
    sockets.push(socket)
    tunnel(socket, there.url)
  })
  for (let at = 0; at < 3; at++) {
    assert.equal((await post('https://localhost./')).kind, 'answer')
    for (const socket of sockets.splice(0)) socket.resetAndDestroy()
    assert.equal((await post('https://localhost./')).kind, 'answer')
  }
  assert.equal(there.requests(), 6)
})

test('a request that waits for the place of another one is not ended by the deadline of that one', async (t) => {
  const serve = ({ socket, head }: Received) => head.startsWith('POST /last ') && socket.write(ok)
  const there = await openHostileServer(t, serve, selfSigned)
  const { post } = await meet(t, ({ socket }) => tunnel(socket, there.url))
  const [first, others] = [new AbortController(), new AbortController()]
  const held = Array.from({ length: 256 }, (_, at) =>
    post('https://localhost./', at === 0 ? first.signal : others.signal),
  )
  assert.ok(await eventually(() => there.requests() === 256))
  const last = post('https://localhost./last')
  await sleep(50)
  assert.equal(there.requests(), 256)
  first.abort()
  assert.equal((await last).kind, 'answer')
  others.abort()
  for (const { kind } of await Promise.all(held)) assert.equal(kind, 'silent')
})

test('a connection that needed no tunnel is not closed by the deadline of an earlier request', async (t) => {
  let answer = () => {}
  const serve = ({ socket, no }: Received) => {
    answer = () => socket.write(ok)
    if (no === 1) answer()
  }
  const there = await openHostileServer(t, serve, selfSigned)
  const { post, connections } = await meet(t, () => {})
  const earlier = new AbortController()
  assert.equal((await post(there.url.href, earlier.signal)).kind, 'answer')
  const later = post(there.url.href)
  assert.ok(await eventually(() => there.requests() === 2))
  earlier.abort()
  await sleep(50)
  answer()
  assert.equal((await later).kind, 'answer')
  assert.deepEqual({ there: there.connections(), proxy: connections() }, { there: 1, proxy: 0 })
})

function tunnel(
  socket: Received['socket'],
  { port }: URL,
  afterPiece = (): unknown => undefined,
  opened = TUNNEL,
): void {
  const there = connect(Number(port), '127.0.0.1', () => socket.write(opened))
  there.on('error', () => {})
  socket.pipe(there)
  there.on('data', (piece) => {
    socket.write(piece)
    afterPiece()
  })
  there.on('close', () => socket.end())
  socket.on('close', () => there.destroy())
}
