import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/harness/eventually.ts'
import { rawClient } from '../../../../test/harness/raw-client.ts'
import { FairQueue, type FairQueueOptions } from './fair-queue.ts'

/** Opens a server whose requests all go through the queue. The path of a request is `/network/name`. */
async function open(
  t: TestContext,
  options: Partial<FairQueueOptions>,
  serve: (response: ServerResponse, name: string) => void,
) {
  const queue = new FairQueue(options)
  const [began, refused]: [string[], string[]] = [[], []]
  const responses: ServerResponse[] = []
  let entered = 0
  const server = createServer((request, response) => {
    const [, network = '', name = ''] = request.url?.split('/') ?? []
    const isIn = queue.enter(network, response, () => {
      began.push(name)
      responses.push(response)
      serve(response, name)
    })
    entered++
    if (isIn) return
    refused.push(name)
    response.writeHead(503).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    began,
    refused,
    responses,
    release: () => responses[0]?.end(),
    send: (network: string, name: string) =>
      rawClient(port, `GET /${network}/${name} HTTP/1.1\r\nhost: x\r\n\r\n`),
    entered: (count: number) => eventually(() => entered === count),
    begun: (count: number) => eventually(() => began.length === count),
  }
}

const never = () => {}
/** Answers every request but `first`, which takes the only place until the test releases it. */
const hold = (response: ServerResponse, name: string) => {
  if (name !== 'first') response.end()
}

function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('requests without a signature', () => {
  it('begin one per turn of the event loop, so that a payment waits for at most one', async (t) => {
    let turn = 0
    const turns: number[] = []
    const { send, begun } = await open(t, { mostAtWork: 100 }, (response) => {
      turns.push(turn)
      response.end()
    })
    let counting = true
    const count = () => {
      turn++
      if (counting) setImmediate(count)
    }
    count()
    await Promise.all(Array.from({ length: 50 }, (_, at) => send('a', `${at}`)))
    assert.ok(await begun(50))
    counting = false
    assert.equal(new Set(turns).size, 50)
  })

  it('get a third of the main thread, by the time that each of them took', async (t) => {
    const times: number[] = []
    const { send, begun } = await open(t, { burstMs: 0 }, async (response) => {
      times.push(performance.now())
      // The work after a promise counts too.
      await Promise.resolve()
      work(10)
      response.end()
    })
    await Promise.all(['1', '2', '3', '4', '5'].map((name) => send('a', name)))
    assert.ok(await begun(5))
    const tookMs = (times[4] ?? 0) - (times[0] ?? 0)
    assert.ok(tookMs >= 4 * 30, `four requests of 10 ms each took ${tookMs} ms`)
  })

  it('work a few at a time, until their response begins or they wait for a counterparty', async (t) => {
    const queue = await open(t, { mostAtWork: 2, placeMs: 60_000 }, never)
    const { send, began, entered, begun, responses } = queue
    for (const name of ['1', '2', '3', '4']) await send('a', name)
    assert.ok(await entered(4))
    assert.deepEqual(began, ['1', '2'])
    responses[0]?.end()
    assert.ok(await begun(3))
    // The head is sent, so the request gives up its place. Its stream continues.
    responses[1]?.flushHeaders()
    assert.ok(await begun(4))
    const slow = await open(t, { mostAtWork: 1, placeMs: 20 }, never)
    for (const name of ['1', '2', '3']) await slow.send('a', name)
    assert.ok(await slow.begun(3))
  })

  it('of a network that floods delay only that network', async (t) => {
    const { send, began, entered, begun, release } = await open(t, { mostAtWork: 1, placeMs: 60_000 }, hold)
    await send('flood', 'first')
    await Promise.all(Array.from({ length: 200 }, () => send('flood', 'more')))
    await send('payer', 'payer')
    assert.ok(await entered(202))
    release()
    assert.ok(await begun(202))
    assert.equal(began.indexOf('payer'), 2)
  })

  it('are refused when too many of their network wait, or too many in all', async (t) => {
    const bounds = { mostAtWork: 1, placeMs: 60_000, mostOfNetwork: 2, mostWaiting: 3 }
    const { send, refused, entered } = await open(t, bounds, never)
    for (const name of ['work', 'a1', 'a2', 'a3']) await send('a', name)
    assert.ok(await entered(4))
    for (const name of ['b1', 'b2']) await send('b', name)
    assert.ok(await entered(6))
    assert.deepEqual(refused, ['a3', 'b2'])
  })

  it('do not begin after their client has left', async (t) => {
    const { send, began, entered, begun, release } = await open(t, { mostAtWork: 1, placeMs: 60_000 }, hold)
    await send('a', 'first')
    const { socket } = await send('a', 'left')
    await send('a', 'stays')
    assert.ok(await entered(3))
    socket.resetAndDestroy()
    await sleep(50)
    release()
    assert.ok(await begun(2))
    assert.deepEqual(began, ['first', 'stays'])
  })

  it('begin immediately on a quiet gateway', async (t) => {
    const { send, begun } = await open(t, {}, (response) => response.end())
    await send('a', '1')
    assert.ok(await begun(1))
  })
})
