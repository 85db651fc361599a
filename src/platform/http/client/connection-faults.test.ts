// An alert about our certificate proves that a request was not read only if it is all that a new connection ever brought.
import assert from 'node:assert/strict'
import http from 'node:http'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { type HostileServer, openHostileServer, type Received } from '../../../test/hostile-server.ts'
import { selfSigned } from '../../../test/self-signed.ts'
import {
  ALERT_CIPHER,
  ALERT_CIPHER_12,
  alertRecord,
  alertRecord12,
  TICKETS,
  UNKNOWN_CA,
} from '../../../test/tls-alert.ts'
import { createHttpClient } from './http-client.ts'

const { signal } = new AbortController()
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/** The first requests are answered; for the next the server writes this, and then the alert. */
async function meet(t: TestContext, isProxied: boolean, answered: number, written: string) {
  const tls = { ...selfSigned, minVersion: 'TLSv1.3', ciphers: ALERT_CIPHER } as const
  const serve = ({ socket, line, secret, no }: Received) => {
    if (no <= answered) return void socket.write(ok)
    const sent = TICKETS + answered + (written === '' ? 0 : 1)
    const alert = () => line.write(alertRecord(secret, sent, UNKNOWN_CA))
    // After the tickets, which are on their way.
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
  // With the dot the name is not that of this machine, so that the proxy is used.
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
        assert.deepEqual([await post(), requests()], ['unsent', 1])
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
          assert.deepEqual([await post(), requests()], ['silent', 1])
        })

      test('in place of the first answer in TLS 1.2: it was read, and may have been carried out', async (t) => {
        const tls = { ...selfSigned, maxVersion: 'TLSv1.2', ciphers: ALERT_CIPHER_12 } as const
        const serve = ({ line, secrets12 }: Received) => {
          assert.ok(secrets12)
          line.write(alertRecord12(secrets12, 0, UNKNOWN_CA))
        }
        const { post, requests } = await postTo(t, isProxied, await openHostileServer(t, serve, tls))
        assert.deepEqual([await post(), requests()], ['silent', 1])
      })

      test('in place of a later answer: it may have been carried out, and is not repeated', async (t) => {
        const { post, requests } = await meet(t, isProxied, 1, '')
        assert.deepEqual([await post(), await post(), requests()], ['answer', 'silent', 2])
      })
    },
  )
