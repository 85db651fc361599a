// An operator whose channel does not answer reads what is wrong with the connection, directly or through a proxy.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../../test/gateway-process.ts'
import { expired, selfSigned } from '../../../test/self-signed.ts'
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
  assert.match(await why('https://nobody.invalid/'), /^(the name of its host is not known|no name server)/)
  const plain = await portOf(t, http.createServer())
  assert.equal(await why(`https://127.0.0.1:${plain}/`), 'TLS failed: perhaps it speaks none at this port')
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
    // With the dot the name is not that of this machine, so that the proxy is used.
    const far = host === 'localhost' ? 'https://localhost./' : 'https://elsewhere.example/'
    assert.match(
      await why(far, { ...options, proxy: `http://127.0.0.1:${await portOf(t, proxy)}` }),
      expected,
    )
  })
}
