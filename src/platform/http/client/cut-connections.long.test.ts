// Connections that break in either direction: at every byte of plain http, and at many bytes of TLS. The server never
// reads a request that is reported as `unsent`, every answer is complete, and no request arrives twice. The tests use
// plain http and TLS, each directly and through a proxy.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { selfSigned } from '../../../../test/builders/self-signed.ts'
import { openHostileServer, type Received } from '../../../../test/counterparties/hostile-server.ts'
import { createHttpClient, type HttpReply } from './http-client.ts'

const { signal } = new AbortController()
const TUNNEL = 'HTTP/1.1 200 Established\r\n\r\n'
/**
 * The distance between two cuts, in bytes. A plain exchange is cut at every byte. A TLS exchange is cut at some of the
 * 1,500 bytes of its handshake, and at some bytes of the records after the handshake.
 */
const stepOf = (isTls: boolean, kept: boolean) => (!isTls ? 1 : kept ? 5 : 61)

const answers = {
  length: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
  chunks:
    'HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
}

type Cut = {
  readonly of: 'request' | 'answer'
  readonly after: number
  readonly how: 'end' | 'destroy' | 'resetAndDestroy'
}

/** Opens a relay that forwards everything until the cut, for one connection after another. */
async function openRelay(t: TestContext, port: number, isTunnel: boolean) {
  let cut: Cut | undefined
  let passed = 0
  const sockets = new Set<Socket>()
  const server = createServer((here) => {
    const there = connect(port, '127.0.0.1')
    for (const one of [here, there]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => sockets.delete(one))
    }
    const relay = (from: Socket, to: Socket, of: Cut['of']) => (piece: Buffer) => {
      if (cut?.of !== of) return void to.write(piece)
      const left = cut.after - passed
      passed += piece.length
      to.write(piece.subarray(0, Math.max(0, left)))
      if (piece.length <= left) return
      // The bytes forwarded so far arrive first, except before a reset.
      here[cut.how]()
      there[cut.how]()
      from.destroy()
    }
    const begin = () => {
      here.on('data', relay(here, there, 'request'))
      there.on('data', relay(there, here, 'answer'))
    }
    if (!isTunnel) return begin()
    here.once('data', () => {
      here.write(TUNNEL)
      begin()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    port: address.port,
    cutAt(next: Cut | undefined) {
      cut = next
      passed = 0
    },
  }
}

const ways = [
  { name: 'plain http', isTls: false, isProxied: false },
  { name: 'TLS', isTls: true, isProxied: false },
  { name: 'plain http through a proxy', isTls: false, isProxied: true },
  { name: 'TLS through a proxy', isTls: true, isProxied: true },
]

for (const { name, isTls, isProxied } of ways)
  for (const [framing, answer] of Object.entries(answers))
    describe(`${name}, ${framing}`, () => {
      for (const side of ['request', 'answer'] as const)
        for (const kept of [false, true])
          test(`cut at any byte of the ${side}${kept ? ' on a kept connection' : ''}`, async (t) => {
            const paths: string[] = []
            const serve = ({ socket, head }: Received) => {
              paths.push(head.split(' ')[1] ?? '')
              socket.write(answer)
            }
            const there = await openHostileServer(t, serve, isTls ? selfSigned : undefined)
            const relay = await openRelay(t, Number(there.url.port), isTls && isProxied)
            // The name `localhost.` does not count as this machine, so the proxy is used.
            const host = isProxied ? 'localhost.' : `localhost:${relay.port}`
            const origin = `${isTls ? 'https' : 'http'}://${host}`
            const seen = new Set<HttpReply['kind']>()
            for (const how of ['end', 'destroy', 'resetAndDestroy'] as const)
              for (let after = 0, isCut = true; isCut; after += stepOf(isTls, kept)) {
                const client = createHttpClient({
                  ...(isTls && { tls: { ca: selfSigned.cert } }),
                  ...(isProxied && { proxy: `http://127.0.0.1:${relay.port}` }),
                })
                const post = (path: string) =>
                  client({ method: 'POST', url: new URL(path, origin), body: 'x', signal })
                relay.cutAt(undefined)
                if (kept) assert.equal((await post('/before')).kind, 'answer')
                const path = `/${how}-${after}`
                relay.cutAt({ of: side, after, how })
                const reply = await post(path)
                if (reply.kind === 'unsent') await sleep(2)
                const read = paths.filter((one) => one.endsWith(path)).length
                const where = `${how} after ${after}: ${JSON.stringify(reply)}, read ${read} times`
                seen.add(reply.kind)
                assert.ok(read <= 1, where)
                if (reply.kind === 'answer')
                  assert.deepEqual(
                    { status: reply.status, text: reply.text, read },
                    { status: 200, text: 'ok', read: 1 },
                    where,
                  )
                if (reply.kind === 'unsent') assert.equal(read, 0, where)
                isCut = reply.kind !== 'answer'
              }
            assert.ok(seen.has('answer') && seen.has('silent'), [...seen].join())
            assert.equal(seen.has('unsent'), isTls && !kept, [...seen].join())
          })
    })
