// Servers that break the rules in many ways. In each case the caller learns whether its request may have been carried
// out, no broken connection stays open, and later requests are not affected.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TlsOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { selfSigned } from '../../../../test/builders/self-signed.ts'
import { openHostileServer, type Received } from '../../../../test/counterparties/hostile-server.ts'
import { createHttpClient, type HttpReply, parseJson } from './http-client.ts'

const { signal } = new AbortController()
const LARGE = 'x'.repeat(16 * 1024 * 1024)
const ok = answerOf('ok')

function answerOf(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

function brief(reply: HttpReply): string {
  return reply.kind === 'answer' ? `${reply.status} ${reply.text}` : reply.kind
}

/**
 * Returns a deadline. The test calls `soon` after the server has acted, so that a slow machine cannot pass the deadline
 * too early.
 */
function deadline(): { readonly signal: AbortSignal; readonly soon: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, soon: () => void setTimeout(() => controller.abort(), 50) }
}

/** Opens a client and a server that handles its requests with `serve`. */
async function meet(t: TestContext, serve: (received: Received) => void, tls?: TlsOptions) {
  const server = await openHostileServer(t, serve, tls)
  const client = createHttpClient(tls && { tls: { ca: selfSigned.cert } })
  const post = async (body = 'x', until = signal) =>
    brief(await client({ method: 'POST', url: server.url, body, signal: until }))
  return { ...server, post }
}

for (const tls of [undefined, selfSigned])
  describe(tls === undefined ? 'over plain http' : 'over TLS', () => {
    test('a request that is taken and never answered is not repeated, on a new connection or a kept one', async (t) => {
      for (const close of ['end', 'destroy', 'resetAndDestroy'] as const) {
        const serve = ({ socket, line, no }: Received) => {
          if (no === 2) socket.write(ok)
          else if (close === 'resetAndDestroy') line.resetAndDestroy()
          else socket[close]()
        }
        const { post, requests, connections, allClosed } = await meet(t, serve, tls)
        assert.deepEqual([await post(), await post(), await post()], ['silent', '200 ok', 'silent'], close)
        await sleep(20)
        assert.deepEqual(
          { requests: requests(), connections: connections() },
          { requests: 3, connections: 2 },
          close,
        )
        await allClosed()
      }
    })

    const stops: readonly (readonly [string, string])[] = [
      ['within the head', 'HTTP/1.1 200 OK\r\ncontent-le'],
      ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'],
      ['within a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf'],
      ['before the last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n'],
      ['after an interim response', 'HTTP/1.1 100 Continue\r\n\r\n'],
      ['in a body without an end', 'HTTP/1.1 200 OK\r\n\r\nok'],
    ]
    for (const [where, text] of stops)
      test(`an answer that stops ${where} is none, and is given up in time`, async (t) => {
        const late = deadline()
        const serve = ({ socket, no }: Received) => {
          socket.write(no === 1 ? text : ok)
          late.soon()
        }
        const { post, allClosed } = await meet(t, serve, tls)
        assert.equal(await post('x', late.signal), 'silent')
        await allClosed()
        assert.equal(await post(), '200 ok')
      })

    test('an answer that is closed half way is none', async (t) => {
      for (const [where, text] of stops.slice(0, 5)) {
        const { post } = await meet(t, ({ socket, no }) => socket.end(no === 1 ? text : ok), tls)
        assert.deepEqual([await post(), await post()], ['silent', '200 ok'], where)
      }
    })

    test('what follows an answer is not taken for the next one', async (t) => {
      const other = answerOf('another')
      for (const second of [other, 'x', `\r\n${other}`, 'HTTP/1.1 100 Continue\r\n\r\n'])
        for (const delayMs of [0, 30]) {
          const serve = ({ socket, no }: Received) => {
            socket.write(no === 1 && delayMs === 0 ? ok + second : ok)
            if (no === 1 && delayMs > 0) setTimeout(() => socket.write(second), delayMs)
          }
          const { post, allClosed, connections } = await meet(t, serve, tls)
          assert.equal(await post(), '200 ok')
          await allClosed()
          assert.equal(await post(), '200 ok')
          assert.equal(connections(), 2)
        }
    })

    const endless: readonly (readonly [string, string, string])[] = [
      ['head', 'HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(60_000)}\r\n`],
      ['body', 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(60_000)],
      ['body of a terabyte', 'HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n', 'x'.repeat(60_000)],
      [
        'row of chunks',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
        `ea60\r\n${'x'.repeat(60_000)}\r\n`,
      ],
      ['chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffff\r\n', 'x'.repeat(60_000)],
      [
        'chunk extension',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;',
        `a=${'x'.repeat(60_000)};`,
      ],
      [
        'row of trailers',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
        `x: ${'y'.repeat(60_000)}\r\n`,
      ],
      ['row of interim responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
    ]
    for (const [what, beginning, rest] of endless)
      test(`an endless ${what} is given up early`, async (t) => {
        let line: Received['line'] | undefined
        const serve = (received: Received) => {
          line = received.line
          const { socket, no } = received
          if (no > 1) return void socket.write(ok)
          socket.write(beginning)
          const pour = () => {
            while (!socket.destroyed && socket.write(rest));
          }
          socket.on('drain', pour)
          pour()
        }
        const { post, allClosed } = await meet(t, serve, tls)
        assert.equal(await post(), 'silent')
        await allClosed()
        // The system buffers some bytes that nobody reads.
        assert.ok((line?.bytesWritten ?? 0) < 32 * 1024 * 1024, `${line?.bytesWritten} bytes were sent`)
        assert.equal(await post(), '200 ok')
      })

    test('an answer before the end of the request counts, but its connection is not used again', async (t) => {
      const serve = ({ socket, no }: Received) => {
        if (no === 1) socket.pause()
        socket.write(no === 1 ? 'HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno' : ok)
      }
      const { post, connections } = await meet(t, serve, tls)
      assert.equal(await post(LARGE), '413 no')
      assert.equal(await post('x', AbortSignal.timeout(5_000)), '200 ok')
      assert.equal(connections(), 2)
    })

    test('a request that is given up while it is written may have arrived', async (t) => {
      const late = deadline()
      const serve = ({ socket, no }: Received) => {
        if (no > 1) return void socket.write(ok)
        socket.pause()
        late.soon()
      }
      const { post, requests } = await meet(t, serve, tls)
      assert.equal(await post(LARGE, late.signal), 'silent')
      assert.equal(await post(), '200 ok')
      assert.equal(requests(), 2)
    })

    test('a request of which a part was sent on a kept connection is not repeated', async (t) => {
      const serve = ({ socket, line, no }: Received) => {
        if (no !== 2) return void socket.write(ok)
        line.pause()
        setTimeout(() => line.resetAndDestroy(), 100)
      }
      const { post, requests, allClosed } = await meet(t, serve, tls)
      assert.deepEqual(
        { small: await post(), large: await post(LARGE) },
        { small: '200 ok', large: 'silent' },
      )
      await sleep(50)
      assert.equal(requests(), 2)
      await allClosed()
      assert.equal(await post(), '200 ok')
    })

    test('a kept connection that was reset before the request is written is replaced', async (t) => {
      const lines: Received['line'][] = []
      const serve = ({ socket, line }: Received) => {
        lines.push(line)
        socket.write(ok)
      }
      const { post, requests } = await meet(t, serve, tls)
      for (const body of ['x', LARGE]) {
        assert.equal(await post(), '200 ok')
        // The test gives the client no turn of the event loop, so the client learns of the reset only when it writes.
        for (const line of lines.splice(0)) line.resetAndDestroy()
        assert.equal(await post(body), '200 ok')
      }
      assert.equal(requests(), 4)
    })

    test('an answer after the deadline goes nowhere', async (t) => {
      const late = deadline()
      const serve = ({ socket, no }: Received) => {
        late.soon()
        setTimeout(() => socket.write(answerOf(`${no}`)), no === 1 ? 150 : 0)
      }
      const { post } = await meet(t, serve, tls)
      assert.equal(await post('x', late.signal), 'silent')
      assert.equal(await post(), '200 2')
      await sleep(200)
      assert.equal(await post(), '200 3')
    })

    test('a redirect is an answer, and nobody follows it', async (t) => {
      const other = await openHostileServer(t, ({ socket }) => socket.write(ok), tls)
      const moved = `HTTP/1.1 307 Moved\r\nlocation: ${other.url}\r\ncontent-length: 0\r\n\r\n`
      const { post } = await meet(t, ({ socket }) => socket.write(moved), tls)
      assert.equal(await post(), '307 ')
      assert.equal(other.connections(), 0)
    })

    test('a compressed answer that nobody asked for says nothing', async (t) => {
      const body = gzipSync('{"status":"captured"}')
      const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`
      const { post } = await meet(
        t,
        ({ socket }) => socket.write(Buffer.concat([Buffer.from(head), body])),
        tls,
      )
      const text = await post()
      assert.equal(parseJson(text.slice('200 '.length)), undefined)
    })
  })
