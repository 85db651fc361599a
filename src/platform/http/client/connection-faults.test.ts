// Messages for an operator whose channel does not answer. A message says what is wrong with the connection, both
// without and with a proxy.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { expired, selfSigned } from '../../../../test/builders/self-signed.ts'
import {
  type HostileServer,
  openHostileServer,
  type Received,
} from '../../../../test/counterparties/hostile-server.ts'
import { freePort } from '../../../../test/harness/gateway-process.ts'
import {
  ALERT_CIPHER,
  ALERT_CIPHER_12,
  alertRecord,
  alertRecord12,
  TICKETS,
  UNKNOWN_CA,
} from '../../../../test/harness/tls-alert.ts'
import { createHttpClient, type HttpClientOptions } from './http-client.ts'

async function why(url: string, options: HttpClientOptions = {}): Promise<string> {
  const signal = AbortSignal.timeout(5_000)
  const reply = await createHttpClient(options)({ method: 'GET', url: new URL(url), signal })
  assert.equal(reply.kind, 'unsent')
  return reply.kind === 'unsent' ? reply.why : ''
}

async function portOf(t: TestContext, server: http.Server | https.Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => void server.close().closeAllConnections())
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}

test('a wrong address is reported as what is wrong with it', async (t) => {
  assert.equal(await why(`http://127.0.0.1:${await freePort()}/`), 'the connection was refused')
  assert.match(await why('https://nobody.invalid/'), /^(its host name cannot be resolved|no DNS server)/)
  const plain = await portOf(t, http.createServer())
  assert.equal(await why(`https://127.0.0.1:${plain}/`), 'TLS failed: perhaps the port does not use TLS')
})

const certificates = [
  [
    expired,
    'localhost',
    { tls: { ca: expired.cert } },
    /^its certificate has expired: the counterparty must renew it, if the clock here is right$/,
  ],
  [selfSigned, 'localhost', {}, /^no authority .* has signed its certificate; "ca" may name its own$/],
  [selfSigned, '127.0.0.1', { tls: { ca: selfSigned.cert } }, /^its certificate is for another host$/],
] as const

for (const [pair, host, options, expected] of certificates) {
  test(`a certificate is reported by its fault: ${expected.source}`, async (t) => {
    const port = await portOf(t, https.createServer(pair))
    assert.match(await why(`https://${host}:${port}/`, options), expected)
    const proxy = http.createServer()
    proxy.on('connect', (_request, socket) => {
      const there = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Established\r\n\r\n'))
      for (const one of [socket, there]) one.on('error', () => {})
      there.pipe(socket).pipe(there)
      t.after(() => there.destroy())
    })
    // The name `localhost.` does not count as this machine, so the proxy is used.
    const far = host === 'localhost' ? 'https://localhost./' : 'https://elsewhere.example/'
    assert.match(
      await why(far, { ...options, proxy: `http://127.0.0.1:${await portOf(t, proxy)}` }),
      expected,
    )
  })
}

// An alert about our certificate proves that the server has read no request. The proof needs a new connection that has
// received nothing except the alert.

const { signal } = new AbortController()
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/** Opens a client and a server. The server answers the first requests, then writes `written` and the alert. */
async function meet(t: TestContext, isProxied: boolean, answered: number, written: string) {
  const tls = { ...selfSigned, minVersion: 'TLSv1.3', ciphers: ALERT_CIPHER } as const
  const serve = ({ socket, line, secret, no }: Received) => {
    if (no <= answered) return void socket.write(ok)
    const sent = TICKETS + answered + (written === '' ? 0 : 1)
    const alert = () => line.write(alertRecord(secret, sent, UNKNOWN_CA))
    // The alert must be sent after the TLS session tickets, which the server has not sent yet.
    if (written === '') setTimeout(alert, 20)
    else socket.write(written, alert)
  }
  return postTo(t, isProxied, await openHostileServer(t, serve, tls))
}

async function postTo(t: TestContext, isProxied: boolean, server: HostileServer) {
  const client = createHttpClient({
    tls: { ca: selfSigned.cert },
    ...(isProxied && { proxy: await openTunnels(t, Number(server.url.port)) }),
  })
  // The name `localhost.` does not count as this machine, so the proxy is used.
  const url = new URL(isProxied ? 'https://localhost./' : server.url)
  const post = async () => (await client({ method: 'POST', url, body: 'x', signal })).kind
  return { ...server, post }
}

async function openTunnels(t: TestContext, port: number): Promise<string> {
  const proxy = http.createServer().listen(0, '127.0.0.1')
  proxy.on('connect', (_request, socket) => {
    const there = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Established\r\n\r\n'))
    for (const one of [socket, there]) one.on('error', () => {})
    there.pipe(socket).pipe(there)
    t.after(() => there.destroy())
  })
  t.after(() => void proxy.close().closeAllConnections())
  await new Promise((resolve) => proxy.once('listening', resolve))
  const address = proxy.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}`
}

for (const isProxied of [false, true])
  describe(
    isProxied ? 'through a proxy, an alert about our certificate' : 'an alert about our certificate',
    () => {
      test('in place of the first answer: the request was not read', async (t) => {
        const { post, requests } = await meet(t, isProxied, 0, '')
        assert.deepEqual({ kind: await post(), requests: requests() }, { kind: 'unsent', requests: 1 })
      })

      for (const written of [
        'H',
        'HTTP/1.1 20',
        'HTTP/1.1 103 Early Hints\r\n\r\n',
        'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n',
        'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf',
      ])
        test(`after ${JSON.stringify(written.slice(-16))}: it may have been carried out`, async (t) => {
          const { post, requests } = await meet(t, isProxied, 0, written)
          assert.deepEqual({ kind: await post(), requests: requests() }, { kind: 'silent', requests: 1 })
        })

      test('in place of the first answer in TLS 1.2: it was read, and may have been carried out', async (t) => {
        const tls = { ...selfSigned, maxVersion: 'TLSv1.2', ciphers: ALERT_CIPHER_12 } as const
        const serve = ({ line, secrets12 }: Received) => {
          assert.ok(secrets12)
          line.write(alertRecord12(secrets12, 0, UNKNOWN_CA))
        }
        const { post, requests } = await postTo(t, isProxied, await openHostileServer(t, serve, tls))
        assert.deepEqual({ kind: await post(), requests: requests() }, { kind: 'silent', requests: 1 })
      })

      test('in place of a later answer: it may have been carried out, and is not repeated', async (t) => {
        const { post, requests } = await meet(t, isProxied, 1, '')
        assert.deepEqual(
          { first: await post(), second: await post(), requests: requests() },
          { first: 'answer', second: 'silent', requests: 2 },
        )
      })
    },
  )
