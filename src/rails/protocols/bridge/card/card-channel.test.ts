import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { noAlarms } from '../../../../../test/builders/no-alarms.ts'
import { cardRequest, cards, openCardDriver } from '../../../../../test/contracts/card-driver.ts'
import { testProtocolContract } from '../../../../../test/contracts/channel-contract.ts'
import { bankWording, SECRET } from '../../../../../test/contracts/sandbox-driver.ts'
import { systemClock } from '../../../../platform/base/clock.ts'
import { httpTransport, type IssuerOperation } from '../../../toolkit/transport.ts'
import { createCardChannel } from './card-channel.ts'

/** The time-outs: a short one for responses that never come, and a long one for all other responses. */
const [HASTY_MS, PATIENT_MS] = [400, 60_000]
const DECLINES_AFTER_CHALLENGE = '4000008400001629'

testProtocolContract('cards', () => openDriver())

function openDriver(signedWith = SECRET) {
  return openCardDriver({
    connect(url, timeoutMs) {
      const transport = httpTransport<IssuerOperation>({ url, secret: signedWith })
      return createCardChannel({ transport, secret: SECRET, timeoutMs, alarms: noAlarms })
    },
    faultsAt: (at) => ({
      url: at,
      connect: ({ url = at, clock = systemClock }) => {
        const asked = httpTransport<IssuerOperation>({ url, secret: SECRET, clock })
        return createCardChannel({
          transport: asked,
          secret: SECRET,
          timeoutMs: PATIENT_MS,
          alarms: noAlarms,
          clock,
        })
      },
      connectAsStranger: () => channelTo(at, PATIENT_MS, 'expired'),
      secrets: [SECRET],
      ...bankWording,
    }),
  })
}

describe('a card that its bank declines after the challenge', () => {
  it('fails although the payer knew the code', async () => {
    const driver = await openDriver()
    const request = cardRequest(DECLINES_AFTER_CHALLENGE)
    const outcome = await driver.channel.start(request)
    assert.equal(outcome.kind, 'pending')
    const answer = await driver.act(outcome.action, 'approve')
    const completed = await driver.channel.complete({ ...request, answer })
    assert.equal(completed.kind, 'failed')
    assert.equal(completed.cause, 'declined')
    await driver.close()
  })
})

describe('a card channel with a bad connection', () => {
  it('fails for certain when the connection is refused, because nothing was sent', async () => {
    const port = await freePort()
    for (const host of ['127.0.0.1', 'localhost']) {
      const outcome = await channelTo(`http://${host}:${port}`).start(cardRequest(cards.pays))
      assert.equal(outcome.kind, 'failed')
      assert.equal(outcome.cause, 'unreachable')
    }
  })

  it('returns unknown for an older attempt when the connection is refused', async () => {
    const channel = channelTo(`http://127.0.0.1:${await freePort()}`)
    const attempt = cardRequest(cards.pays)
    const refund = { ...attempt, refundReference: 'R1', refund: attempt.money }
    const answer = {
      cres: Buffer.from(JSON.stringify({ acsTransID: crypto.randomUUID() })).toString('base64url'),
    }
    const calls = [channel.ask(attempt), channel.cancel(attempt), channel.refund(refund)]
    for (const outcome of await Promise.all([...calls, channel.complete({ ...attempt, answer })]))
      assert.equal(outcome.kind, 'unknown')
  })

  it('returns unknown when the connection breaks after sending', async () => {
    const outcome = await startAt((request) => request.on('end', () => request.socket.destroy()).resume())
    assert.equal(outcome.kind, 'unknown')
  })

  it('returns unknown when the response is truncated', async () => {
    const outcome = await startAt((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"status":')
    }, HASTY_MS)
    assert.equal(outcome.kind, 'unknown')
  })

  it('returns unknown when the response is malformed', async () => {
    const nonsense = ['', '<html>', '{}', 'null', '{"status":"captured"}', '['.repeat(70_000)]
    for (const status of [200, 302, 400, 404, 500])
      for (const body of nonsense) {
        const outcome = await startAt((_request, response) => response.writeHead(status).end(body))
        assert.equal(outcome.kind, 'unknown', `${status} ${body.slice(0, 30)}`)
      }
  })

  it("returns the issuer's amount, for the caller to compare", async () => {
    const outcome = await startAt((request, response) => {
      request.on('data', (chunk) => {
        const { merchantReference } = JSON.parse(String(chunk))
        const charge = { id: 'ch_1', merchantReference, amount: '125', currency: 'JPY', status: 'captured' }
        response.end(JSON.stringify(charge))
      })
    })
    assert.deepEqual(outcome, {
      kind: 'succeeded',
      money: { amount: 125n, currency: 'JPY' },
      channelRef: 'ch_1',
    })
  })

  it('does not repeat a request that a kept connection may have carried', async () => {
    let seen = 0
    const sockets = new Set<unknown>()
    const server = await serve((request, response) => {
      seen += 1
      request.resume()
      // Drops a connection when its second request comes.
      if (sockets.has(request.socket)) request.socket.destroy()
      else response.writeHead(400).end('{"error":"invalid_request"}')
      sockets.add(request.socket)
    })
    const channel = channelTo(server.url)
    assert.equal((await channel.start(cardRequest(cards.pays))).kind, 'failed')
    assert.equal((await channel.start(cardRequest(cards.pays))).kind, 'unknown')
    assert.equal(seen, 2)
    server.close()
  })
})

describe('a card channel with the wrong secret', () => {
  it('is refused, and nothing is charged', async () => {
    const driver = await openDriver('another')
    const request = cardRequest(cards.pays)
    const outcome = await driver.channel.start(request)
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.cause, 'unauthorised')
    assert.equal((await driver.channel.ask(request)).kind, 'unknown')
    assert.equal(await driver.isCharged(request.reference), false)
    await driver.close()
  })
})

function channelTo(url: string, timeoutMs = PATIENT_MS, secret = SECRET) {
  return createCardChannel({ transport: httpTransport({ url, secret }), timeoutMs, alarms: noAlarms })
}

async function startAt(handler: http.RequestListener, timeoutMs = PATIENT_MS) {
  const server = await serve(handler)
  try {
    return await channelTo(server.url, timeoutMs).start(cardRequest(cards.pays))
  } finally {
    server.close()
  }
}

async function serve(handler: http.RequestListener): Promise<{ url: string; port: number; close(): void }> {
  const server = http.createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const { port }: AddressInfo = address
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, port, close }
}

async function freePort(): Promise<number> {
  const server = await serve(() => {})
  server.close()
  return server.port
}
