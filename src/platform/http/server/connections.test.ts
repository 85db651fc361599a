// Clients that stall. With the raw server and with Node's server, the connection is closed if a request never ends or
// if the client does not read its response. Every other connection stays open.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/harness/eventually.ts'
import {
  aCardPayment,
  buildFrame,
  type FrameOptions,
  signed,
} from '../../../../test/harness/merchant-frame.ts'
import { chunkedHead, inChunks, rawClient, whole } from '../../../../test/harness/raw-client.ts'
import type { ConnectionOptions } from './connections.ts'

const good = JSON.stringify(signed(aCardPayment()))
const LONG_MS = 3_600_000
/** Deadlines that never pass. A test replaces those that it needs. */
const patient = { headMs: LONG_MS, bodyMs: LONG_MS, uploadBodyMs: LONG_MS, answerMs: LONG_MS, checkMs: 20 }

type Given = Partial<ConnectionOptions> & Pick<FrameOptions, 'handlers'> & { readonly routes?: Routes }
type Routes = (app: FastifyInstance) => void

for (const rawServer of [true, false])
  describe(rawServer ? 'connections of the raw server' : "connections of Node's server alone", () =>
    testConnections(rawServer),
  )

function testConnections(rawServer: boolean): void {
  async function opened({ handlers, routes, ...deadlines }: Given) {
    const server = { rawServer, connections: { ...patient, ...deadlines }, ...(routes && { routes }) }
    const built = await buildFrame({ server, ...(handlers && { handlers }) })
    const url = await built.app.listen({ host: '127.0.0.1', port: 0 })
    return { ...built, url, port: Number(new URL(url).port) }
  }

  test('a client that sends too many requests ahead of their responses gets the first few, and is cut off', async () => {
    let asked = 0
    const gate = Promise.withResolvers<void>()
    const routes: Routes = (app) =>
      app.get('/slow', async () => {
        asked++
        await gate.promise
        return 'answered'
      })
    const { app, port } = await opened({ routes, mostPending: 8 })
    const client = await rawClient(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500))
    assert.ok(await eventually(() => asked === 8))
    gate.resolve()
    assert.equal((await client.ended()).match(/answered/g)?.length, 8)
    assert.equal(asked, 8)
    await app.close()
  })

  test('a client that sends a few requests ahead gets all responses in order', async () => {
    const { app, port } = await opened({
      routes: (app) => app.get('/n/:n', ({ url }) => url),
      mostPending: 8,
    })
    const ask = (n: number, more = '') => `GET /n/${n} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
    const client = await rawClient(
      port,
      [1, 2, 3].map((n) => ask(n)).join('') + ask(4, 'Connection: close\r\n'),
    )
    assert.deepEqual((await client.ended()).match(/\/n\/\d/g), ['/n/1', '/n/2', '/n/3', '/n/4'])
    await app.close()
  })

  test('a broken request after a complete one never replaces its response', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = async () => released.then(() => ({ data: { tradeNo: 'T1' } }))
    const { app, port } = await opened({ handlers: { '/payment': slow } })
    const behind = ['\0', 'junk\r\n\r\n']
    const clients = await Promise.all(behind.map((more) => rawClient(port, whole('/payment', good) + more)))
    await sleep(200)
    release()
    for (const client of clients)
      assert.match(await client.ended(), /^HTTP\/1\.1 200 .*connection: close.*"code":"00000".*}$/is)
    await app.close()
  })

  test('a body that breaks off while an earlier request is in progress closes the connection without a response', async () => {
    const handlers = { '/payment': () => new Promise<never>(() => {}) }
    const { app, port } = await opened({ handlers, bodyMs: 50 })
    for (const second of [inChunks('/payment', good).slice(0, -10), `${chunkedHead('/payment')}no chunk\r\n`])
      assert.equal(await (await rawClient(port, whole('/payment', good) + second)).ended(), '')
    await app.close()
  })

  test('a connection whose head never ends is closed, and so is one that sends nothing', async () => {
    const { app, port } = await opened({ headMs: 50 })
    for (const text of ['', 'POST /payment HTTP/1.1\r\nHost: ', 'GET /pay/']) {
      const client = await rawClient(port, text)
      assert.match(await client.ended(), /^HTTP\/1\.1 408 /, text)
    }
    await app.close()
  })

  test('the next head on a connection has the same deadline', async () => {
    const { app, port } = await opened({ headMs: 1_000 })
    for (const first of [whole('/payment', good), inChunks('/payment', good)]) {
      const client = await rawClient(port, first)
      await once(client.socket, 'data')
      client.socket.write('POST /payment HTTP/1.1\r\n')
      assert.match(await client.ended(), /^HTTP\/1\.1 200 .*HTTP\/1\.1 408 /s)
    }
    await app.close()
  })

  test('a connection whose body never ends is closed, and its bytes are freed', async () => {
    const { app, frame, port } = await opened({ bodyMs: 50, routes: (app) => app.post('/form', () => 'x') })
    const unfinished = [
      whole('/payment', 'x'.repeat(100_000), 200_000),
      inChunks('/payment', good).slice(0, -10),
      whole('/form', '{', 2),
      whole('/nowhere', 'x', 2),
    ]
    for (const text of unfinished) {
      const client = await rawClient(port, text)
      assert.match(await client.ended(), /^HTTP\/1\.1 40[48] /, text.slice(0, 100))
    }
    assert.ok(await eventually(() => frame.connections.count === 0))
    assert.equal(frame.bodies.bufferedBytes, 0)
    await app.close()
  })

  test('an upload has a longer deadline', async () => {
    const handlers = { '/payment': async () => ({ data: {} }), '/file/upload': async () => ({ data: {} }) }
    const { app, frame, port } = await opened({ bodyMs: 50, handlers })
    const upload = await rawClient(port, whole('/file/upload', '--boundary', 1_000))
    const payment = await rawClient(port, whole('/payment', '{', 1_000))
    await payment.ended()
    assert.ok(await eventually(() => frame.connections.count === 1))
    assert.equal(upload.socket.closed, false)
    upload.socket.destroy()
    await app.close()
  })

  const huge = { '/payment': async () => ({ data: { text: 'x'.repeat(16_000_000) } }) }
  /** Two forms of a request: one for the raw server, and one for Node's server. */
  const bothWays = [whole, inChunks].map((form) => form('/payment', good))

  test('the connection of a client that does not read its response is closed', async () => {
    const { app, frame, port } = await opened({ answerMs: 50, handlers: huge })
    for (const text of bothWays) {
      const client = await rawClient(port, text)
      client.socket.pause()
      assert.ok(await eventually(() => frame.connections.count === 0))
      client.socket.destroy()
    }
    await app.close()
  })

  test('a slow response and a stream that is read have no deadline', async () => {
    const all = { answerMs: 20, bodyMs: 20 }
    const slow = {
      '/payment': async () => {
        await sleep(300)
        return { data: { tradeNo: 'T1' } }
      },
    }
    const routes: Routes = (app) =>
      app.get('/events', (_request, reply) => {
        const stream = new PassThrough()
        const beat = setInterval(() => stream.write('beat\n'), 100)
        setTimeout(() => {
          clearInterval(beat)
          stream.end('end')
        }, 500)
        return reply.send(stream)
      })
    const { app, url, port } = await opened({ ...all, handlers: slow, routes })
    for (const text of bothWays) {
      const client = await rawClient(port, text)
      const [answer] = await once(client.socket, 'data')
      assert.match(answer, /^HTTP\/1\.1 200 .*"tradeNo":"T1"/s)
      client.socket.destroy()
    }
    assert.match(await (await fetch(`${url}/events`)).text(), /^(beat\n)+end$/)
    await app.close()
  })

  test('connections above the limit are closed, until another one ends', async () => {
    const { app, frame, port } = await opened({ most: 2 })
    const [first] = [await rawClient(port), await rawClient(port)]
    assert.equal(await (await rawClient(port, whole('/payment', good))).ended(), '')
    assert.equal(frame.connections.count, 2)
    first?.socket.destroy()
    assert.ok(await eventually(() => frame.connections.count === 1))
    const next = await rawClient(port, whole('/payment', good))
    const [answer] = await once(next.socket, 'data')
    assert.match(answer, /^HTTP\/1\.1 200 /)
    await app.close()
  })

  test('each network has its own limit, and proxies have none', async () => {
    const { app, frame, port } = await opened({ mostOfNetwork: 2, trustedProxies: ['127.0.0.9'] })
    const from = async (address: string, count: number) => {
      for (let at = 0; at < count; at++) await rawClient(port, '', address)
    }
    await from('127.0.0.1', 2)
    assert.equal(await (await rawClient(port, '', '127.0.0.1')).ended(), '')
    await from('127.0.0.2', 2)
    await from('127.0.0.9', 5)
    assert.ok(await eventually(() => frame.connections.count === 9))
    await app.close()
  })

  test('in live 500 connections may come from one address', async () => {
    const { app, frame } = await buildFrame({ mode: 'live', server: { rawServer } })
    const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
    for (let count = 0; count < 500; count++) await rawClient(port)
    assert.equal(await (await rawClient(port)).ended(), '')
    assert.equal(frame.connections.count, 500)
    await app.close()
  })

  test('a stop waits for clients that read, and not for those that do not', async () => {
    for (const text of bothWays) {
      const { app, frame, port } = await opened({ closingAnswerMs: 200, handlers: huge })
      const accepted = once(app.server, 'connection')
      const [deaf, listening] = [await rawClient(port), await rawClient(port)]
      const [served] = await accepted
      deaf.socket.pause().write(text)
      assert.ok(await eventually(() => served.writableLength > 0))
      listening.socket.write(text)
      await once(listening.socket, 'data')
      await app.close()
      assert.ok((await listening.ended()).length > 16_000_000)
      assert.ok(await eventually(() => frame.connections.count === 0))
      deaf.socket.destroy()
    }
  })

  test('a stop does not wait for clients that left in the middle of their body', async () => {
    const { app, frame, port } = await opened({})
    const client = await rawClient(port, whole('/payment', '{', 1_000))
    assert.ok(await eventually(() => frame.bodies.bufferedBytes === 1))
    client.socket.destroy()
    assert.ok(await eventually(() => frame.connections.count === 0))
    await app.close()
  })
}
