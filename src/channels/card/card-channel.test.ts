import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startSandbox } from '../../../sandbox/server.ts'
import { openCallbackReceiver } from '../../../test/callback-receiver.ts'
import { testChannelContract } from '../../../test/channel-contract.ts'
import type { Behaviour, ChannelDriver } from '../../../test/channel-driver.ts'
import { giveSandboxKeys } from '../../../test/rsa-keys.ts'
import { COMPLETE_URL, makeRequest, SECRET, signAgain } from '../../../test/sandbox-driver.ts'
import type { PayerAction, StartRequest } from '../contract.ts'
import { httpTransport, type IssuerOperation } from '../transport.ts'
import { createCardChannel } from './card-channel.ts'

const cards: Record<Behaviour, string> = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  waits: '4000000000003220',
  'silent-but-opened': '4000000000000119',
  'silent-and-not-opened': '4000000000006975',
  refused: '42',
}
/** Time-outs for responses that never come, and for all others. */
const [HASTY_MS, PATIENT_MS] = [400, 60_000]
const DECLINES_AFTER_CHALLENGE = '4000008400001629'

testChannelContract('cards', () => openDriver())

async function openDriver(signedWith = SECRET): Promise<ChannelDriver> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-card-'))
  giveSandboxKeys(dataDir)
  const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000, secret: SECRET })
  const callbacks = await openCallbackReceiver()
  const transport = httpTransport<IssuerOperation>({ url: sandbox.url, secret: signedWith })
  const within = (timeoutMs: number) => createCardChannel({ transport, secret: SECRET, timeoutMs })
  const channel = within(PATIENT_MS)
  callbacks.answerWith(async (callback) => (await channel.readCallback?.(callback))?.answer ?? assert.fail())
  return {
    channel,
    within,
    request: (behaviour, reference) => startRequest(cards[behaviour], reference, callbacks.url),
    act: (action, deed) => enterCode(action, deed === 'approve' ? '123456' : '000000'),
    push: {
      kind: 'callback',
      believes: 'signature',
      received: callbacks.received,
      forge(callback, { amount, currency }) {
        const charge = { ...JSON.parse(callback.body), amount: amount.toString(), currency }
        return signAgain(callback, JSON.stringify(charge))
      },
    },
    refusedRefund: { amount: 666n, currency: 'USD' },
    async isCharged(reference) {
      const answer = await sandbox.issuer.handle({
        operation: 'lookup',
        body: { merchantReference: reference },
      })
      return answer?.body.status === 'captured'
    },
    async close() {
      await callbacks.close()
      await sandbox.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

function startRequest(number: string, reference?: string, callbackUrl?: string): StartRequest {
  const money = { amount: 1_250n, currency: 'USD' }
  const details = { timezone: 'Asia/Shanghai', language: 'zh-CN' }
  const card = { number, expiryMonth: '4', expiryYear: '39', securityCode: '123' }
  return { ...makeRequest({ method: 'card', money, details }, 'pays', reference, callbackUrl), card }
}

describe('a card that its bank declines after the challenge', () => {
  it('fails although the payer knew the code', async () => {
    const driver = await openDriver()
    const request = startRequest(DECLINES_AFTER_CHALLENGE)
    const outcome = await driver.channel.start(request)
    assert.equal(outcome.kind, 'pending')
    const answer = await driver.act(outcome.action, 'approve')
    const completed = await driver.channel.complete({ ...request, answer })
    assert.equal(completed.kind, 'failed')
    assert.equal(completed.cause, 'declined')
    await driver.close()
  })
})

/** Acts like a browser without scripts: opens the bank's page, posts the code, and reads the form that leads back. */
async function enterCode(action: PayerAction, code: string): Promise<Record<string, string>> {
  assert.equal(action.kind, 'challenge')
  const shown = await post(action.acsUrl, { creq: action.creq })
  const acsTransID = /name="acsTransID" value="([^"]+)"/.exec(shown)?.[1] ?? challengeIdIn(action.creq)
  const answered = await post(`${action.acsUrl}/answer`, { acsTransID, code })
  assert.ok(answered.includes(`action="${COMPLETE_URL}"`))
  return { cres: /name="cres" value="([^"]+)"/.exec(answered)?.[1] ?? '' }
}

/** The payer's page is already open, so it does not show that the payment was cancelled meanwhile. */
function challengeIdIn(creq: string): string {
  return JSON.parse(Buffer.from(creq, 'base64url').toString()).acsTransID
}

async function post(url: string, form: Record<string, string>): Promise<string> {
  return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).text()
}

describe('a card channel with a bad connection', () => {
  it('fails for certain when the connection is refused, because nothing was sent', async () => {
    const port = await freePort()
    for (const host of ['127.0.0.1', 'localhost']) {
      const outcome = await channelTo(`http://${host}:${port}`).start(startRequest(cards.pays))
      assert.equal(outcome.kind, 'failed')
      assert.equal(outcome.cause, 'unreachable')
    }
  })

  it('returns unknown for an older attempt when the connection is refused', async () => {
    const channel = channelTo(`http://127.0.0.1:${await freePort()}`)
    const attempt = startRequest(cards.pays)
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
      // Drops every connection when it is used for the second time.
      if (sockets.has(request.socket)) request.socket.destroy()
      else response.writeHead(400).end('{"error":"invalid_request"}')
      sockets.add(request.socket)
    })
    const channel = channelTo(server.url)
    assert.equal((await channel.start(startRequest(cards.pays))).kind, 'failed')
    assert.equal((await channel.start(startRequest(cards.pays))).kind, 'unknown')
    assert.equal(seen, 2)
    server.close()
  })
})

describe('a card channel with the wrong secret', () => {
  it('is refused, and nothing is charged', async () => {
    const driver = await openDriver('another')
    const request = startRequest(cards.pays)
    const outcome = await driver.channel.start(request)
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.cause, 'refused')
    assert.equal((await driver.channel.ask(request)).kind, 'unknown')
    assert.equal(await driver.isCharged(request.reference), false)
    await driver.close()
  })
})

function channelTo(url: string, timeoutMs = PATIENT_MS) {
  return createCardChannel({ transport: httpTransport({ url, secret: SECRET }), timeoutMs })
}

async function startAt(handler: http.RequestListener, timeoutMs = PATIENT_MS) {
  const server = await serve(handler)
  try {
    return await channelTo(server.url, timeoutMs).start(startRequest(cards.pays))
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
