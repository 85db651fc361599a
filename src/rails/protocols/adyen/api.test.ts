// Tests how the API client handles Adyen's errors. A scripted server sends them over HTTP on loopback.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { after, beforeEach, describe, it } from 'node:test'
import { createAdyenApi } from './api.ts'
import { fromStart } from './wire.ts'

type Reply = (response: ServerResponse) => unknown

let replies: Reply[] = []
let keys: unknown[] = []

const server = createServer(async (request, response) => {
  await readText(request)
  keys.push(request.headers['idempotency-key'])
  const reply = replies.length > 1 ? replies.shift() : replies[0]
  reply?.(response)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
assert.ok(typeof address === 'object' && address !== null)
const url = `http://127.0.0.1:${address.port}`
after(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  keys = []
})

const paid = '{"resultCode":"Authorised","pspReference":"P1"}'
const answers =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(body)
const breaks: Reply = (response) => response.destroy()

const asked = { reference: 'A1', money: { amount: 5n, currency: 'EUR' } }

async function outcomeOf(...scripted: readonly Reply[]): Promise<string> {
  replies = [...scripted]
  const api = createAdyenApi({ url, apiKey: 'k' })
  const signal = AbortSignal.timeout(10_000)
  const outcome = fromStart(await api.postUntilKnown('/payments', {}, { key: 'A1', signal }), asked)
  return outcome.kind === 'failed' ? `failed ${outcome.cause}` : outcome.kind
}

describe('a payment that Adyen did not decide', () => {
  it('is sent again under the same key, when Adyen says so or nothing', async () => {
    const transient = answers(503, '{"errorCode":"703"}')
    const retryable = answers(500, '{}', { 'transient-error': 'true' })
    const inFlight = answers(422, '{"errorCode":"704"}')
    for (const first of [transient, retryable, inFlight, breaks, answers(200, 'not JSON')]) {
      keys = []
      assert.equal(await outcomeOf(first, answers(200, paid)), 'succeeded')
      assert.deepEqual([...new Set(keys)], ['A1'])
    }
  })

  it('stays unknown when no try is answered, or when only we are at fault on a later one', async () => {
    assert.equal(await outcomeOf(answers(422, '{"errorCode":"704"}')), 'unknown')
    assert.equal(keys.length, 3)
    assert.equal(await outcomeOf(breaks, answers(401, '{"errorCode":"000"}')), 'unknown')
    assert.equal(await outcomeOf(breaks, answers(422, '{"errorCode":"130"}')), 'failed refused')
  })

  it('stays unknown when something on the way refuses it, or when its error has no known form', async () => {
    for (const status of [400, 422])
      for (const body of ['<html>', '{}', '{"errorCode":704}', '{"errorCode":null}'])
        assert.equal(await outcomeOf(breaks, answers(status, body)), 'unknown', `${status} ${body}`)
    for (const status of [401, 403])
      for (const body of ['', '<html>', '{}', '{"errorCode":10}'])
        assert.equal(await outcomeOf(answers(status, body)), 'unknown', `${status} ${body}`)
  })

  it('is not sent again after other errors', async () => {
    for (const status of [429, 500, 502, 504]) {
      keys = []
      assert.equal(await outcomeOf(answers(status, '<html>')), 'unknown')
      assert.equal(keys.length, 1)
    }
  })

  it('is failed when our key is refused, or when nothing was sent', async () => {
    assert.equal(await outcomeOf(answers(401, '{"errorCode":"000"}')), 'failed unauthorised')
    assert.equal(await outcomeOf(answers(403, '{"errorCode":"901"}')), 'failed unauthorised')
    const nobody = createAdyenApi({ url: 'http://127.0.0.1:1', apiKey: 'k' })
    const signal = AbortSignal.timeout(10_000)
    const reply = await nobody.postUntilKnown('/payments', {}, { key: 'A1', signal })
    assert.equal(reply.kind, 'unsent')
  })
})
