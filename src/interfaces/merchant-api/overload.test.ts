// A request takes a place in its gate after its signature is verified, and keeps the place until the response, whatever
// the response is.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../test/harness/eventually.ts'
import { aCardPayment, buildFrame, MER_NO, signed } from '../../../test/harness/merchant-frame.ts'
import { rawClient } from '../../../test/harness/raw-client.ts'
import { Gate } from '../../platform/concurrency/gate.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Handler } from './frame.ts'

const aQuery = signed({ merNo: MER_NO, version: 'V3.0.0' }, ['merNo', 'version'])

function payment(merOrderNo: string) {
  return signed(aCardPayment({ merOrderNo }))
}

async function open(handler: Handler, gate = new Gate({ most: 1 })) {
  const queryGate = new Gate({ most: 1 })
  const handlers = { '/payment': handler, '/balance/query': handler }
  return { gate, queryGate, ...(await buildFrame({ gate, queryGate, handlers })) }
}

/** Returns a handler that answers only after it is released. */
function waiting() {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const handler: Handler = async () => {
    reach()
    await promise
    return { data: {} }
  }
  return { handler, reached, release }
}

it('is refused with 503 when the places are taken, and is accepted once they are free', async () => {
  const { handler, reached, release } = waiting()
  const { post, gate } = await open(handler)
  const first = post('/payment', payment('A'))
  await reached
  const second = await post('/payment', payment('B'))
  assert.deepEqual(
    { status: second.status, code: second.body.code, retryAfter: second.headers['retry-after'] },
    { status: 503, code: '99999', retryAfter: '1' },
  )
  assert.match(second.body.message, /nothing was stored, try again/)
  release()
  assert.equal((await first).body.code, '00000')
  assert.equal(gate.underWay, 0)
  assert.equal((await post('/payment', payment('B'))).body.code, '00000')
})

it('is accepted when the others wait for their channels', async () => {
  const gate = new Gate({ most: 3, mostWorking: 1 })
  const { handler, reached, release } = waiting()
  const { post } = await open(handler, gate)
  const first = post('/payment', payment('A'))
  await reached
  assert.equal((await post('/payment', payment('B'))).status, 503)
  gate.callBegan()
  const second = post('/payment', payment('B'))
  assert.ok(await eventually(() => gate.underWay === 2))
  gate.callEnded()
  release()
  for (const { body } of await Promise.all([first, second])) assert.equal(body.code, '00000')
  assert.equal(gate.underWay, 0)
})

const forged = { ...aCardPayment(), sign: 'F'.repeat(32) }

it('takes no place if its signature is wrong', async () => {
  const { handler, reached, release } = waiting()
  const { post, gate } = await open(handler)
  const forgeries = await Promise.all([1, 2, 3].map(() => post('/payment', forged)))
  assert.deepEqual(
    forgeries.map(({ body }) => body.code),
    Array(3).fill('10015'),
  )
  const real = post('/payment', payment('A'))
  await reached
  // This network has sent valid signatures. Therefore the request is refused before its signature is verified.
  assert.equal((await post('/payment', forged)).status, 503)
  assert.equal(gate.underWay, 1)
  release()
  assert.equal((await real).body.code, '00000')
})

it('from a stranger is refused for its signature, also when the places are taken', async () => {
  const gate = new Gate({ most: 1 })
  const { app, post } = await buildFrame({ mode: 'live', gate })
  gate.enter(MER_NO)
  const sendFrom = async (remoteAddress: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', referer: 'https://shop.example/cart' }
    const sent = { method: 'POST', url: '/payment', remoteAddress, headers } as const
    const answer = await app.inject({ ...sent, payload: JSON.stringify(body) })
    return answer.json<{ code: string }>().code
  }
  assert.equal(await sendFrom('192.0.2.1', forged), '10015')
  assert.equal(await sendFrom('192.0.2.2', payment('A')), '99999')
  assert.equal(await sendFrom('192.0.2.2', forged), '99999')
  assert.equal(await sendFrom('192.0.2.1', forged), '10015')
  gate.leave(MER_NO)
  assert.equal((await post('/payment', payment('A'))).body.code, '00000')
})

it('is answered while no more orders are taken if it is a query, up to a bound of its own', async () => {
  const { handler, reached, release } = waiting()
  const { post, queryGate } = await open(handler)
  const paying = post('/payment', payment('A'))
  await reached
  const query = post('/balance/query', aQuery)
  assert.ok(await eventually(() => queryGate.underWay === 1))
  const another = await post('/balance/query', aQuery)
  assert.equal(another.status, 503)
  release()
  for (const { body } of await Promise.all([paying, query])) assert.equal(body.code, '00000')
  assert.equal(queryGate.underWay, 0)
})

const ends: readonly (readonly [string, Handler, string])[] = [
  ['a refusal', async () => Promise.reject(new Refusal('10013')), '10013'],
  ['a failure of the order', async () => ({ failure: new Refusal('99998') }), '99998'],
  ['a fault', async () => Promise.reject(new Error('broken')), '99999'],
]
for (const [what, handler, code] of ends) {
  it(`leaves its place with ${what}`, async () => {
    const { post, gate } = await open(handler)
    assert.equal((await post('/payment', payment('A'))).body.code, code)
    assert.equal(gate.underWay, 0)
  })
}

it('leaves its place when a field is wrong', async () => {
  const { post, gate } = await open(async () => ({ data: {} }))
  const wrong = signed(aCardPayment({ billingCity: '' }))
  assert.equal((await post('/payment', wrong)).body.code, '10002')
  assert.equal(gate.underWay, 0)
})

it('is answered while more strangers than may wait request a page', async (t) => {
  const routes = (app: FastifyInstance) => void app.get('/page', () => new Promise(() => {}))
  const { app } = await buildFrame({ server: { routes } })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(address).port)
  const page = 'GET /page HTTP/1.1\r\nHost: x\r\n\r\n'
  const strangers = await Promise.all(Array.from({ length: 1_100 }, () => rawClient(port, page)))
  t.after(() => {
    for (const { socket } of strangers) socket.destroy()
    return app.close()
  })
  const refusals: string[] = []
  for (const stranger of strangers) void stranger.ended().then((text) => refusals.push(text))
  assert.ok(await eventually(() => refusals.length > 0))
  assert.match(refusals[0] ?? '', /^HTTP\/1.1 503 .*retry-after: 1\r\n.*too many requests wait/is)
  const headers = { 'content-type': 'application/json', referer: 'https://shop.example/cart' }
  const body = JSON.stringify(payment('A'))
  const paid = await fetch(`${address}/payment`, { method: 'POST', headers, body })
  assert.match(await paid.text(), /"code":"00000"/)
})
