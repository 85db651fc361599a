// STP's cut-off in the evening. After the cut-off, STP's current day is the next working day.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import {
  type FaultyProxy,
  loseAnswer,
  openFaultyProxy,
  respond,
} from '../../../../test/counterparties/faulty-proxy.ts'
import { countSent, openStp, type StpWorld, stpPayout } from '../../../../test/counterparties/stp.ts'

const money = { amount: 845_20n, currency: 'MXN' }
/** Times in Mexico. The days are a Monday, a Tuesday and a Friday. */
const monday = (time: string) => new Date(`2026-11-16T${time}:00-06:00`)
const tuesday = (time: string) => new Date(`2026-11-17T${time}:00-06:00`)
const friday = (time: string) => new Date(`2026-11-13T${time}:00-06:00`)

let now = monday('17:55')
let world: StpWorld
let proxy: FaultyProxy
before(async () => {
  world = await openStp({ now: () => now })
  proxy = await openFaultyProxy(`${world.url}/stp`)
})
afterEach(() => {
  world.stp.book.refusesToday = false
})
after(async () => {
  await proxy.close()
  await world.close()
})

/** Sends the payout, but loses STP's response. */
async function sendWithoutResponse(request: ReturnType<typeof stpPayout>) {
  proxy.meet(loseAnswer, (path) => path.endsWith('/registra'))
  assert.equal((await world.rail({ url: proxy.url }).send(request)).kind, 'unknown')
  assert.equal(countSent(world, request.reference), 1)
}

describe('an order whose response was lost', () => {
  it('before the cut-off is found after it, and not sent again', async () => {
    const request = stpPayout()
    now = monday('17:55')
    await sendWithoutResponse(request)
    for (const later of [monday('18:10'), monday('23:59'), tuesday('00:01'), tuesday('18:10')]) {
      now = later
      const { kind } = await world.rail().send(request)
      assert.ok(kind === 'processing' || kind === 'succeeded', `${now.toISOString()}: ${kind}`)
    }
    assert.equal(countSent(world, request.reference), 1)
  })

  it('on the evening before a weekend is found on the evening of the day that it belongs to', async () => {
    const request = stpPayout()
    now = friday('18:30')
    await sendWithoutResponse(request)
    for (const later of [friday('18:40'), monday('09:00'), monday('18:10')]) {
      now = later
      const { kind } = await world.rail().send(request)
      assert.ok(kind === 'processing' || kind === 'succeeded', `${now.toISOString()}: ${kind}`)
    }
    assert.equal(countSent(world, request.reference), 1)
  })
})

describe('an order that STP never got', () => {
  it('is unknown while STP refuses to be asked about its day, and sent once that day is past', async () => {
    const request = stpPayout()
    now = monday('17:50')
    proxy.meet(respond(500), (path) => path.endsWith('/registra'))
    assert.equal((await world.rail({ url: proxy.url }).send(request)).kind, 'unknown')
    world.stp.book.refusesToday = true
    assert.equal((await world.rail().ask(request.reference)).kind, 'unknown')
    assert.equal((await world.rail().send(request)).kind, 'unknown')
    assert.equal(countSent(world, request.reference), 0)
    now = monday('18:10')
    assert.equal((await world.rail().send(request)).kind, 'processing')
    assert.equal(countSent(world, request.reference), 1)
  })
})

describe('a deposit before the cut-off', () => {
  async function transferred() {
    const request = makeRequest({ method: 'spei', money }, 'pays')
    const waiting = await world.channel.start(request)
    assert.ok(waiting.kind === 'pending' && waiting.action.kind === 'transfer')
    world.stp.notifyAt('')
    await world.stp.deposit(waiting.action.account, money.amount)
    world.stp.notifyAt(world.receiver.url)
    return { request, order: world.stp.book.received.at(-1) ?? assert.fail() }
  }

  it('is found after it, by its message and without', async () => {
    for (const refusesToday of [false, true]) {
      world.stp.book.refusesToday = refusesToday
      now = monday('17:55')
      const [announced, silent] = [await transferred(), await transferred()]
      now = monday('18:10')
      assert.equal((await world.stp.announce(announced.order)).text, '{"mensaje":"confirmar"}')
      await world.connect().watcher?.work(AbortSignal.timeout(10_000))
      for (const { request } of [announced, silent])
        assert.equal((await world.channel.ask(request)).kind, 'received')
    }
  })

  it('is found before it while STP refuses to list its current day by name', async () => {
    world.stp.book.refusesToday = true
    now = monday('17:55')
    const { request, order } = await transferred()
    assert.equal((await world.stp.announce(order)).text, '{"mensaje":"confirmar"}')
    await world.connect().watcher?.work(AbortSignal.timeout(10_000))
    assert.equal((await world.channel.ask(request)).kind, 'received')
  })

  it('is found at the latest two days later, though STP answered about its day without a list until then', async () => {
    now = monday('17:55')
    const { request } = await transferred()
    const noList = '{"resultado":{"id":0,"descripcionError":"Error interno"}}'
    proxy.meet(async (forward, { body }) =>
      body.includes('"fechaOperacion":20261116') ? { status: 200, headers: {}, body: noList } : forward(),
    )
    const work = () => world.connect({ url: proxy.url }).watcher?.work(AbortSignal.timeout(10_000))
    for (const later of [monday('18:10'), tuesday('09:00'), tuesday('23:00')]) {
      now = later
      await work()
      assert.equal((await world.channel.ask(request)).kind, 'pending')
    }
    now = new Date('2026-11-18T09:00:00-06:00')
    await assert.rejects(async () => work(), /did not list/)
    proxy.meet(undefined)
    await work()
    assert.equal((await world.channel.ask(request)).kind, 'received')
  })

  it('is found though STP does not list the day of another one that it has not settled', async () => {
    now = monday('12:00')
    const open = await transferred()
    open.order.estado = 'PA'
    await world.connect().watcher?.work(AbortSignal.timeout(10_000))
    for (const later of [new Date('2026-11-18T12:00:00-06:00'), new Date('2026-11-20T12:00:00-06:00')]) {
      now = later
      await world.connect().watcher?.work(AbortSignal.timeout(10_000))
    }
    const { request } = await transferred()
    proxy.meet(async (forward, { body }) =>
      body.includes('"fechaOperacion":20261116') ? { status: 500, headers: {}, body: '' } : forward(),
    )
    await assert.rejects(async () =>
      world.connect({ url: proxy.url }).watcher?.work(AbortSignal.timeout(10_000)),
    )
    proxy.meet(undefined)
    assert.equal((await world.channel.ask(request)).kind, 'received')
  })
})
