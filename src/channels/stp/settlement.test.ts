// Deposits that STP has not settled yet, has sent back, or that went to the operator's own account.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeRequest } from '../../../test/sandbox-driver.ts'
import { openStp, type StpWorld } from '../../../test/stp.ts'
import type { Watcher } from '../protocol.ts'
import { clabeOf } from './order-clabe.ts'

const MINUTE_MS = 60_000
const money = { amount: 845_20n, currency: 'MXN' }
let laterMs = 0
let world: StpWorld
before(async () => {
  world = await openStp({ now: () => new Date(Date.now() + laterMs) })
})
after(() => world.close())

async function waiting() {
  const request = makeRequest({ method: 'spei', money }, 'pays')
  const outcome = await world.channel.start(request)
  assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'transfer')
  return { request, clabe: outcome.action.account }
}

/** In a state of STP's, and not announced. */
async function transferred(estado: string) {
  const { request, clabe } = await waiting()
  world.stp.notifyAt('')
  await world.stp.deposit(clabe, money.amount)
  world.stp.notifyAt(world.receiver.url)
  const order = world.stp.book.received.at(-1) ?? assert.fail()
  order.estado = estado
  return { request, order }
}

const watcherOf = (changes?: object): Watcher => world.connect(changes).watcher ?? assert.fail()
const work = (watcher: Watcher) => watcher.work(AbortSignal.timeout(10_000))
const kindOf = async ({ reference }: { reference: string }) =>
  (await world.channel.ask({ reference, money })).kind

describe('a deposit that STP has not settled', () => {
  it('is confirmed at once, and counts within a minute of its settlement', async () => {
    const watcher = watcherOf()
    await work(watcher)
    const { request, order } = await transferred('PA')
    assert.equal((await world.stp.announce(order)).text, '{"mensaje":"confirmar"}')
    assert.equal(await kindOf(request), 'pending')
    for (const [estado, kind] of [
      ['PA', 'pending'],
      ['LQ', 'received'],
    ] as const) {
      order.estado = estado
      laterMs += MINUTE_MS
      await work(watcher)
      assert.equal(await kindOf(request), kind, estado)
    }
    assert.deepEqual(await world.store.list('expected', { limit: 10 }), [])
  })

  it('is looked for on its day however long it takes, and counts once, with or without a message', async () => {
    const { request, order } = await transferred('PA')
    await work(watcherOf())
    assert.equal(await kindOf(request), 'pending')
    for (const _day of [1, 2, 3]) {
      laterMs += 24 * 60 * MINUTE_MS
      await work(watcherOf())
    }
    order.estado = 'TLQ'
    await work(watcherOf())
    const outcome = await world.channel.ask({ ...request, money })
    assert.ok(outcome.kind === 'received' && outcome.deposits.length === 1)
  })

  it('never counts if it is sent back, and raises no alarm', async () => {
    const { request, order } = await transferred('PA')
    assert.equal((await world.stp.announce(order)).status, 200)
    order.estado = 'D'
    await work(watcherOf())
    assert.equal(await kindOf(request), 'pending')
    assert.equal((await world.stp.announce(order)).status, 503)
    assert.deepEqual(await world.store.list('expected', { limit: 10 }), [])
  })
})

describe('a deposit that was counted', () => {
  it('and that STP sends back later is reported to the operator once', async () => {
    const { request, order } = await transferred('LQ')
    const watcher = watcherOf()
    await work(watcher)
    assert.equal(await kindOf(request), 'received')
    order.estado = 'D'
    laterMs += 15 * MINUTE_MS
    const told = new RegExp(`sent back 845.20 MXN .*${order.claveRastreo}.*${request.reference}`)
    await assert.rejects(() => work(watcher), told)
    laterMs += 15 * MINUTE_MS
    await work(watcher)
  })
})

describe("the operator's own account under the prefix", () => {
  it('is given to no order', async () => {
    const { request } = await waiting()
    const next = (await world.store.numberOf(request.reference)) + 1
    const ordenanteClabe = clabeOf('6461801234', next) ?? assert.fail()
    const [channel] = world.connect({ ordenanteClabe }).channels
    const colliding = makeRequest({ method: 'spei', money }, 'pays')
    assert.partialDeepStrictEqual(await channel?.start(colliding), { kind: 'failed', cause: 'refused' })
    assert.equal(await world.store.numberOf(colliding.reference), next)
    assert.equal((await channel?.start(makeRequest({ method: 'spei', money }, 'pays')))?.kind, 'pending')
  })

  it('pays no order, even one that got it earlier', async () => {
    // A new process reports the earlier return again.
    world.stp.book.received.splice(0)
    const { request, clabe } = await waiting()
    const own = { ordenanteClabe: clabe }
    world.stp.notifyAt('')
    await world.stp.deposit(clabe, money.amount)
    world.stp.notifyAt(world.receiver.url)
    await work(watcherOf(own))
    assert.equal(await kindOf(request), 'pending')
  })
})
