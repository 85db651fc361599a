import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { selfSigned } from '../../../test/self-signed.ts'
import { createHttpClient, type HttpClientOptions, type HttpReply } from './http-client.ts'

/** The client's result for a counterparty that responds like this. */
async function asked(t: TestContext, answer: string, options: HttpClientOptions = {}): Promise<HttpReply> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  }).listen(0, '127.0.0.1')
  const url = new URL(`http://127.0.0.1:${await portOf(t, server)}/`)
  return createHttpClient(options)({ method: 'GET', url, signal })
}

const { signal } = new AbortController()

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

test('a short response in too many pieces is abandoned, one in a few is read', async (t) => {
  const some = await asked(t, chunked(1_000))
  assert.equal(some.kind === 'answer' && some.text.length, 1_000)
  assert.equal((await asked(t, chunked(5_000))).kind, 'silent')
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
  assert.notEqual((await get('https://acquirer.example/pay')).kind, 'answer')
  assert.deepEqual(asked, ['http://acquirer.example/pay', 'acquirer.example:443'])
  const local = await get(`http://127.0.0.1:${originPort}/`)
  assert.equal(local.kind === 'answer' && local.text, 'here')
  for (const server of [origin, proxy]) server.closeAllConnections()
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
