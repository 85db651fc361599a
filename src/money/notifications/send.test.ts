import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { selfSigned } from '../../../test/builders/self-signed.ts'
import { behaviours, openReceiver, type Receiver } from '../../../test/counterparties/receiver.ts'
import { type AddressGuardOptions, createAddressGuard } from '../../platform/http/client/address-guard.ts'
import { openPosting } from '../../platform/http/client/posting.ts'
import type { Resolve } from '../../platform/http/client/resolve-name.ts'
import { createSender, type Sender, type SendOutcome } from './send.ts'

/** Two time-outs: HASTY_MS for tests in which no response comes, PATIENT_MS for all other tests. */
const [HASTY_MS, PATIENT_MS] = [2_000, 600_000]
let receiver: Receiver
before(async () => {
  receiver = await openReceiver()
  for (const [name, behaviour] of Object.entries(behaviours)) receiver.on(`/${name}`, behaviour)
})
after(() => receiver.close())

type Changes = Partial<AddressGuardOptions> & { readonly ca?: string; readonly timeoutMs?: number }

function open(t: TestContext, { ca, timeoutMs = PATIENT_MS, ...changes }: Changes = {}): Sender {
  const guard = createAddressGuard({ loopbackAllowed: true, allow: [], ports: 'any', ...changes })
  const sender = createSender({ posting: openPosting(guard, { ca }), timeoutMs })
  t.after(() => sender.close())
  return sender
}

function post(sender: Sender, url: string): Promise<SendOutcome> {
  return sender.send({ url: new URL(url), headers: { 'content-length': '4' }, body: 'a=b&' })
}

describe('an attempt ends, whatever the other side does:', () => {
  const answers: readonly (readonly [keyof typeof behaviours, Partial<SendOutcome>])[] = [
    ['ok', { status: 200, answer: 'SUCCESS', error: undefined, unreachable: false }],
    ['wrongBody', { status: 200, answer: 'OK', error: undefined }],
    ['error', { status: 500, error: undefined, unreachable: false }],
    ['redirect', { status: 302, error: undefined }],
    ['hang', { status: undefined, error: 'no answer within 2000 ms', unreachable: true }],
    ['drip', { status: 200, error: 'no answer within 2000 ms', unreachable: true }],
    ['huge', { status: 200, error: 'answered 200 with more than 1024 bytes', unreachable: false }],
    ['reset', { status: undefined, unreachable: true }],
  ]
  for (const [name, expected] of answers) {
    test(name, async (t) => {
      const timeoutMs = name === 'hang' || name === 'drip' ? HASTY_MS : PATIENT_MS
      const outcome = await post(open(t, { timeoutMs }), `${receiver.url}/${name}`)
      for (const [part, value] of Object.entries(expected)) {
        assert.equal(outcome[part === 'status' ? 'status' : toPart(part)], value, part)
      }
      assert.ok(outcome.answer.length <= 1_024)
    })
  }

  function toPart(name: string): keyof SendOutcome {
    const parts = ['latencyMs', 'status', 'answer', 'error', 'unreachable'] as const
    const part = parts.find((one) => one === name)
    if (part === undefined) throw new Error(`an outcome has no ${name}`)
    return part
  }

  test('a redirect is not followed', async (t) => {
    const before = receiver.received('/ok').length
    await post(open(t), `${receiver.url}/redirect`)
    assert.equal(receiver.received('/ok').length, before)
  })

  test('no server listens on the port', async (t) => {
    const outcome = await post(open(t), 'http://127.0.0.1:1/')
    assert.match(outcome.error ?? '', /^the connection was refused: .*ECONNREFUSED/)
    assert.equal(outcome.unreachable, true)
  })
})

test('a connection is reused, and replaced if the server has closed it meanwhile', async (t) => {
  const sender = open(t)
  let connections = 0
  const server = createServer((socket) => {
    connections++
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', () => {
      // The server resets the connection at its third request.
      if (++requests === 3) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nSUCCESS')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  for (let sent = 0; sent < 3; sent++) {
    const outcome = await post(sender, `http://127.0.0.1:${address.port}/`)
    assert.equal(outcome.answer, 'SUCCESS', String(outcome.error))
  }
  assert.equal(connections, 2)
})

describe('no private address is reached:', () => {
  const leadingTo =
    (...addresses: string[]): Resolve =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

  /** Opens a listener on loopback. The listener represents an internal server, which must receive no connection. */
  async function listener(t: TestContext): Promise<{ port: number; connections: () => number }> {
    let connections = 0
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      connections++
      sockets.push(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    return { port: address.port, connections: () => connections }
  }

  const names: readonly (readonly string[])[] = [
    ['127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['::1', '127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
  ]
  for (const addresses of names) {
    test(`a name that resolves to ${addresses.join(' and ')}`, async (t) => {
      const { port, connections } = await listener(t)
      const sender = open(t, { loopbackAllowed: false, resolve: leadingTo(...addresses) })
      const outcome = await post(sender, `http://shop.example:${port}/`)
      assert.match(outcome.error ?? '', /private or reserved/)
      assert.equal(outcome.unreachable, false)
      assert.equal(connections(), 0)
    })
  }

  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'localhost']) {
    test(`http://${host}`, async (t) => {
      const { port, connections } = await listener(t)
      const outcome = await post(open(t, { loopbackAllowed: false }), `http://${host}:${port}/`)
      assert.match(outcome.error ?? '', /private or reserved/)
      assert.equal(connections(), 0)
    })
  }

  test('a name is resolved once per connection, which uses the checked address', async (t) => {
    let asked = 0
    const rebinding: Resolve = async () => [{ address: ++asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    const outcome = await post(open(t, { resolve: rebinding }), `http://shop.example:${port()}/ok`)
    assert.equal(outcome.answer, 'SUCCESS', String(outcome.error))
    assert.equal(asked, 1)
  })

  test('an internal address that the operator has allowed is reached', async (t) => {
    const sender = open(t, { loopbackAllowed: false, allow: ['127.0.0.0/8'] })
    assert.equal((await post(sender, `${receiver.url}/ok`)).answer, 'SUCCESS')
  })

  test('a port that is not allowed is not tried', async (t) => {
    const { port: inner, connections } = await listener(t)
    const outcome = await post(open(t, { ports: [443] }), `http://127.0.0.1:${inner}/`)
    assert.match(outcome.error ?? '', /port \d+ is not allowed/)
    assert.equal(connections(), 0)
  })

  test('proxy settings of the environment are ignored', async (t) => {
    const { port: proxy, connections } = await listener(t)
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) {
      process.env[name] = `http://127.0.0.1:${proxy}`
      t.after(() => delete process.env[name])
    }
    process.env.NODE_USE_ENV_PROXY = '1'
    t.after(() => delete process.env.NODE_USE_ENV_PROXY)
    assert.equal((await post(open(t), `${receiver.url}/ok`)).answer, 'SUCCESS')
    assert.equal(connections(), 0)
  })

  function port(): string {
    return new URL(receiver.url).port
  }
})

test('a self-signed certificate is refused, and a trusted one is accepted', async (t) => {
  const server = createHttpsServer(selfSigned, (_request, response) => response.end('SUCCESS'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const url = `https://localhost:${address.port}/`
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  assert.match((await post(open(t), url)).error ?? '', /self-signed/)
  assert.equal((await post(open(t, { ca: selfSigned.cert }), url)).answer, 'SUCCESS')
})
