// Faults around STP: orders that are sent again days later, refunds that fail after STP accepted them, malformed
// responses, missed webhooks.
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { privatePem } from '../../../../sandbox/rsa-keys.ts'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { type Fault, loseAnswer, openFaultyProxy } from '../../../../test/counterparties/faulty-proxy.ts'
import { openStp, type StpWorld } from '../../../../test/counterparties/stp.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { CallbackResult } from '../../contract/channel.ts'

const DAY_MS = 86_400_000
const money = { amount: 845_20n, currency: 'MXN' }
let daysLater = 0
let world: StpWorld
before(async () => {
  world = await openStp({ now: () => new Date(Date.now() + daysLater * DAY_MS) })
})
after(() => world.close())

async function waiting() {
  const request = makeRequest({ method: 'spei', money }, 'pays')
  const outcome = await world.channel.start(request)
  assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'transfer')
  return { reference: request.reference, clabe: outcome.action.account }
}

const countSent = (clave: string) =>
  [...world.stp.book.sent.values()].filter(({ claveRastreo }) => claveRastreo === clave).length

describe('a payout at STP', () => {
  const payout = () =>
    ({
      reference: makeReference(),
      kind: 'spei',
      money: { amount: 5_000n, currency: 'MXN' },
      beneficiary: { account: '032180000118359719', details: {} },
    }) as const
  const kindOf = async (reference: string) => (await world.rail().ask(reference)).kind

  it('that could be sent only days after the first try is found the day after, and not sent again', async () => {
    const request = payout()
    const privateKey = privatePem(rsaPair('stranger').privateKey)
    assert.partialDeepStrictEqual(await world.rail({ privateKey }).send(request), { cause: 'unauthorised' })
    daysLater += 8
    assert.equal((await world.rail().send(request)).kind, 'processing')
    assert.ok(await eventually(async () => (await kindOf(request.reference)) === 'succeeded'))
    daysLater += 1
    assert.equal((await world.rail().send(request)).kind, 'succeeded')
    assert.equal(countSent(request.reference), 1)
  })

  it('that STP had and does not list any more is unknown, and not sent again', async () => {
    const request = payout()
    assert.equal((await world.rail().send(request)).kind, 'processing')
    world.stp.book.sent.clear()
    assert.equal(await kindOf(request.reference), 'unknown')
    daysLater += 1
    assert.equal((await world.rail().send(request)).kind, 'unknown')
    assert.equal(countSent(request.reference), 0)
  })

  it('that STP may have taken does not fail by a refused repetition, and is not sent once more', async (test) => {
    const { rail, proxy } = await openProxied(test)
    const request = payout()
    proxy.meet(loseAnswer, isRegistration)
    assert.equal((await rail.send(request)).kind, 'unknown')
    const hidden = [...world.stp.book.sent]
    world.stp.book.sent.clear()
    proxy.meet(refuse, isRegistration)
    assert.equal((await rail.send(request)).kind, 'unknown')
    proxy.meet(undefined)
    assert.equal((await rail.send(request)).kind, 'unknown')
    assert.equal(countSent(request.reference), 0)
    // Only now does STP list the order.
    for (const [id, order] of hidden) world.stp.book.sent.set(id, order)
    assert.ok(await eventually(async () => (await rail.send(request)).kind === 'succeeded'))
  })

  it('that STP refuses at the first call fails', async (test) => {
    const { rail, proxy } = await openProxied(test)
    proxy.meet(refuse, isRegistration)
    assert.partialDeepStrictEqual(await rail.send(payout()), { kind: 'failed', cause: 'refused' })
  })
})

const isRegistration = (path: string) => path.endsWith('/registra')

const refuse: Fault = async () => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ resultado: { id: -200, descripcionError: 'Se rechaza por PLD' } }),
})

async function openProxied(test: TestContext) {
  const proxy = await openFaultyProxy(`${world.url}/stp`)
  test.after(() => proxy.close())
  return {
    proxy,
    rail: world.rail({ url: proxy.url }),
    channel: world.connect({ url: proxy.url }).channels[0],
  }
}

describe('a refund at STP', () => {
  it('that fails by itself leaves its money to another one, and is not sent again', async () => {
    const { reference, clabe } = await waiting()
    await world.stp.deposit(clabe, money.amount)
    const failing = { reference, money, refundReference: makeReference(), refund: { ...money, amount: 666n } }
    const before = world.receiver.received().length
    assert.equal((await world.channel.refund(failing)).kind, 'pending')
    // STP reports the failure by a webhook, before any query of ours.
    assert.ok(await eventually(() => world.receiver.received().length > before))
    const whole = { ...failing, refundReference: makeReference(), refund: money }
    assert.ok(await eventually(async () => (await world.channel.refund(whole)).kind === 'succeeded'))
    assert.partialDeepStrictEqual(await world.channel.refund(failing), { kind: 'failed', cause: 'declined' })
    assert.equal(countSent(failing.refundReference), 1)
  })
})

describe('an order that STP settled although its registration was not answered', () => {
  it('is unknown once STP does not list it any more, and not sent again on another day', async (test) => {
    const { reference, clabe } = await waiting()
    await world.stp.deposit(clabe, money.amount)
    const { channel, proxy } = await openProxied(test)
    proxy.meet(loseAnswer, isRegistration)
    const refund = { reference, money, refundReference: makeReference(), refund: money }
    assert.equal((await channel?.refund(refund))?.kind, 'unknown')
    assert.ok(await eventually(async () => (await channel?.refund(refund))?.kind === 'succeeded'))
    world.stp.book.sent.clear()
    daysLater += 1
    assert.equal((await world.channel.refund(refund)).kind, 'unknown')
    assert.equal(countSent(refund.refundReference), 0)
  })
})

describe('a message of STP', () => {
  it("about the operator's own account is confirmed, so that payouts can be funded", async () => {
    const answer = await world.stp.deposit('646180123400000007', 1_000_000n)
    assert.deepEqual(
      { status: answer.status, text: answer.text },
      { status: 200, text: '{"mensaje":"confirmar"}' },
    )
  })

  it('without a CLABE sends no money back', async () => {
    await world.stp.deposit((await waiting()).clabe, money.amount)
    const callback = world.receiver.received().at(-1)
    assert.ok(callback)
    for (const clabe of [null, 646180, {}, []]) {
      const body: string = JSON.stringify({ ...JSON.parse(callback.body), cuentaBeneficiario: clabe })
      const read: CallbackResult | undefined = await world.channel.readCallback?.({ ...callback, body })
      assert.ok(read?.kind === 'refused' && !read.answer.body.includes('devolver'), body)
    }
  })

  it('about a deposit in a state that nobody has seen is not confirmed', async () => {
    const { reference, clabe } = await waiting()
    world.stp.notifyAt('')
    await world.stp.deposit(clabe, money.amount)
    world.stp.notifyAt(world.receiver.url)
    const order = world.stp.book.received.at(-1)
    assert.ok(order)
    order.estado = 'ZZ'
    assert.equal((await world.stp.announce(order)).status, 503)
    assert.equal((await world.channel.ask({ reference, money })).kind, 'pending')
    order.estado = 'LQ'
    assert.equal((await world.stp.announce(order)).status, 200)
  })

  it('with a day that is none is looked up in the list of today', async () => {
    const { reference, clabe } = await waiting()
    await world.stp.deposit(clabe, money.amount)
    const callback = world.receiver.received().at(-1)
    assert.ok(callback)
    for (const fechaOperacion of ['!', '1', null]) {
      const body: string = JSON.stringify({ ...JSON.parse(callback.body), fechaOperacion })
      assert.equal((await world.channel.readCallback?.({ ...callback, body }))?.kind, 'accepted')
    }
    const outcome = await world.channel.ask({ reference, money })
    assert.ok(outcome.kind === 'received' && outcome.deposits.length === 1)
  })

  it('that was missed while the gateway was down for days is made up for', async () => {
    await world.connect().watcher?.work(AbortSignal.timeout(10_000))
    const { reference, clabe } = await waiting()
    world.stp.notifyAt('')
    await world.stp.deposit(clabe, money.amount)
    world.stp.notifyAt(world.receiver.url)
    daysLater += 4
    await world.connect().watcher?.work(AbortSignal.timeout(10_000))
    assert.equal((await world.channel.ask({ reference, money })).kind, 'received')
  })
})
