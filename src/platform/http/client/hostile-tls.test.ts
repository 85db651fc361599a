// TLS that fails. If a request is `unsent`, the counterparty certainly never saw it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket, type TlsOptions } from 'node:tls'
import { expired, selfSigned } from '../../../../test/builders/self-signed.ts'
import { openHostileServer, type Received } from '../../../../test/counterparties/hostile-server.ts'
import { refusesOurCertificate } from './connection-faults.ts'
import { createHttpClient, type HttpReply } from './http-client.ts'
import type { ClientTls } from './route.ts'

const { signal } = new AbortController()
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const ca = selfSigned.cert

const answers = ({ socket }: Received): void => {
  socket.write(ok)
}

async function meet(t: TestContext, tls: TlsOptions, serve = answers) {
  const server = await openHostileServer(t, serve, tls)
  const post = (ours: ClientTls, url = server.url): Promise<HttpReply> =>
    createHttpClient({ tls: ours })({ method: 'POST', url, body: 'x', signal })
  return { ...server, post }
}

describe('a certificate is refused, and nothing is sent', () => {
  const cases: readonly (readonly [string, TlsOptions, ClientTls, string])[] = [
    ['that nobody has signed', selfSigned, {}, 'localhost'],
    ['that has expired', expired, { ca: expired.cert }, 'localhost'],
    ['of another name', selfSigned, { ca }, '127.0.0.1'],
  ]
  for (const [what, theirs, ours, host] of cases)
    test(what, async (t) => {
      const { post, url, requests, allClosed } = await meet(t, theirs)
      url.hostname = host
      assert.equal((await post(ours, url)).kind, 'unsent')
      await allClosed()
      assert.equal(requests(), 0)
    })
})

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  const limits = { minVersion: version, maxVersion: version }
  const wanting = { ...selfSigned, ...limits, ca, requestCert: true }

  test(`${version}: a counterparty that wants our certificate and gets none never saw the request`, async (t) => {
    const { post, requests, allClosed } = await meet(t, wanting)
    assert.equal((await post({ ca })).kind, 'unsent')
    await allClosed()
    assert.equal(requests(), 0)
    assert.equal((await post({ ca, ...selfSigned })).kind, 'answer')
  })

  test(`${version}: an answer that the network cuts off is none`, async (t) => {
    const half = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'
    const serve = ({ socket, line }: Received) => {
      // The connection ends without close_notify.
      socket.write(half, () => line.end())
    }
    const { post, requests, allClosed } = await meet(t, { ...selfSigned, ...limits }, serve)
    assert.equal((await post({ ca })).kind, 'silent')
    assert.equal(requests(), 1)
    await allClosed()
  })
}

test('the alerts about our certificate are distinguished from others', () => {
  const isRefused = (code: string) => refusesOurCertificate(Object.assign(new Error(), { code }))
  for (const code of [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
    'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  ])
    assert.ok(isRefused(code), code)
  for (const code of [
    'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
    'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC',
    'ECONNRESET',
  ])
    assert.ok(!isRefused(code), code)
})

/** Renegotiates. TLS 1.3 does not support renegotiation. */
function renegotiate(socket: Received['socket'], done: () => void): void {
  assert.ok(socket instanceof TLSSocket)
  socket.renegotiate({ rejectUnauthorized: false }, done)
}

const old = { ...selfSigned, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const

test('a counterparty that renegotiates gets the request once', async (t) => {
  const serve = ({ socket }: Received) => renegotiate(socket, () => socket.write(ok))
  const { post, requests } = await meet(t, old, serve)
  assert.equal((await post({ ca })).kind, 'answer')
  assert.equal(requests(), 1)
})

test('a request whose writing fails half way is not repeated on another connection', async (t) => {
  const serve = ({ socket, no }: Received) =>
    no === 1 ? void socket.write(ok) : renegotiate(socket, () => socket.write(ok))
  const { url, requests } = await meet(t, old, serve)
  const relay = createServer((here) => {
    const there = connect(Number(url.port), '127.0.0.1')
    for (const socket of [here, there]) socket.on('error', () => {})
    here.pipe(there)
    there.on('data', (piece) => {
      here.write(piece)
      // The reset comes after the server's request to renegotiate. The client reads this request first, and learns of
      // the reset when it continues to write.
      if (requests() === 2) here.resetAndDestroy()
    })
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  t.after(() => relay.close())
  const address = relay.address()
  assert.ok(address !== null && typeof address === 'object')
  const client = createHttpClient({ tls: { ca } })
  const post = (body = 'x') =>
    client({ method: 'POST', url: new URL(`https://localhost:${address.port}/`), body, signal })
  assert.deepEqual(
    { small: (await post()).kind, large: (await post('x'.repeat(16_777_216))).kind },
    { small: 'answer', large: 'silent' },
  )
  await sleep(50)
  assert.equal(requests(), 2)
})
