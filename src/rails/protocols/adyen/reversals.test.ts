// Tests authorisations that must not be kept: late, second and partial ones.
import assert from 'node:assert/strict'
import { after, before, it, type TestContext } from 'node:test'
import { type NewItem, notification } from '../../../../sandbox/adyen/signature.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import {
  type AdyenWorld,
  cardRequest,
  OFFER_MS,
  openAdyenWorld,
  openCaptured,
  payTwice,
  visit,
} from '../../../../test/counterparties/adyen.ts'
import { openFaultyProxy, respond } from '../../../../test/counterparties/faulty-proxy.ts'
import type { CallbackResult, Channel, Outcome, PayerAction } from '../../contract/channel.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { claimAsked } from '../../toolkit/records/store.ts'
import { openCancels } from './payments.ts'

let world: AdyenWorld
before(async () => {
  world = await openAdyenWorld()
})
after(() => world.close())

const EUR = { amount: 25_00n, currency: 'EUR' }
const statusOf = (reference: string) => world.adyen.book.findByReference(reference)?.status

/** Sends a signed webhook. The channel must acknowledge the webhook. */
async function tell(
  item: Partial<NewItem>,
  channel = world.channel('card'),
): Promise<Extract<CallbackResult, { kind: 'accepted' }>> {
  const whole = {
    eventCode: 'AUTHORISATION',
    success: true,
    pspReference: 'P1',
    merchantAccountCode: world.adyen.merchantAccount,
    merchantReference: 'A1',
    amount: { value: 2500, currency: 'EUR' },
    ...item,
  }
  const body = notification([whole], world.adyen.hmacKey)
  const callback = { method: 'POST', path: '/callbacks/adyen', query: '', headers: {}, body }
  const result = await channel.readCallback?.(callback)
  assert.equal(result?.kind, 'accepted')
  assert.equal(result.answer.status, 200)
  return result
}

async function withReversalError<Result>(status: number, work: () => Promise<Result>): Promise<Result> {
  world.adyen.features.reversalError = status
  try {
    return await work()
  } finally {
    world.adyen.features.reversalError = undefined
  }
}

/** Returns the references of the payments that the gateway is about to query. */
async function toAsk(): Promise<readonly string[]> {
  const now = new Date()
  const leaseUntil = new Date(now.getTime() + 1)
  const asks = await claimAsked(world.database.db, { now, leaseUntil, limit: 100, busy: [] })
  return asks.map(({ reference }) => reference)
}

function assertToldOnce(reference: string, psp: string): void {
  const [what = '', ...others] = world.alarmsAbout(reference)
  assert.ok(what.includes(psp) && others.length === 0)
}

type PaidTwice = Awaited<ReturnType<typeof paidTwice>>

const paidTwice = () => payTwice(world, EUR)

/** Opens a payment and tries to cancel it. Adyen cannot cancel it, because its payer has not paid yet. */
async function notCancelled() {
  const request = makeRequest({ method: 'alipay', money: { amount: 25_00n, currency: 'CNY' } }, 'pays')
  const channel = world.channel('alipay')
  const waiting = await channel.start(request)
  assert.equal(waiting.kind, 'pending')
  const attempt = { ...request, ...waiting }
  assert.equal((await channel.cancel(attempt)).kind, 'unknown')
  const pay = () => visit(world, waiting.action, { decision: 'approve' }).then(world.delivered)
  return { request, attempt, channel, pay }
}

it('pays a payment that Adyen could not cancel, however late it comes', async () => {
  const { request, attempt, channel, pay } = await notCancelled()
  world.pass(OFFER_MS - 60_000)
  for (const one of [attempt, request]) assert.equal((await channel.cancel(one)).kind, 'unknown')
  await pay()
  assert.equal((await channel.ask(request)).kind, 'succeeded')
  assert.equal(statusOf(request.reference), 'authorised')
})

it('is reversed when the payer paid after the offer had expired at Adyen', async () => {
  const { request, attempt, channel, pay } = await notCancelled()
  world.pass(OFFER_MS)
  const closed = await channel.cancel(attempt)
  assert.ok(closed.kind === 'failed' && closed.cause === 'cancelled')
  await pay()
  assert.ok((await toAsk()).includes(request.reference))
  assert.deepEqual(await channel.ask(request), closed)
  assert.equal(statusOf(request.reference), 'cancelled')
})

it('is reversed when the payment was paid under another pspReference', async () => {
  const { request, paid, second } = await paidTwice()
  assert.ok((await toAsk()).includes(request.reference))
  assert.deepEqual(await world.channel('card').ask(request), paid)
  assert.equal(second.status, 'cancelled')
})

it('is reversed when it covers a part of the amount only', async () => {
  const request = cardRequest(EUR, { holder: 'PARTIALLY_AUTHORISED' })
  const outcome = await world.channel('card').start(request)
  assert.ok(outcome.kind === 'failed' && outcome.cause === 'declined')
  await world.delivered()
  assert.equal(statusOf(request.reference), 'cancelled')
  assert.deepEqual(await world.channel('card').ask(request), outcome)
})

it('of a part is reversed later if Adyen could not do it at once, and the payment is unknown until then', async () => {
  const request = cardRequest(EUR, { holder: 'PARTIALLY_AUTHORISED' })
  const channel = world.channel('card')
  await withReversalError(429, async () => {
    assert.equal((await channel.start(request)).kind, 'unknown')
    assert.equal((await channel.ask(request)).kind, 'unknown')
    assert.equal((await channel.start(request)).kind, 'unknown')
  })
  await world.delivered()
  assert.equal(statusOf(request.reference), 'authorised')
  assert.ok((await toAsk()).includes(request.reference))
  const outcome = await channel.ask(request)
  assert.ok(outcome.kind === 'failed' && outcome.cause === 'declined')
  assert.equal(statusOf(request.reference), 'cancelled')
})

it('holds up no webhook when it cannot be reversed, and is reversed once it can be', async () => {
  const request = { reference: makeReference(), money: EUR }
  const about = { merchantReference: request.reference }
  const { book } = world.adyen
  await tell({ eventCode: 'OFFER_CLOSED', ...about })
  const late = openCaptured(world, request)
  const channel = world.channel('card')
  for (const status of [401, 403, 404, 429, 500])
    await withReversalError(status, async () => {
      if (late.status === 'open') book.authorise(late)
      await world.delivered()
      assert.deepEqual((await tell({ pspReference: late.psp, ...about })).reports, [])
      assert.equal((await channel.ask(request)).kind, 'unknown')
    })
  const outcome = await channel.ask(request)
  assert.ok(outcome.kind === 'failed' && outcome.cause === 'cancelled')
  assert.equal(late.status, 'cancelled')
})

it('contradicts the record if Adyen refuses to take it back, and a paid order stays paid', async () => {
  const channel = world.channel('card')
  const closed = { reference: makeReference(), money: EUR }
  await tell({ eventCode: 'OFFER_CLOSED', merchantReference: closed.reference })
  await tell({ pspReference: 'NOPAYMENT', merchantReference: closed.reference })
  for (const _ of [1, 2]) {
    const charged = { kind: 'succeeded', money: EUR, channelRef: 'NOPAYMENT' }
    assert.deepEqual(await channel.ask(closed), charged)
  }
  const { request, paid, second } = await paidTwice()
  // If the outcome were `failed`, an order whose payment is not recorded yet would end.
  assert.deepEqual(await withReversalError(422, () => channel.ask(request)), paid)
  assert.deepEqual(await channel.ask(request), paid)
  assertToldOnce(request.reference, second.psp)
})

it('is reported for each of several that Adyen refuses to take back, also while another is open', async (t) => {
  const paid = await paidTwice()
  const closed = { reference: makeReference(), money: EUR }
  await tell({ eventCode: 'OFFER_CLOSED', merchantReference: closed.reference })
  const proxy = await openFaultyProxy(String(world.settings('card').url))
  t.after(() => proxy.close())
  const [channel] = world.connect({ ...world.settings('card'), url: proxy.url }).channels
  for (const { reference } of [paid.request, closed]) {
    const psps = ['ONE', 'TWO', 'OPEN'].map((name) => `${name}${reference}`)
    for (const pspReference of psps) await tell({ pspReference, merchantReference: reference })
    proxy.meet(respond(429), (path) => path.includes('/OPEN'))
    const reported = () => psps.filter((psp) => world.alarmsAbout(reference).join().includes(psp))
    for (const _again of [1, 2]) {
      assert.equal((await channel?.ask({ reference, money: EUR }))?.kind, 'unknown')
      assert.deepEqual(reported(), psps.slice(0, 2))
    }
    proxy.meet(undefined)
    const outcome = await channel?.ask({ reference, money: EUR })
    assert.ok(outcome?.kind === 'succeeded')
    const contradicting = reference === closed.reference ? [outcome.channelRef] : []
    assert.deepEqual(new Set([...reported(), ...contradicting]), new Set(psps))
    assert.equal(world.alarmsAbout(reference).length, reported().length, 'each once')
    if (reference === paid.request.reference) assert.deepEqual(outcome, paid.paid)
  }
})

it('of a part whose amount nobody knows is reported if Adyen refuses to take it back', async (t) => {
  const proxy = await openFaultyProxy(String(world.settings('card').url))
  t.after(() => proxy.close())
  const unknownPart = { resultCode: 'PartiallyAuthorised', pspReference: 'PART1' }
  proxy.meet(respond(200, JSON.stringify(unknownPart)), (path) => path.endsWith('/payments'))
  const [channel] = world.connect({ ...world.settings('card'), url: proxy.url }).channels
  const request = cardRequest(EUR, {})
  for (const _again of [1, 2]) assert.equal((await channel?.start(request))?.kind, 'unknown')
  assertToldOnce(request.reference, 'PART1')
})

it('of a failed order is acknowledged and reported once if its reversal fails in an amount that we cannot express', async (t) => {
  const proxy = await openFaultyProxy(String(world.settings('card').url))
  t.after(() => proxy.close())
  const psp = 'PART2'
  const unknownPart = { resultCode: 'PartiallyAuthorised', pspReference: psp }
  const respondTo = (path: string) =>
    path.endsWith('/payments') ? respond(200, JSON.stringify(unknownPart)) : respond(201, '{}')
  proxy.meet((forward, sent) => respondTo(sent.path)(forward, sent))
  const [channel] = world.connect({ ...world.settings('card'), url: proxy.url }).channels
  const request = cardRequest(EUR, {})
  assert.equal((await channel?.start(request))?.kind, 'failed')
  // Adyen counts ISK in hundredths and we count whole krónur, so we cannot express this amount.
  const amount = { value: 2550, currency: 'ISK' }
  const about = { merchantReference: request.reference, pspReference: 'R4', originalReference: psp }
  for (const _again of [1, 2]) {
    const failed = { eventCode: 'CANCEL_OR_REFUND', success: false, amount, ...about }
    assert.deepEqual((await tell(failed)).reports, [])
  }
  assertToldOnce(request.reference, psp)
})

it('of a paid order is reported once if Adyen accepts the reversal and cannot do it', async () => {
  const { request, paid, second } = await paidTwice()
  const channel = world.channel('card')
  assert.deepEqual(await channel.ask(request), paid)
  await world.delivered()
  const about = { merchantReference: request.reference, pspReference: 'R1', originalReference: second.psp }
  const failed = { eventCode: 'CANCEL_OR_REFUND', success: false, ...about }
  for (const _ of [1, 2])
    assert.deepEqual((await tell(failed)).reports, [{ reference: request.reference, outcome: paid }])
  assert.deepEqual(await channel.ask(request), paid)
  assertToldOnce(request.reference, second.psp)
})

it('of a paid order is reported if its reversal fails, in whatever amount', async () => {
  const { request, paid, second } = await paidTwice()
  const about = { merchantReference: request.reference, pspReference: 'R3', originalReference: second.psp }
  // Adyen counts ISK in hundredths and we count whole krónur, so we cannot express this amount.
  const amount = { value: 2550, currency: 'ISK' }
  const { reports } = await tell({ eventCode: 'CANCEL_OR_REFUND', success: false, amount, ...about })
  assert.deepEqual(reports, [{ reference: request.reference, outcome: paid }])
  assertToldOnce(request.reference, second.psp)
})

it('of a paid order is reported, wherever the process dies on the way', async () => {
  const refused = (channel: Channel, { request }: PaidTwice) =>
    withReversalError(422, () => channel.ask(request))
  const failed = (channel: Channel, { request, second }: PaidTwice) => {
    const about = { merchantReference: request.reference, pspReference: 'R2', originalReference: second.psp }
    return tell({ eventCode: 'CANCEL_OR_REFUND', success: false, ...about }, channel)
  }
  for (const learn of [refused, failed])
    for (let step = 1, died = true; died; step++) {
      const made = await paidTwice()
      if (learn === failed) await world.channel('card').ask(made.request)
      await world.delivered()
      const [dying] = world.connect(world.settings('card'), undefined, undefined, dyingStore(step)).channels
      assert.ok(dying)
      died = await learn(dying, made).then(
        () => false,
        () => true,
      )
      // After a restart, the gateway queries the payment again, or Adyen retries the webhook that was not acknowledged.
      await learn(world.channel('card'), made)
      const told = world.alarmsAbout(made.request.reference)
      assert.ok(told.length > 0 && told.length < 3, `step ${step}: ${told}`)
      if (!died) assert.ok(step > 4, 'it has that many steps')
    }
})

/** Returns a store that fails at call number `step` and at every later call. */
function dyingStore(step: number): ChannelStore {
  let calls = 0
  const living = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (++calls >= step) throw new Error('the process died')
    return call()
  }
  const { store } = world
  return {
    ...store,
    find: (key) => living(() => store.find(key)),
    listOf: (...args) => living(() => store.listOf(...args)),
    write: (...args) => living(() => store.write(...args)),
  }
}

it('that lapses does not fail the order that another one paid', async () => {
  const { request, second } = await paidTwice()
  const about = { merchantReference: request.reference, originalReference: second.psp }
  for (const eventCode of ['EXPIRE', 'CAPTURE_FAILED'])
    assert.deepEqual((await tell({ eventCode, ...about })).reports, [])
})

it('of others that could not be reversed raises an alarm and pays nothing; a capture that fails is reported', async () => {
  const reference = makeReference()
  for (const _again of [1, 2]) {
    const failed = await tell({ eventCode: 'CANCEL_OR_REFUND', success: false, merchantReference: reference })
    assert.deepEqual(failed.reports, [])
  }
  assert.match(world.alarmsAbout(reference).join(), /^Adyen did not take the payment/)
  const capture = await tell({ eventCode: 'CAPTURE_FAILED', merchantReference: reference })
  assert.equal(capture.reports[0]?.outcome.kind, 'failed')
})

/**
 * Queries a new payment, so that the channel cancels it, and responds to the cancellation with this status. The test
 * itself sends the webhooks about the cancellation.
 */
async function cancelling(t: TestContext, status = 201) {
  const proxy = await openFaultyProxy(String(world.settings('card').url))
  t.after(() => proxy.close())
  const answer = status === 201 ? { pspReference: 'C1', status: 'received' } : { errorCode: '901' }
  proxy.meet(respond(status, JSON.stringify(answer)))
  const [channel] = world.connect({ ...world.settings('card'), url: proxy.url }, 1_000).channels
  const request = { reference: makeReference(), money: EUR }
  assert.ok(channel && (await channel.ask(request)).kind === 'unknown')
  const about = { merchantReference: request.reference }
  return {
    request,
    ask: async (action?: PayerAction) => (await channel.ask({ ...request, ...(action && { action }) })).kind,
    authorised: async (pspReference = 'P7') => kindsOf(await tell({ ...about, pspReference })),
    cancelled: async (success: boolean, originalReference = 'P7') =>
      kindsOf(await tell({ eventCode: 'TECHNICAL_CANCEL', success, ...about, originalReference })),
  }
}

const kindsOf = ({ reports }: { readonly reports: readonly { readonly outcome: Outcome }[] }) =>
  reports.map(({ outcome }) => outcome.kind)

it('counts as paid only once Adyen has said that our cancellation did not take it back', async (t) => {
  const { request, ask, authorised, cancelled } = await cancelling(t)
  assert.deepEqual(await authorised(), [])
  assert.ok((await toAsk()).includes(request.reference))
  assert.equal(await ask({ kind: 'qr', qrCode: 'code' }), 'unknown', 'the payer should not pay any more')
  assert.deepEqual(await cancelled(false), ['succeeded'])
  for (const _again of [1, 2]) assert.deepEqual(await authorised(), ['succeeded'])
  assert.equal(await ask(), 'succeeded')
})

it('that our cancellation took back pays nothing, in whatever order the webhooks come, and however often', async (t) => {
  for (const isFirst of [true, false]) {
    const { ask, authorised, cancelled } = await cancelling(t)
    if (isFirst) assert.deepEqual(await authorised(), [])
    for (const _again of [1, 2]) {
      assert.deepEqual(await cancelled(true), ['failed'])
      assert.deepEqual(await authorised(), ['failed'])
      assert.equal(await ask(), 'failed')
    }
    assert.deepEqual(await authorised('P8'), [], 'another one is noted, to be reversed')
  }
})

it('is reversed if the payment failed while our cancellation was open, in whatever order the webhooks come', async (t) => {
  for (const isFirst of [true, false]) {
    const { request, ask, authorised } = await cancelling(t)
    const { reference } = request
    const refused = () => tell({ success: false, merchantReference: reference, pspReference: 'P6' })
    if (!isFirst) await refused()
    const psp = `P9${isFirst}`
    assert.deepEqual(await authorised(psp), [])
    if (isFirst) await refused()
    assert.ok((await toAsk()).includes(reference))
    assert.equal(await ask(), 'failed')
    const reversed = await world.store.listOf('reversal', reference)
    assert.deepEqual(
      reversed.map(({ key, body }) => [key, body.state]),
      [[psp, 'accepted']],
    )
  }
})

it('is paid if our cancellation never reached Adyen, also if it came in between', async (t) => {
  const { request, ask, authorised } = await cancelling(t, 403)
  const { reference } = request
  const cancels = openCancels(world.store, world.clock)
  await cancels.begin(reference)
  assert.deepEqual(await authorised('P10'), [])
  await cancels.undo(reference)
  assert.equal(await ask(), 'succeeded')
  assert.deepEqual(await cancels.held(reference), [])
})

it('contradicts the record if Adyen cancels it after it was paid', async (t) => {
  // Adyen refuses the cancellation, so an authorisation counts at once and is not held back.
  const { ask, authorised, cancelled } = await cancelling(t, 403)
  assert.deepEqual(await authorised(), ['succeeded'])
  assert.deepEqual(await cancelled(true), ['failed'])
  assert.equal(await ask(), 'failed')
})
