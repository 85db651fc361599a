// Tests refunds and cancellations that somebody makes in Adyen's customer area. Each must raise one alarm, whatever the
// order of its webhooks and of the responses to our own refunds.
import assert from 'node:assert/strict'
import { after, before, it, type TestContext } from 'node:test'
import { makePsp } from '../../../../sandbox/adyen/book.ts'
import { type NewItem, notification } from '../../../../sandbox/adyen/signature.ts'
import { aPayment } from '../../../../test/builders/builders.ts'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { type AdyenWorld, cardRequest, openAdyenWorld } from '../../../../test/counterparties/adyen.ts'
import { type Fault, openFaultyProxy, respond } from '../../../../test/counterparties/faulty-proxy.ts'
import { dieEverywhere, perhaps } from '../../../../test/harness/mortal-store.ts'
import { attemptReference } from '../../../money/orders/order.ts'
import { acceptPayments } from '../../../money/payments/accept-payments.ts'
import type { Channel } from '../../contract/channel.ts'

const DAY_MS = 86_400_000
const EUR = { amount: 25_00n, currency: 'EUR' }

let world: AdyenWorld
before(async () => {
  world = await openAdyenWorld()
})
after(() => world.close())

async function paid() {
  const request = cardRequest(EUR, {})
  const outcome = await world.channel('card').start(request)
  assert.equal(outcome.kind, 'succeeded')
  await world.delivered()
  const { reference } = request
  const payment = { reference, money: EUR, channelRef: outcome.channelRef }
  return { ...payment, refundReference: makeReference(), refund: EUR }
}

/** Sends a signed webhook about a refund. The webhook must change neither a payment nor a refund of ours. */
async function tell(item: Partial<NewItem>, channel: Channel = world.channel('card')) {
  const whole = {
    eventCode: 'REFUND',
    success: true,
    pspReference: makePsp(),
    merchantAccountCode: world.adyen.merchantAccount,
    merchantReference: 'typed by hand',
    amount: { value: 1000, currency: 'EUR' },
    ...item,
  }
  const body = notification([whole], world.adyen.hmacKey)
  const callback = { method: 'POST', path: '/callbacks/adyen', query: '', headers: {}, body }
  const result = await channel.readCallback?.(callback)
  assert.ok(result?.kind === 'accepted' && result.answer.status === 200)
  assert.deepEqual({ reports: result.reports, refunds: result.refunds }, { reports: [], refunds: [] })
}

const alarmsOf = (reference: string, psp: string) =>
  world.alarmsAbout(reference).filter((what) => what.includes(psp))

/** Connects the channel through a proxy. The test can set the channel's clock some days ahead. */
async function behindProxy(t: TestContext) {
  const proxy = await openFaultyProxy(String(world.settings('card').url))
  t.after(() => proxy.close())
  const ahead = { days: 0 }
  const clock = { now: () => new Date(Date.now() + ahead.days * DAY_MS) }
  const connected = world.connect({ ...world.settings('card'), url: proxy.url }, 5_000, clock)
  return { proxy, channel: connected.channels[0] ?? assert.fail(), ahead }
}

it('a refund of others is reported once, with its amount and what to do', async () => {
  const { reference, channelRef } = await paid()
  for (const merchantReference of [reference, makeReference()])
    for (const amount of [
      { value: 1000, currency: 'EUR' },
      // Adyen counts ISK in hundredths and we count whole krónur, so we cannot express this amount.
      { value: 2550, currency: 'ISK' },
    ]) {
      const pspReference = makePsp()
      const item = { pspReference, originalReference: channelRef, merchantReference, amount }
      for (const _again of [1, 2, 3]) await tell(item)
      const [what = '', ...others] = alarmsOf(merchantReference, pspReference)
      assert.deepEqual(others, [])
      assert.match(what, amount.currency === 'EUR' ? / 10.00 EUR / : /unreadable/)
      assert.ok(what.includes(channelRef) && what.includes('ledger correct'), what)
    }
  assert.deepEqual(await world.channel('card').ask({ reference, money: EUR }), {
    kind: 'succeeded',
    money: EUR,
    channelRef,
  })
})

it('a refund of others that failed moved no money, and one that came back is reported once more', async () => {
  const { reference: merchantReference, channelRef: originalReference } = await paid()
  const about = { merchantReference, originalReference }
  const failed = makePsp()
  await tell({ ...about, pspReference: failed, success: false })
  assert.deepEqual(alarmsOf(merchantReference, failed), [])
  for (const eventCode of ['REFUND_FAILED', 'REFUNDED_REVERSED'])
    for (const [events, alarms] of [
      [['REFUND', eventCode], 2],
      [[eventCode, 'REFUND'], 1],
    ] as const) {
      const pspReference = makePsp()
      for (const event of [...events, ...events]) await tell({ ...about, pspReference, eventCode: event })
      const raised = alarmsOf(merchantReference, pspReference)
      assert.equal(raised.length, alarms)
      assert.match(raised.at(-1) ?? '', /came back/)
    }
})

it('a refund of ours whose webhook comes before its response is not taken for one of others', async (t) => {
  const { proxy, channel, ahead } = await behindProxy(t)
  const sent = async (asked: Awaited<ReturnType<typeof paid>>, fault: Fault) => {
    proxy.meet(fault, (path) => path.endsWith('/refunds'))
    return (await channel.refund(asked)).kind
  }
  const accepted = (psp: string) => respond(201, JSON.stringify({ pspReference: psp, status: 'received' }))
  for (const which of ['reference', 'refundReference'] as const) {
    const asked = await paid()
    const [ours, other] = [makePsp(), makePsp()]
    const about = { merchantReference: asked[which], originalReference: asked.channelRef }
    assert.equal(await sent(asked, async () => 'break'), 'unknown')
    for (const pspReference of [ours, other, ours]) await tell({ ...about, pspReference }, channel)
    assert.deepEqual(world.alarmsAbout(asked[which]), [], 'one of them is ours')
    assert.equal(await sent(asked, accepted(ours)), 'succeeded')
    assert.deepEqual(alarmsOf(asked[which], ours), [])
    assert.equal(alarmsOf(asked[which], other).length, 1)
  }
  // On day 0, Adyen's refusal proves that the reported refund is not ours. On day 7, Adyen may have forgotten our
  // idempotency key, so the reported refund may be ours.
  for (const after of [0, 7]) {
    const asked = await paid()
    const pspReference = makePsp()
    const amount = { value: 2500, currency: 'EUR' }
    const about = { merchantReference: asked.reference, originalReference: asked.channelRef, amount }
    assert.equal(await sent(asked, async () => 'break'), 'unknown')
    await tell({ ...about, pspReference }, channel)
    ahead.days = after
    const refusal = respond(422, JSON.stringify({ status: 422, errorCode: '137', errorType: 'validation' }))
    assert.equal(await sent(asked, refusal), after === 0 ? 'failed' : 'unknown')
    ahead.days = 0
    const [what = '', ...others] = alarmsOf(asked.reference, pspReference)
    assert.deepEqual(others, [])
    assert.match(what, after === 0 ? /ledger correct/ : /book nothing besides/)
  }
})

it('no more refunds may be ours than responses were lost, and none of another amount', async (t) => {
  const { proxy, channel, ahead } = await behindProxy(t)
  proxy.meet(async () => 'break')
  const ten = { refund: { amount: 10_00n, currency: 'EUR' } }
  for (const lost of [1, 2]) {
    const asked = { ...(await paid()), ...ten }
    const ours = [asked, { ...asked, refundReference: makeReference() }].slice(0, lost)
    for (const one of ours) assert.equal((await channel.refund(one)).kind, 'unknown')
    const about = { originalReference: asked.channelRef, merchantReference: asked.reference }
    // The third webhook contains the reference of the refund. The other webhooks contain the reference of the payment.
    const [first, second, third, dearer, dollars] = [makePsp(), makePsp(), makePsp(), makePsp(), makePsp()]
    const items = [
      { pspReference: first },
      { pspReference: second },
      { pspReference: third, merchantReference: asked.refundReference },
      { pspReference: dearer, amount: { value: 1001, currency: 'EUR' } },
      { pspReference: dollars, amount: { value: 1000, currency: 'USD' } },
      { pspReference: makePsp(), success: false },
    ]
    for (const item of items) await tell({ ...about, ...item }, channel)
    ahead.days = 7
    for (const one of ours) assert.equal((await channel.refund(one)).kind, 'unknown')
    ahead.days = 0
    const raised = (psp: string, reference = asked.reference) =>
      world.alarmsAbout(reference).filter((what) => what.startsWith(`Adyen's refund ${psp} `))
    const bound = `at most ${lost} of these 3 can be: decide ours by hand, and book each other one`
    for (const [psp, others, reference] of [
      [first, [second, third], asked.reference],
      [second, [first, third], asked.reference],
      [third, [first, second], asked.refundReference],
    ] as const) {
      const [what = '', ...more] = raised(psp, reference)
      assert.ok(what.includes(bound) && others.every((other) => what.includes(other)), what)
      assert.deepEqual(more, [])
    }
    for (const psp of [dearer, dollars]) assert.match(raised(psp).join(), /was not made by the gateway/)
  }
})

it('a refund of another authorisation of the attempt is no rival: it is not to be booked', async (t) => {
  const { proxy, channel, ahead } = await behindProxy(t)
  const asked = await paid()
  const unwanted = makePsp()
  const about = { merchantReference: asked.reference, amount: { value: 2500, currency: 'EUR' } }
  await tell({ ...about, eventCode: 'AUTHORISATION', pspReference: unwanted }, channel)
  proxy.meet(async () => 'break')
  assert.equal((await channel.refund(asked)).kind, 'unknown')
  const [ours, ofUnwanted, ofNobody] = [makePsp(), makePsp(), makePsp()]
  await tell({ ...about, originalReference: asked.channelRef, pspReference: ours }, channel)
  await tell({ ...about, originalReference: unwanted, pspReference: ofUnwanted }, channel)
  ahead.days = 7
  assert.equal((await channel.refund(asked)).kind, 'unknown')
  const [what = '', ...more] = alarmsOf(asked.reference, ours)
  assert.deepEqual(more, [])
  assert.match(what, /decide that one by hand, and book nothing besides$/)
  // This webhook does not name the refunded payment, so the refund may be ours. The refund of the other authorisation
  // still cannot be ours.
  await tell({ ...about, pspReference: ofNobody }, channel)
  assert.ok(
    alarmsOf(asked.reference, ofNobody).join().includes(`so may ${ours}, and at most 1 of these 2 can be`),
  )
})

it('a refund of others is reported, wherever the process dies', async () => {
  const deaths = await dieEverywhere(async (through, when) => {
    const { reference, channelRef: originalReference } = await paid()
    const item = { merchantReference: reference, originalReference, pspReference: makePsp() }
    const [dying] = world.connect(world.settings('card'), undefined, undefined, through(world.store)).channels
    assert.ok(dying)
    await perhaps(tell(item, dying))
    // Adyen repeats a webhook that was not acknowledged.
    await tell(item)
    const { length } = alarmsOf(reference, item.pspReference)
    assert.ok(length === 1 || length === 2, `${when}: ${length}`)
  })
  assert.ok(deaths >= 4, `${deaths} deaths`)
})

it('what an operator refunds because Adyen did not reverse it is not reported again', async () => {
  const { reference } = await paid()
  const unwanted = makePsp()
  const second = { eventCode: 'AUTHORISATION', merchantReference: reference, pspReference: unwanted }
  await tell(second)
  const pspReference = makePsp()
  await tell({ merchantReference: reference, originalReference: unwanted, pspReference })
  assert.deepEqual(alarmsOf(reference, pspReference), [])
})

it('a refund of what Adyen did not reverse is reported if its money was accepted here', async () => {
  const { db } = world.database
  for (const isAccepted of [true, false]) {
    const order = isAccepted ? await paidOrder(db, { merNo: 61_000_001 }) : aPayment({ merNo: 61_000_002 })
    if (!isAccepted) await acceptPayments(db, [order])
    const reference = attemptReference(order.tradeNo, 1)
    world.adyen.features.reversalError = 422
    const part = cardRequest(EUR, { holder: 'PARTIALLY_AUTHORISED', reference })
    const charged = await world.channel('card').start(part)
    world.adyen.features.reversalError = undefined
    assert.ok(charged.kind === 'succeeded')
    await world.delivered()
    const pspReference = makePsp()
    const item = { merchantReference: reference, originalReference: charged.channelRef, pspReference }
    for (const _again of [1, 2]) await tell(item)
    const raised = alarmsOf(reference, pspReference)
    assert.equal(raised.length, isAccepted ? 1 : 0)
    if (isAccepted) assert.match(raised[0] ?? '', /was not made by the gateway: book it/)
  }
})

it('a payment that is cancelled under a reference that nobody knows is reported once', async () => {
  for (const eventCode of ['CANCELLATION', 'CANCEL_OR_REFUND']) {
    const { channelRef: originalReference } = await paid()
    const merchantReference = makeReference()
    const item = { eventCode, merchantReference, originalReference }
    for (const _again of [1, 2]) await tell(item)
    const [what = '', ...others] = world.alarmsAbout(merchantReference)
    assert.ok(what.includes(originalReference))
    assert.deepEqual(others, [])
  }
})
