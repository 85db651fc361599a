// Deposits that STP has not settled yet or has sent back, and deposits to the operator's own account.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openStp, type StpWorld } from '../../../../test/counterparties/stp.ts'
import type { Watcher } from '../../contract/protocol.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { clabeOf } from '../../toolkit/formats/clabe.ts'

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

/** Makes a payment and a deposit in this state at STP, without a webhook. */
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

/** Returns a store that throws after each write of a return, as if the process had died. */
const mortal = (store: ChannelStore): ChannelStore => ({
  ...store,
  async write(changes, ask) {
    const changed = await store.write(changes, ask)
    if (changes.some((change) => 'add' in change && change.add.kind === 'taken-back'))
      throw new Error('the process died')
    return changed
  },
})

const refundOf = (request: { reference: string }, amount: bigint) => ({
  reference: request.reference,
  money,
  refundReference: makeReference(),
  refund: { amount, currency: 'MXN' },
})

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

describe('a deposit that nobody can read', () => {
  it('is reported to the operator once, looked for on its day, and counts once it can be read', async () => {
    const { request, order } = await transferred('ZZ')
    world.told.length = 0
    for (const _day of [1, 2, 3, 4]) {
      await work(watcherOf())
      laterMs += 24 * 60 * MINUTE_MS
    }
    assert.equal(world.told.length, 1)
    assert.match(world.told[0] ?? '', new RegExp(`^${request.reference}: .*${order.claveRastreo}`))
    assert.equal(await kindOf(request), 'pending')
    order.estado = 'LQ'
    await work(watcherOf())
    const outcome = await world.channel.ask({ ...request, money })
    assert.ok(outcome.kind === 'received' && outcome.deposits.length === 1)
  })

  it('is reported again when it is not looked for any more', async () => {
    const { request, order } = await transferred('PA')
    await work(watcherOf())
    world.told.length = 0
    for (const days of [15, 16, 0]) {
      laterMs += days * 24 * 60 * MINUTE_MS
      await work(watcherOf())
    }
    assert.equal(world.told.length, 1)
    assert.match(world.told[0] ?? '', new RegExp(`^${request.reference}: .*not counted within 30 days`))
    // STP repeats the webhook.
    await world.stp.announce(order)
    assert.deepEqual(await world.store.listOf('expected', request.reference), [])
  })

  it('counts if it was settled in a stop long after it came', async () => {
    const { request, order } = await transferred('PA')
    await work(watcherOf())
    laterMs += 15 * 24 * 60 * MINUTE_MS
    await work(watcherOf())
    laterMs += 20 * 24 * 60 * MINUTE_MS
    order.estado = 'LQ'
    world.told.length = 0
    await work(watcherOf())
    assert.equal(await kindOf(request), 'received')
    assert.deepEqual(world.told, [])
  })

  it('is not looked for again after a stop of 30 days, and counts if it was settled meanwhile', async () => {
    for (const days of [30, 31]) {
      const { request } = await transferred('PA')
      const odd = await transferred('ZZ')
      const settled = await transferred('PA')
      await work(watcherOf())
      const read = await world.store.find({ kind: 'read', key: 'received' })
      assert.ok(read)
      laterMs += days * 24 * 60 * MINUTE_MS
      settled.order.estado = 'LQ'
      world.told.length = 0
      await work(watcherOf())
      // The record of the last reading is reset, as if STP's lists had failed in this round.
      await world.store.write([{ put: read }])
      await work(watcherOf())
      for (const one of [request, odd.request]) {
        assert.equal(world.told.filter((what) => what.startsWith(`${one.reference}: `)).length, 1)
        assert.deepEqual(await world.store.listOf('expected', one.reference), [])
      }
      assert.equal(await kindOf(settled.request), 'received')
      assert.equal(world.told.length, 2, 'what was counted is not reported')
    }
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
    world.told.length = 0
    await work(watcher)
    laterMs += 15 * MINUTE_MS
    await work(watcher)
    await work(watcherOf())
    assert.equal(world.told.length, 1)
    assert.match(
      world.told[0] ?? '',
      new RegExp(`^${request.reference}: .*sent back 845.20 MXN .*${order.claveRastreo}`),
    )
    assert.equal(await kindOf(request), 'pending')
    assert.partialDeepStrictEqual(await world.channel.refund(refundOf(request, money.amount)), {
      kind: 'failed',
      message: 'More than the payer sent and was not refunded yet',
    })
  })

  it('and that STP sends back is reported although the process dies in between', async () => {
    const { order } = await transferred('LQ')
    await work(watcherOf())
    order.estado = 'D'
    world.told.length = 0
    const dying: Watcher = world.connect({}, undefined, mortal).watcher ?? assert.fail()
    await assert.rejects(() => work(dying), /the process died/)
    await work(watcherOf())
    await work(watcherOf())
    const told = new RegExp(`sent back 845.20 MXN .*${order.claveRastreo}`)
    assert.ok(world.told.length > 0 && world.told.every((one) => told.test(one)))
  })

  it('goes back to the accounts that sent it, to each no more than its own', async () => {
    const { request, clabe } = await waiting()
    for (const [cuentaOrdenante, centavos] of [
      ['032180000118359719', 600_00n],
      ['032180000118359887', 400_00n],
    ] as const) {
      world.stp.notifyAt('')
      await world.stp.deposit(clabe, centavos)
      world.stp.notifyAt(world.receiver.url)
      const order = world.stp.book.received.at(-1) ?? assert.fail()
      Object.assign(order.fields, { cuentaOrdenante })
      laterMs += MINUTE_MS
      assert.equal((await world.stp.announce(order)).status, 200)
    }
    const whole = await world.channel.refund(refundOf(request, 1_000_00n))
    assert.ok(whole.kind === 'failed' && /at most 600\.00 MXN at once/.test(whole.message))
    const refunds = [refundOf(request, 500_00n), refundOf(request, 300_00n)]
    for (const refund of refunds) assert.equal((await world.channel.refund(refund)).kind, 'pending')
    const sent = [...world.stp.book.sent.values()]
    const accounts = refunds.map(
      ({ refundReference }) =>
        sent.find(({ claveRastreo }) => claveRastreo === refundReference)?.fields.cuentaBeneficiario,
    )
    assert.deepEqual(accounts, ['032180000118359719', '032180000118359887'])
    const more = await world.channel.refund(refundOf(request, 150_00n))
    assert.ok(more.kind === 'failed' && /at most 100\.00 MXN at once/.test(more.message))
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
    const { request, clabe } = await waiting()
    const own = { ordenanteClabe: clabe }
    world.stp.notifyAt('')
    await world.stp.deposit(clabe, money.amount)
    world.stp.notifyAt(world.receiver.url)
    await work(watcherOf(own))
    assert.equal(await kindOf(request), 'pending')
  })
})
