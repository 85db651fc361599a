// Tests a bank that misbehaves. A server on loopback acts as the bank's Pix API over HTTP.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { brCode } from '../../../../sandbox/pix/br-code.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectChannel, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import type { Callback } from '../../contract/channel.ts'

const closing: (() => void)[] = []
after(() => {
  for (const close of closing) close()
})

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address: AddressInfo | string | null = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}

function channelTo(url: string, timeoutMs = 60_000) {
  const settings = {
    name: 'pix-2',
    method: 'pix',
    url,
    clientId: 'c',
    clientSecret: 's',
    pixKey: 'shop@example.com',
    payeeName: 'Shop',
    payeeCity: 'Recife',
    webhookSecret: 'w',
  } as const
  return connectChannel(settings, 'pix', toolsWith({ timeoutMs }))
}

const request = () => makeRequest({ method: 'pix', money: { amount: 1_250n, currency: 'BRL' } }, 'pays')
type Answer = { status: number; body: string; headers?: Readonly<Record<string, string>> }
const isToken = ({ url }: IncomingMessage) => url === '/oauth/token'

describe('a Pix channel with a bad connection', () => {
  it('fails for certain without an access token', async () => {
    const cases = [
      ['http://127.0.0.1:1', 'unreachable'],
      [await serve(() => undefined), 'unreachable', 500],
      [await serve((_request, response) => response.writeHead(500).end()), 'unreachable'],
      [await serve((_request, response) => response.writeHead(401).end()), 'unauthorised'],
    ] as const
    for (const [url, cause, timeoutMs] of cases) {
      const outcome = await channelTo(url, timeoutMs).start(request())
      assert.equal(outcome.kind, 'failed')
      assert.equal(outcome.cause, cause)
    }
  })

  it('returns unknown for an older attempt when the connection is refused', async () => {
    const channel = channelTo('http://127.0.0.1:1')
    const attempt = request()
    const refund = { ...attempt, refundReference: 'R1', refund: attempt.money }
    const calls = [channel.ask(attempt), channel.cancel(attempt), channel.refund(refund)]
    for (const outcome of await Promise.all(calls)) assert.equal(outcome.kind, 'unknown')
  })

  it('fetches a new token when the bank refuses the old one, and repeats the call', async () => {
    const seen: string[] = []
    let tokens = 0
    const url = await serve((call, response) => {
      seen.push(`${call.method} ${call.url} ${call.headers.authorization}`)
      if (isToken(call)) {
        tokens += 1
        return response.end(JSON.stringify({ access_token: `t${tokens}`, expires_in: 600 }))
      }
      return response.writeHead(call.headers.authorization === 'Bearer t2' ? 404 : 401).end()
    })
    const { reference, money } = request()
    await channelTo(url).refund({ reference, money, refundReference: 'R1', refund: money })
    assert.deepEqual(
      seen.map((line) => line.replace(reference, 'X')),
      [
        'POST /oauth/token Basic Yzpz',
        'GET /cob/X Bearer t1',
        'POST /oauth/token Basic Yzpz',
        'GET /cob/X Bearer t2',
      ],
    )
  })

  it('returns unknown when the response is malformed', async () => {
    for (const [status, body] of [
      [200, '<html>'],
      [201, '{}'],
      [500, '{}'],
      [302, ''],
    ] as const) {
      const url = await serve((call, response) =>
        isToken(call)
          ? response.end('{"access_token":"t","expires_in":600}')
          : response.writeHead(status).end(body),
      )
      assert.equal((await channelTo(url).start(request())).kind, 'unknown', `${status} ${body}`)
    }
  })
})

it('does not remove a charge because something on the way does not find it: its payer may be about to pay', async () => {
  const calls: string[] = []
  const url = await serve((call, response) => {
    if (isToken(call)) return response.end('{"access_token":"t","expires_in":600}')
    calls.push(String(call.method))
    return response.writeHead(404).end('<html>')
  })
  assert.equal((await channelTo(url).ask(request())).kind, 'unknown')
  assert.deepEqual(calls, ['GET'])
})

it('opens a charge although the bank does not answer about its webhook', async () => {
  const url = await serve((call, response) => {
    if (isToken(call)) return response.end('{"access_token":"t","expires_in":600}')
    if (call.url?.startsWith('/webhook/')) return response
    return response.writeHead(call.method === 'GET' ? 404 : 400).end('{}')
  })
  const outcome = await channelTo(url, 6_000).start(request())
  assert.ok(outcome.kind === 'failed' && outcome.cause === 'refused', 'the bank was asked')
})

it('is refused only in the words of the bank, also if the bank refuses the query', async () => {
  const problem = JSON.stringify({ type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida' })
  const bearer = { 'www-authenticate': 'Bearer error="invalid_token"' }
  const outcomes = [
    [{ status: 400, body: problem }, { status: 400, body: problem }, 'refused'],
    [{ status: 422, body: problem }, { status: 403, body: problem }, 'refused'],
    [{ status: 400, body: problem }, { status: 401, body: '', headers: bearer }, 'refused'],
    [{ status: 401, body: '', headers: bearer }, { status: 401, body: '', headers: bearer }, 'unauthorised'],
    // The status 409 means that the txid is taken.
    [{ status: 409, body: problem }, { status: 403, body: problem }, 'unknown'],
    [{ status: 400, body: problem }, { status: 500, body: problem }, 'unknown'],
    [{ status: 400, body: problem }, { status: 403, body: '<html>' }, 'unknown'],
    [{ status: 400, body: '<html>' }, { status: 400, body: problem }, 'unknown'],
    [{ status: 401, body: '' }, { status: 401, body: '' }, 'unknown'],
    [{ status: 401, body: '<html>', headers: bearer }, { status: 401, body: '', headers: bearer }, 'unknown'],
  ] as const
  for (const [put, get, expected] of outcomes) {
    const url = await serve((call, response) => {
      if (isToken(call)) return response.end('{"access_token":"t","expires_in":600}')
      const { status, body, headers }: Answer = call.method === 'GET' ? get : put
      return response.writeHead(status, headers).end(body)
    })
    const outcome = await channelTo(url).start(request())
    const cause = outcome.kind === 'failed' ? outcome.cause : outcome.kind
    assert.equal(cause, expected, JSON.stringify([put, get]))
  }
})

it('removes a placeholder that an earlier call left behind, and so decides the attempt', async () => {
  const attempt = request()
  const left = { txid: attempt.reference, calendario: { expiracao: 1 }, valor: { original: '0.01' } }
  const url = await serve((call, response) => {
    if (isToken(call)) return response.end('{"access_token":"t","expires_in":600}')
    const status = call.method === 'PATCH' ? 'REMOVIDA_PELO_USUARIO_RECEBEDOR' : 'ATIVA'
    return response.end(JSON.stringify({ ...left, status }))
  })
  const outcome = await channelTo(url).ask(attempt)
  assert.equal(outcome.kind, 'failed')
  assert.equal(outcome.cause, 'cancelled')
})

describe('a charge that the bank does not remove', () => {
  const HOUR_MS = 3_600_000
  const attempt = request()
  const pixCopiaECola = brCode({ location: 'pix.bank.example/1', amount: '12.50', name: 'S', city: 'R' })
  const paid = {
    endToEndId: 'E9999999920261115120012345678901',
    valor: '12.50',
    horario: '2026-11-15T12:00:30.000Z',
  }
  const cobOf = (hours: number, changed: object = {}) => {
    const criacao = new Date(Date.now() - hours * HOUR_MS).toISOString()
    const calendario = { criacao, expiracao: 3_600 }
    const valor = { original: '12.50' }
    return { txid: attempt.reference, status: 'ATIVA', calendario, valor, pixCopiaECola, ...changed }
  }
  const serveCob = (cob: object) =>
    serve((call, response) => {
      if (isToken(call)) return response.end('{"access_token":"t","expires_in":600}')
      return response.writeHead(call.method === 'PATCH' ? 400 : 200).end(JSON.stringify(cob))
    })

  it('is cancelled once it has expired by any clock, because nobody can pay it', async () => {
    const placeholder = { valor: { original: '0.01' } }
    for (const cob of [cobOf(13.1), cobOf(13.1, { pix: [] }), cobOf(13.1, placeholder)]) {
      const outcome = await channelTo(await serveCob(cob)).cancel(attempt)
      assert.ok(outcome.kind === 'failed', outcome.kind)
      assert.equal(outcome.cause, 'cancelled')
    }
  })

  it('is unknown before that, and without a time that we can read', async () => {
    const timeless = [{}, { criacao: 'yesterday', expiracao: 1 }, { criacao: '2026-01-01T00:00:00Z' }]
    const changed = [...timeless.map((calendario) => ({ calendario })), { status: 'CONCLUIDA' }]
    const cobs = [cobOf(12.9), ...changed.map((one) => cobOf(13.1, one))]
    for (const cob of cobs) {
      const { kind } = await channelTo(await serveCob(cob)).cancel(attempt)
      assert.equal(kind, 'unknown', JSON.stringify(cob))
    }
  })

  it('is paid however old it is', async () => {
    const outcome = await channelTo(await serveCob(cobOf(99, { pix: [paid] }))).cancel(attempt)
    assert.equal(outcome.kind, 'received')
    const malformed = cobOf(99, { pix: [{ ...paid, valor: '?' }] })
    assert.equal((await channelTo(await serveCob(malformed)).cancel(attempt)).kind, 'unknown')
  })
})

describe('a message at the webhook', () => {
  const message = (path: string, body = '{"pix":[]}'): Callback => {
    return { method: 'POST', path, query: '', headers: {}, body }
  }

  it('is refused without the proof in its address, and triggers no query', async () => {
    let calls = 0
    const url = await serve((_request, response) => {
      calls += 1
      response.writeHead(500).end()
    })
    const txid = request().reference
    for (const path of ['/callbacks/pix-2', '/callbacks/pix-2/pix', '/callbacks/pix-2/AAAA/pix']) {
      const result = await channelTo(url).readCallback?.(message(path, JSON.stringify({ pix: [{ txid }] })))
      assert.equal(result?.kind, 'refused')
      assert.equal(result.answer.status, 401)
    }
    assert.equal(calls, 0)
  })

  it('is refused with 503 when the bank cannot be queried, so that it is sent again', async () => {
    let webhookUrl = ''
    const url = await serve((call, response) => {
      if (isToken(call)) return response.end('{"access_token":"t","expires_in":600}')
      call.on('data', (chunk) => {
        if (call.url?.startsWith('/webhook/')) ({ webhookUrl } = JSON.parse(String(chunk)))
      })
      return response.writeHead(call.url?.startsWith('/webhook/') ? 200 : 500).end('{}')
    })
    const channel = channelTo(url)
    const started = request()
    await channel.start(started)
    const path = `${new URL(webhookUrl).pathname}/pix`
    const body = JSON.stringify({ pix: [{ txid: started.reference, valor: '12.50' }] })
    const result = await channel.readCallback?.(message(path, body))
    assert.equal(result?.kind, 'refused')
    assert.equal(result.answer.status, 503)
    assert.equal((await channel.readCallback?.(message(path)))?.kind, 'accepted')
  })
})
