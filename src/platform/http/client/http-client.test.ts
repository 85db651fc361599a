import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { ADDRCONFIG } from 'node:dns'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { PerformanceObserver } from 'node:perf_hooks'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { selfSigned } from '../../../../test/builders/self-signed.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { createHttpClient, type HttpClientOptions, type HttpReply } from './http-client.ts'

/** Returns the client's result for a counterparty that sends this response. */
async function asked(t: TestContext, answer: string, options: HttpClientOptions = {}): Promise<HttpReply> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  }).listen(0, '127.0.0.1')
  const url = new URL(`http://127.0.0.1:${await portOf(t, server)}/`)
  return createHttpClient(options)({ method: 'GET', url, signal })
}

const { signal } = new AbortController()

/** Starts a counterparty that responds to each piece, and records the pieces. */
async function counterparty(t: TestContext, answer: (socket: Socket) => string | undefined) {
  const [received, sockets]: [string[], Socket[]] = [[], []]
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      received.push(piece.toString())
      const text = answer(socket)
      if (text !== undefined) socket.write(text)
    })
  }).listen(0, '127.0.0.1')
  const url = new URL(`http://127.0.0.1:${await portOf(t, server)}/`)
  t.after(() => sockets.forEach((socket) => void socket.destroy()))
  const stop = () => new Promise<unknown>((resolve) => server.close(resolve))
  return { url, received, sockets, stop }
}

async function portOf(t: TestContext, server: Server): Promise<number> {
  t.after(() => server.close())
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}

const chunked = (count: number) =>
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`
const afterInterim = (count: number) =>
  `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(count)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok`

test('a response of many small chunks is read, and one that is too long is not', async (t) => {
  const some = await asked(t, chunked(1_000))
  assert.equal(some.kind === 'answer' && some.text.length, 1_000)
  assert.equal((await asked(t, chunked(1_000), { maxResponseBytes: 900 })).kind, 'silent')
})

test('a long response is read in as many pieces as networks cut it into', async (t) => {
  const long = await asked(t, chunked(5_000), { maxResponseBytes: 8 * 1024 * 1024 })
  assert.equal(long.kind === 'answer' && long.text.length, 5_000)
})

test('interim responses are skipped, and their number is bounded', async (t) => {
  const some = await asked(t, afterInterim(8))
  assert.equal(some.kind === 'answer' && some.text, 'ok')
  assert.equal((await asked(t, afterInterim(9))).kind, 'silent')
})

test('a counterparty that asks for our certificate gets it', async (t) => {
  const server = https.createServer(
    { ...selfSigned, ca: selfSigned.cert, requestCert: true, rejectUnauthorized: true },
    (_request, response) => response.end('welcome'),
  )
  const url = new URL(`https://localhost:${await portOf(t, server.listen(0, '127.0.0.1'))}/`)
  const { cert, key } = selfSigned
  const known = await createHttpClient({ tls: { ca: cert, cert, key } })({ method: 'GET', url, signal })
  assert.equal(known.kind === 'answer' && known.text, 'welcome')
  assert.notEqual(
    (await createHttpClient({ tls: { ca: cert } })({ method: 'GET', url, signal })).kind,
    'answer',
  )
  assert.notEqual((await createHttpClient()({ method: 'GET', url, signal })).kind, 'answer')
  server.closeAllConnections()
})

test('requests to others go through the proxy, those to this machine do not', async (t) => {
  const origin = http.createServer((_request, response) => response.end('here'))
  const originPort = await portOf(t, origin.listen(0, '127.0.0.1'))
  const asked: string[] = []
  const proxy = http.createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('by proxy')
  })
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  const proxyUrl = `http://127.0.0.1:${await portOf(t, proxy.listen(0, '127.0.0.1'))}`
  const client = createHttpClient({ proxy: proxyUrl })
  const get = (address: string) => client({ method: 'GET', url: new URL(address), signal })
  const plain = await get('http://acquirer.example/pay')
  assert.equal(plain.kind === 'answer' && plain.text, 'by proxy')
  const refused = await get('https://acquirer.example/pay')
  assert.deepEqual(refused, { kind: 'unsent', why: 'the proxy refused to connect to it' })
  assert.deepEqual(asked, ['http://acquirer.example/pay', 'acquirer.example:443'])
  const local = await get(`http://127.0.0.1:${originPort}/`)
  assert.equal(local.kind === 'answer' && local.text, 'here')
  for (const server of [origin, proxy]) server.closeAllConnections()
})

test('headers of the response are given by name, those that come twice together', async (t) => {
  const reply = await asked(
    t,
    'HTTP/1.1 302 Found\r\nLocation: /here\r\nX-A: 1\r\nx-a:2\r\ncontent-length: 0\r\n\r\n',
  )
  assert.ok(reply.kind === 'answer')
  assert.equal(reply.status, 302)
  assert.equal(reply.headers.location, '/here')
  assert.equal(reply.headers['x-a'], '1, 2')
})

test('a header that would begin another one is not sent', async (t) => {
  const { url, received } = await counterparty(t, () => 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  const headers = { 'idempotency-key': 'one\r\nx-other: two' }
  for (const options of [{}, { proxy: url.origin }]) {
    const { kind } = await createHttpClient(options)({ method: 'POST', url, headers, signal })
    assert.equal(kind, 'unsent')
  }
  assert.equal(received.length, 0)
})

test('a request without a body says so if its method has one', async (t) => {
  const { url, received } = await counterparty(t, () => 'HTTP/1.1 204 No Content\r\n\r\n')
  const client = createHttpClient()
  await client({ method: 'POST', url, signal })
  await client({ method: 'DELETE', url, signal })
  assert.match(received[0] ?? '', /^POST \/ HTTP\/1\.1\r\n[\s\S]*content-length: 0\r\n/)
  assert.doesNotMatch(received[1] ?? '', /content-length/)
})

describe('without a response the caller learns whether the request may have arrived:', () => {
  test('nobody listens', async (t) => {
    const { url, stop } = await counterparty(t, () => undefined)
    await stop()
    assert.equal((await createHttpClient()({ method: 'POST', url, signal })).kind, 'unsent')
  })

  test('the name is unknown', async () => {
    const url = new URL('http://nobody.invalid/')
    assert.equal((await createHttpClient()({ method: 'POST', url, signal })).kind, 'unsent')
  })

  test('the certificate is wrong', async (t) => {
    const server = https.createServer(selfSigned, (_request, response) => response.end())
    const url = new URL(`https://localhost:${await portOf(t, server.listen(0, '127.0.0.1'))}/`)
    assert.equal((await createHttpClient()({ method: 'POST', url, signal })).kind, 'unsent')
  })

  test('the handshake does not end in time', async (t) => {
    const { url } = await counterparty(t, () => undefined)
    url.protocol = 'https:'
    const late = { method: 'POST', url, signal: AbortSignal.timeout(100) } as const
    assert.equal((await createHttpClient()(late)).kind, 'unsent')
  })

  test('the connection is closed after the request', async (t) => {
    const { url } = await counterparty(t, (socket) => void socket.destroy())
    assert.equal((await createHttpClient()({ method: 'POST', url, signal })).kind, 'silent')
  })

  test('no response in time', async (t) => {
    const late = new AbortController()
    // The deadline passes only after the server has the request, however slow the machine is.
    const { url } = await counterparty(t, () => void late.abort())
    const reply = await createHttpClient()({ method: 'POST', url, signal: late.signal })
    assert.deepEqual(reply, { kind: 'silent', why: 'no response in time' })
  })

  test('the time was over before', async (t) => {
    const { url, received } = await counterparty(t, () => undefined)
    const over = { method: 'POST', url, signal: AbortSignal.abort() } as const
    assert.equal((await createHttpClient()(over)).kind, 'unsent')
    assert.equal(received.length, 0)
  })

  test('all connections are taken', async (t) => {
    const { url, received } = await counterparty(t, () => undefined)
    const [client, waiting] = [createHttpClient(), new AbortController()]
    const first = Array.from({ length: 256 }, () => client({ method: 'POST', url, signal: waiting.signal }))
    while (received.length < 256) await sleep(5)
    const last = await client({ method: 'POST', url, signal: AbortSignal.timeout(100) })
    assert.equal(last.kind, 'unsent')
    waiting.abort()
    for (const { kind } of await Promise.all(first)) assert.equal(kind, 'silent')
    assert.equal(received.length, 256)
  })
})

test('a slow counterparty keeps nobody waiting for another one', async (t) => {
  const slow = await counterparty(t, () => undefined)
  const other = await counterparty(t, () => 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  const [client, waiting] = [createHttpClient(), new AbortController()]
  const all = Array.from({ length: 300 }, () =>
    client({ method: 'POST', url: slow.url, signal: waiting.signal }),
  )
  while (slow.received.length < 256) await sleep(5)
  for (let at = 0; at < 20; at++)
    assert.equal((await client({ method: 'POST', url: other.url, signal })).kind, 'answer')
  waiting.abort()
  const kinds = (await Promise.all(all)).map(({ kind }) => kind)
  assert.deepEqual(
    { silent: kinds.filter((kind) => kind === 'silent').length, received: slow.received.length },
    { silent: 256, received: 256 },
  )
})

test('many requests to one name occupy one thread of the system for it', async () => {
  const client = createHttpClient()
  const url = new URL('http://nobody.invalid/')
  const all = Array.from({ length: 50 }, () => client({ method: 'POST', url, signal }))
  const lookups = process.getActiveResourcesInfo().filter((name) => name === 'GetAddrInfoReqWrap')
  assert.equal(lookups.length, 1)
  for (const { kind } of await Promise.all(all)) assert.equal(kind, 'unsent')
  assert.equal((await client({ method: 'POST', url, signal })).kind, 'unsent')
})

test('names are asked for as Node does: only for addresses of a kind that this machine has', async (t) => {
  const asked: unknown[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('detail' in entry) asked.push(entry.detail)
  })
  observer.observe({ type: 'dns' })
  t.after(() => observer.disconnect())
  const { url } = await counterparty(t, () => 'HTTP/1.1 204 No Content\r\n\r\n')
  url.hostname = 'localhost'
  assert.equal((await createHttpClient()({ method: 'POST', url, signal })).kind, 'answer')
  assert.ok(await eventually(() => asked.length > 0))
  assert.partialDeepStrictEqual(Object(asked[0]), { hostname: 'localhost', hints: ADDRCONFIG })
})

test('a request that waited goes by the next free connection', async (t) => {
  const held: (() => void)[] = []
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  const { url } = await counterparty(t, (socket) => {
    held.push(() => socket.write(ok))
    return undefined
  })
  const client = createHttpClient()
  const replies = Array.from({ length: 300 }, () => client({ method: 'GET', url, signal }))
  const all = Promise.all(replies)
  const answering = setInterval(() => held.splice(0).forEach((answer) => void answer()), 10)
  for (const reply of await all) assert.equal(reply.kind, 'answer')
  clearInterval(answering)
})

test('a connection that the server has closed meanwhile is replaced', async (t) => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  const { url, sockets } = await counterparty(t, () => ok)
  const client = createHttpClient()
  for (let at = 0; at < 3; at++) {
    assert.equal((await client({ method: 'POST', url, body: 'x', signal })).kind, 'answer')
    for (const socket of sockets.splice(0)) {
      socket.end()
      await once(socket, 'close')
    }
  }
})

describe('a kept connection', () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

  test('that is closed after the request leaves it open whether that was carried out: it is not repeated', async (t) => {
    const { url, received } = await counterparty(t, (socket) =>
      received.length === 1 ? ok : void socket.destroy(),
    )
    const client = createHttpClient()
    const pay = (body: string) => client({ method: 'POST', url, body, signal })
    assert.equal((await pay('first')).kind, 'answer')
    assert.equal((await pay('second')).kind, 'silent')
    await sleep(50)
    assert.equal(received.filter((text) => text.endsWith('second')).length, 1)
  })

  test('to which the request cannot be written is replaced, and the request is sent once', async (t) => {
    const { url, received, sockets } = await counterparty(t, () => ok)
    const client = createHttpClient()
    for (let at = 0; at < 10; at++) {
      assert.equal((await client({ method: 'POST', url, body: 'first', signal })).kind, 'answer')
      // The test gives the client no turn of the event loop, so the client learns of the reset only when it writes.
      for (const socket of sockets.splice(0)) socket.resetAndDestroy()
      assert.equal((await client({ method: 'POST', url, body: `second ${at}`, signal })).kind, 'answer')
      assert.equal(received.filter((text) => text.endsWith(`second ${at}`)).length, 1)
    }
  })
})

test('a kept connection does not keep a process that has nothing else to do', async (t) => {
  const { url } = await counterparty(t, () => 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  const module = new URL('./http-client.ts', import.meta.url).href
  const program = `
    const { createHttpClient } = await import(${JSON.stringify(module)})
    const { signal } = new AbortController()
    const reply = await createHttpClient()({ method: 'GET', url: new URL(${JSON.stringify(url.href)}), signal })
    console.log(reply.text)`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
  assert.equal(stdout, 'ok\n')
})

test('a connection is kept and used again', async (t) => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
  }).listen(0, '127.0.0.1')
  const url = new URL(`http://127.0.0.1:${await portOf(t, server)}/`)
  const client = createHttpClient()
  for (const _ of [1, 2]) assert.equal((await client({ method: 'GET', url, signal })).kind, 'answer')
  assert.equal(sockets.length, 1)
  for (const socket of sockets) socket.destroy()
})
