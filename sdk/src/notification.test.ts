// Notifications that the gateway's own functions sign, received by each kind of server that the SDK supports.
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { after, describe, it, test } from 'node:test'
import { fastify } from 'fastify'
import { signFields } from '../../src/money/merchants/sign-fields.ts'
import type { NotificationEvent } from '../../src/money/notifications/notification.ts'
import { composeBody, headersOf } from '../../src/money/notifications/wire.ts'
import { rsaPair } from '../../test/builders/rsa-keys.ts'
import { hasAmount, type Notification, verifyNotification } from './notification.ts'
import { notificationHandlers } from './notification-handlers.ts'
import { verifyReturn } from './returned.ts'
import { listen, signNotification } from './testing.ts'

const key = 'the key of a merchant'
const webhookSecret = `whsec_${Buffer.from('a webhook secret').toString('base64')}`
const secrets = { key, webhookSecret }
const order = { tradeNo: 'T1', merOrderNo: 'A-1' }
const paid = { ...order, code: '0', message: 'Payment succeeded & booked, 100 %' }
const refunded = {
  ...order,
  refundNo: 'R1',
  state: 0,
  message: '',
  refundAmount: '1.00',
  refundCurrency: 'USD',
}
const disputed = { ...order, code: '2', message: 'won', reason: '4853', currency: 'USD', amount: '1.00' }

type Sent = { readonly body: string; readonly headers: Record<string, string> }

async function sent(event: NotificationEvent, fields: Record<string, string | number>): Promise<Sent> {
  const body = await composeBody(event, fields, { kind: 'md5', key })
  return { body, headers: headersOf({ notificationId: 'N1', event, body, webhookSecret, at: new Date() }) }
}

describe('the amount of a notification', () => {
  const received = async (event: NotificationEvent, fields: Record<string, string | number>) =>
    await verifyNotification((await sent(event, fields)).body, { key })

  it('is compared as a number, and with its currency', async () => {
    const notification = await received('payment', { ...paid, currencyCode: 'USD', sourceAmount: '10.00' })
    const isOf = (amount: string, currency = 'USD') => hasAmount(notification, { amount, currency })
    assert.deepEqual(
      ['10.00', '10', '10.0'].map((amount) => isOf(amount)),
      [true, true, true],
    )
    assert.deepEqual(
      ['1.00', '1', '100', '10.01'].map((amount) => isOf(amount)),
      [false, false, false, false],
    )
    assert.equal(isOf('10.00', 'EUR'), false)
  })

  it('is missing if the merchant has not switched it on, and in other events', async () => {
    const expected = { amount: '10.00', currency: 'USD' }
    const without = [await received('payment', paid), await received('refund', refunded)]
    for (const one of without) assert.throws(() => hasAmount(one, expected), /carries no amount/)
  })
})

describe('a notification', () => {
  const cases: readonly [NotificationEvent, Record<string, string | number>, Notification['status']][] = [
    ['payment', paid, 'succeeded'],
    ['payment', { ...paid, code: '1' }, 'failed'],
    ['payout', paid, 'succeeded'],
    ['review', { ...paid, code: '3' }, 'information-asked'],
    ['refund', refunded, 'succeeded'],
    ['refund', { ...refunded, state: 1 }, 'failed'],
    ['chargeback', disputed, 'won'],
  ]
  for (const [event, fields, status] of cases) {
    it(`about a ${event} is recognised by its signature: ${status}`, async () => {
      const { body, headers } = await sent(event, fields)
      const expected = { event, status, data: fields, id: 'N1' }
      assert.deepEqual(await verifyNotification(body, secrets, headers), expected)
      assert.deepEqual(await verifyNotification(Buffer.from(body), secrets, new Headers(headers)), expected)
      assert.deepEqual(await verifyNotification(body, { key: ['the new key of the merchant', key] }), {
        ...expected,
        id: undefined,
      })
    })
  }

  it('of a merchant with RSA is signed by the platform', async () => {
    const { privateKey } = rsaPair('platform')
    const body = await composeBody('payment', paid, { kind: 'rsa', key: privateKey })
    const platformKey = String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }))
    assert.equal((await verifyNotification(body, { platformKey })).event, 'payment')
    await assert.rejects(
      verifyNotification(body.replace('A-1', 'A-2'), { platformKey }),
      /sign does not match/,
    )
  })

  it('is refused if anything of it was changed, is too old, or was parsed', async () => {
    const { body, headers } = await sent('payment', paid)
    await assert.rejects(verifyNotification(body.replace('code=0', 'code=1'), { key }), /sign does not match/)
    await assert.rejects(verifyNotification(body, { key: 'the key of another merchant' }), {
      next: 'check-keys',
    })
    await assert.rejects(verifyNotification(body, secrets), /webhook-signature does not match/)
    const forged = { ...headers, 'webhook-id': 'N2' }
    await assert.rejects(verifyNotification(body, secrets, forged), /webhook-signature does not match/)
    const at = new Date(Date.now() - 301_000)
    const late = headersOf({ notificationId: 'N1', event: 'payment', body, webhookSecret, at })
    await assert.rejects(verifyNotification(body, secrets, late), /webhook-timestamp/)
    await assert.rejects(verifyNotification('', { key }), /sign does not match/)
    await assert.rejects(verifyNotification('{', { key }), /not JSON/)
    await assert.rejects(verifyNotification('{"sign":5}', { key }), /sign does not match/)
    // In JavaScript, no type check stops a caller that passes a parsed body.
    await assert.rejects(Reflect.apply(verifyNotification, undefined, [paid, { key }]), /raw body/)
  })
})

test('the address that a payer returns to is verified, also if the shop has fields of the same names', async () => {
  const fields = { ...order, payCode: '0' }
  const sign = await signFields('return', fields, { kind: 'md5', key })
  const query = new URLSearchParams({ ...fields, sign })
  const returned = { status: 'succeeded', ...order }
  assert.deepEqual(await verifyReturn(`/thanks?tradeNo=own&cart=7&${query}`, { key }), returned)
  await assert.rejects(verifyReturn(`/thanks?${query}&payCode=1`, { key }), { next: 'check-keys' })
  await assert.rejects(verifyReturn('/thanks', { key }), { next: 'check-keys' })
})

describe('a server', () => {
  const received: Notification[] = []
  const errors: unknown[] = []
  const handlers = notificationHandlers(
    secrets,
    async (notification) => {
      if (notification.data.merOrderNo === 'broken') throw new Error('the shop is down')
      received.push(notification)
    },
    { onError: (error) => errors.push(error) },
  )
  const open: { close(): unknown }[] = []
  after(() => Promise.all(open.map((server) => server.close())))

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    open.push(server)
    await once(server, 'listening')
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/notify`
  }

  type Post = (sent: Sent) => Promise<{ readonly status: number; text(): Promise<string> }>
  const to =
    (url: string): Post =>
    (one) =>
      fetch(url, { method: 'POST', ...one })

  /** A server whose parser has read the request before the handler. */
  async function behindParser(parse: (text: string) => unknown): Promise<Post> {
    const url = await serve(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const parsed: IncomingMessage = Object.assign(request, { body: parse(text) })
      await handlers.express(parsed, response)
    })
    return to(url)
  }

  async function fastifyApp(): Promise<Post> {
    const app = fastify()
    app.register(handlers.fastify('/notify'))
    app.post('/other', async ({ body }) => body)
    open.push(app)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const headers = { 'content-type': 'application/json' }
    const other = await fetch(`${url}/other`, { method: 'POST', headers, body: '{"a":1}' })
    assert.deepEqual(await other.json(), { a: 1 }, 'other routes keep their parsers')
    return to(`${url}/notify`)
  }

  const webRequest = (one: Sent) => new Request('https://shop.example/notify', { method: 'POST', ...one })
  const servers: Readonly<Record<string, () => Promise<Post>>> = {
    "with Node's http": async () => to(await serve(handlers.node)),
    'with Express': async () => to(await serve(handlers.express)),
    'with Express behind express.raw()': () => behindParser((text) => Buffer.from(text)),
    'with Express behind a parser of another type': async () => {
      const listener: RequestListener = (request, response) =>
        handlers.express(Object.assign(request, { body: {} }), response)
      return to(await serve(listener))
    },
    'with Fastify': fastifyApp,
    'with Hono': async () => async (one) => {
      const raw = webRequest(one)
      return handlers.hono({ req: { raw, arrayBuffer: () => raw.arrayBuffer() } })
    },
    'with Next': async () => (one) => handlers.next(webRequest(one)),
  }
  for (const [name, start] of Object.entries(servers)) {
    it(`${name} acknowledges what is genuine, and what the shop accepted`, async () => {
      const post = await start()
      for (const [event, fields] of [
        ['payment', paid],
        ['refund', refunded],
      ] as const) {
        received.length = 0
        const answer = await post(await sent(event, fields))
        assert.deepEqual(
          { status: answer.status, text: await answer.text() },
          { status: 200, text: 'SUCCESS' },
        )
        assert.deepEqual(received, [{ event, status: 'succeeded', data: fields, id: 'N1' }])
      }
      const genuine = await sent('payment', paid)
      errors.length = 0
      assert.equal((await post({ ...genuine, body: genuine.body.replace('T1', 'T2') })).status, 400)
      assert.equal((await post(await sent('payment', { ...paid, merOrderNo: 'broken' }))).status, 500)
      assert.equal(errors.length, 2)
    })
  }

  it('that parsed the body before gets an error that says so', async () => {
    const post = await behindParser((text) => Object.fromEntries(new URLSearchParams(text)))
    errors.length = 0
    assert.equal((await post(await sent('payment', paid))).status, 500)
    assert.match(String(errors[0]), /parsed before the handler/)
  })

  it('that gets more than a notification can be stops reading', async () => {
    const post = to(await serve(handlers.node))
    assert.equal((await post({ body: 'x'.repeat(70_000), headers: {} })).status, 500)
  })
})

test('a test makes signed notifications and listens for them', async () => {
  const listener = await listen(secrets)
  const post = async (one: { readonly body: string; readonly headers: Readonly<Record<string, string>> }) =>
    (await fetch(listener.url, { method: 'POST', ...one })).status
  const isRefund = ({ event }: Notification) => event === 'refund'
  const next = listener.next(isRefund)
  const data = { ...order, code: '0', message: 'Paid' } as const
  assert.equal(await post(await signNotification('payment', data, secrets)), 200)
  assert.equal(await post(await signNotification('refund', { ...refunded, state: 1 }, secrets)), 200)
  assert.equal(
    await post(await signNotification('payment', data, { ...secrets, key: 'the key of a stranger' })),
    400,
  )
  assert.deepEqual(
    { event: (await next).event, status: (await next).status },
    { event: 'refund', status: 'failed' },
  )
  assert.equal((await listener.next()).event, 'payment')
  assert.deepEqual(
    { received: listener.received.length, refused: listener.refused.length },
    { received: 2, refused: 1 },
  )
  await assert.rejects(
    listener.next(({ event }) => event === 'payout', 5),
    /no such notification/,
  )
  await listener.close()
})
