// Cases of Stripe's channels that the contract tests do not cover: soft declines, refused cards, disputes, old
// references, bad responses.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { mountStripe } from '../../../../sandbox/stripe/mount.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openCallbackReceiver } from '../../../../test/counterparties/callback-receiver.ts'
import { connectChannel, connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { change, openFaultyProxy } from '../../../../test/counterparties/faulty-proxy.ts'
import { decideOn, openMounted } from '../../../../test/counterparties/mounted.ts'
import { openScriptedServer } from '../../../../test/counterparties/scripted-server.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { makeId } from '../../../platform/base/id.ts'
import type { CallbackResult, StartRequest } from '../../contract/channel.ts'
import { openStore } from '../../toolkit/records/store.ts'

let now = new Date()
const clock = { now: () => now }
const { counterparty, entry, close } = await openMounted(mountStripe, { clock })
const { account, refunds, disputes } = counterparty
const database = await cloneDatabase()
const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
const alarms: [reference: string, what: string][] = []
const tools = toolsWith({
  clock,
  timeoutMs: 60_000,
  storeOf,
  alarm: (reference, what) => alarms.push([reference, what]),
})
const channel = connectChannel(entry, 'card', tools)
const callbacks = await openCallbackReceiver()
const results: CallbackResult[] = []
callbacks.answerWith(async (callback) => {
  const result = await channel.readCallback?.(callback)
  assert.ok(result)
  results.push(result)
  return result.answer
})
const server = await openScriptedServer()
const scripted = connectChannel({ ...entry, url: server.url }, 'card', tools)
after(async () => {
  await callbacks.close()
  await close()
  await server.close()
  await database.drop()
})
await fetch(`${entry.url}/webhook_endpoints`, {
  method: 'POST',
  headers: { authorization: `Bearer ${entry.secretKey}` },
  body: new URLSearchParams({ url: callbacks.url }),
})

/**
 * Makes a request for an attempt of an order that was made at `madeAt`. The reference contains this time, as real
 * references do.
 */
function startRequest(number: string, madeAt = now): StartRequest {
  const reference = `${makeId('A', 10_001, madeAt)}1`
  const card = { number, expiryMonth: '4', expiryYear: '39', securityCode: '123' }
  return {
    ...makeRequest({ method: 'card', money: { amount: 1_250n, currency: 'USD' } }, 'pays', reference),
    card,
  }
}

/** The payment that Stripe opens for the request. */
function openedFor({ reference }: StartRequest) {
  const money = { amount: 1_250, currency: 'usd' }
  const status = 'requires_payment_method'
  return { object: 'payment_intent', id: 'pi_1', status, ...money, metadata: { order: reference } }
}

const accepted = () => results.filter((one) => one.kind === 'accepted')
const GOOD_CARD = '4242424242424242'

describe('a card at Stripe', () => {
  it('that its bank wants to be confirmed is declined with that advice, and confirmed on the second try', async () => {
    const first = await channel.start(startRequest('4000002760003184'))
    assert.ok(first.kind === 'failed' && first.cause === 'declined')
    assert.equal(first.advice, 'challenge')
    const request = { ...startRequest('4000002760003184'), challenge: true }
    const second = await channel.start(request)
    assert.ok(second.kind === 'pending' && second.action.kind === 'redirect')
    const answer = await decideOn(second.action.url, 'approve')
    assert.equal(
      (await channel.complete({ ...request, channelRef: second.channelRef, answer })).kind,
      'succeeded',
    )
  })

  it('whose number Stripe refuses to take is refused, so that another channel may take the order', async () => {
    account.features.rawCards = false
    const request = startRequest(GOOD_CARD)
    const outcome = await channel.start(request)
    account.features.rawCards = true
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'refused')
    assert.equal(account.findByOrder(request.reference)?.status, 'canceled')
  })

  it('goes to Stripe with its holder and the way back, and its number only when it is confirmed', async () => {
    const request = startRequest(GOOD_CARD)
    server.answerWith(({ path }) =>
      path.endsWith('/confirm') ? { status: 500 } : { status: 200, body: openedFor(request) },
    )
    const details = {
      ...{
        billingFirstName: 'Ana',
        billingLastName: 'Paz',
        billingEmail: 'ana@example.com',
        billingCountry: 'PE',
      },
      ...{ shippingFirstName: 'Eva', shippingLastName: 'Paz', shippingAddress1: 'Calle 1' },
    }
    const before = server.requests.length
    assert.equal((await scripted.start({ ...request, details })).kind, 'unknown')
    const [opened, confirmed] = server.requests.slice(before)
    assert.ok(!opened?.body.includes(GOOD_CARD))
    const form = new URLSearchParams(confirmed?.body)
    assert.equal(form.get('payment_method_data[card][exp_year]'), '2039')
    assert.equal(form.get('payment_method_data[billing_details][name]'), 'Ana Paz')
    assert.equal(form.get('payment_method_data[billing_details][address][country]'), 'PE')
    assert.equal(form.get('shipping[name]'), 'Eva Paz')
    assert.match(form.get('return_url') ?? '', /complete$/)
    assert.equal(opened?.headers.authorization, `Bearer ${entry.secretKey}`)
    assert.match(String(opened?.headers['stripe-version']), /^\d{4}-\d\d-\d\d/)
  })
})

describe('a response of Stripe', () => {
  const starting = async (status: number, body: unknown) => {
    server.answerWith(() => ({ status, body }))
    return scripted.start(startRequest(GOOD_CARD))
  }

  it('is unknown if Stripe is busy, broken or talks nonsense', async () => {
    const error = { error: { type: 'api_error' } }
    for (const status of [402, 404, 429, 500, 503])
      assert.equal((await starting(status, error)).kind, 'unknown', String(status))
    for (const body of ['', '<html>', '[]', 'null', '{"id":"pi_1"}'])
      for (const status of [200, 400, 401]) assert.equal((await starting(status, body)).kind, 'unknown', body)
  })

  it('confirms no payment with a card unless it is ours, in our amount', async () => {
    for (const wrong of [{ metadata: { order: 'A2' } }, { amount: 125 }, { currency: 'eur' }]) {
      const request = startRequest(GOOD_CARD)
      server.answerWith(() => ({ status: 200, body: { ...openedFor(request), ...wrong } }))
      const before = server.requests.length
      assert.equal((await scripted.start(request)).kind, 'unknown')
      assert.equal(server.requests.length, before + 1)
    }
  })

  it('is not asked for, cancelled or refunded by the response about another one', async () => {
    for (const wrong of [{ metadata: { order: 'A2' } }, { amount: 125 }, { currency: 'eur' }]) {
      const request = startRequest(GOOD_CARD)
      const refund = { ...request, refundReference: makeId('R', 10_001, now), refund: request.money }
      server.answerWith(() => ({ status: 200, body: { ...openedFor(request), ...wrong } }))
      const before = server.requests.length
      for (const call of [() => scripted.ask(request), () => scripted.cancel(request)])
        assert.deepEqual(await call(), { kind: 'unknown', why: 'Stripe responded about another payment' })
      assert.equal((await scripted.refund(refund)).kind, 'unknown')
      assert.equal(server.requests.length, before + 3)
    }
  })

  it('declines no payment by the decline of another one', async () => {
    const request = startRequest(GOOD_CARD)
    const decline = (id: string) => ({ type: 'card_error', code: 'card_declined', payment_intent: { id } })
    const outcomeWith = async (id: string) => {
      server.answerWith(({ path }) =>
        path.endsWith('/confirm')
          ? { status: 402, body: { error: decline(id) } }
          : { status: 200, body: openedFor(request) },
      )
      return (await scripted.start(request)).kind
    }
    assert.deepEqual(
      { other: await outcomeWith('pi_2'), same: await outcomeWith('pi_1') },
      { other: 'unknown', same: 'failed' },
    )
  })

  it('is unknown if another request is in progress, and Stripe cannot be reached afterwards', async () => {
    const leaving = await openScriptedServer()
    leaving.answerWith(() => {
      setTimeout(() => leaving.close(), 50)
      return { status: 409, body: { error: { type: 'idempotency_error' } } }
    })
    const there = connectChannel({ ...entry, url: leaving.url }, 'card', tools)
    assert.equal((await there.start(startRequest(GOOD_CARD))).kind, 'unknown')
  })

  it('refuses the payment, but decides nothing about an older one, when the key has expired', async () => {
    const error = { error: { type: 'invalid_request_error', message: 'Expired API Key provided' } }
    const outcome = await starting(401, error)
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'unauthorised')
    const attempt = startRequest(GOOD_CARD)
    assert.equal((await scripted.ask(attempt)).kind, 'unknown')
    assert.equal((await scripted.cancel({ ...attempt, channelRef: 'pi_1' })).kind, 'unknown')
    const refund = { ...attempt, channelRef: 'pi_1', refundReference: 'R1', refund: attempt.money }
    assert.equal((await scripted.refund(refund)).kind, 'unknown')
    const checked = await connectEntry({ ...entry, url: server.url }, tools).check(
      AbortSignal.timeout(60_000),
    )
    assert.equal(checked.isRight, false)
    assert.match(checked.message, /secretKey/)
  })

  it('never comes if nothing listens, which is certain', async () => {
    const nobody = connectChannel({ ...entry, url: 'http://127.0.0.1:1' }, 'card', tools)
    const outcome = await nobody.start(startRequest(GOOD_CARD))
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'unreachable')
    assert.equal((await nobody.ask(startRequest(GOOD_CARD))).kind, 'unknown')
  })

  it('that wants the payer to do what our pages cannot show leaves nothing open: the payment is cancelled', async (t) => {
    const proxy = await openFaultyProxy(String(entry.url))
    t.after(() => proxy.close())
    const hide = (body: string) => body.replaceAll('redirect_to_url', 'use_stripe_sdk')
    proxy.meet(change((answer) => ({ ...answer, body: hide(answer.body) })))
    const there = connectChannel({ ...entry, url: proxy.url }, 'card', tools)
    const request = startRequest('4000000000003220')
    const { reference, money } = request
    assert.equal((await there.start(request)).kind, 'unknown')
    const outcome = await there.ask({ reference, money })
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'cancelled', outcome.kind)
    // If the payer has seen an action, the payment stays open, even if Stripe now reports an unknown action.
    const shown = startRequest('4000000000003220')
    const waiting = await channel.start(shown)
    assert.equal(waiting.kind, 'pending')
    assert.equal((await there.ask({ ...shown, ...waiting })).kind, 'pending')
  })

  it('is right to a check with the right key', async () => {
    const { isRight } = await connectEntry(entry, tools).check(AbortSignal.timeout(60_000))
    assert.equal(isRight, true)
  })
})

describe('a payment at Stripe whose key has expired', () => {
  it('is found by our reference in the list, and one that is not there is closed', async () => {
    const paid = startRequest(GOOD_CARD)
    assert.equal((await channel.start(paid)).kind, 'succeeded')
    const missing = startRequest(GOOD_CARD)
    now = new Date(now.getTime() + 30 * 3_600_000)
    const { reference, money } = paid
    assert.equal((await channel.ask({ reference, money })).kind, 'succeeded')
    const outcome = await channel.ask({ reference: missing.reference, money })
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'cancelled')
    now = new Date()
  })

  it('is found if our clock was ahead of that of Stripe: else it would count as failed, and stay charged', async () => {
    const { reference, money, ...rest } = startRequest(GOOD_CARD, new Date(now.getTime() + 5 * 60_000))
    assert.equal((await channel.start({ reference, money, ...rest })).kind, 'succeeded')
    now = new Date(now.getTime() + 30 * 3_600_000)
    assert.equal((await channel.ask({ reference, money })).kind, 'succeeded')
    now = new Date()
  })
})

describe('events of Stripe', () => {
  it('report a dispute at each stage, and the list of disputes has it too', async () => {
    const request = startRequest(GOOD_CARD)
    const since = new Date(now.getTime() - 1000)
    assert.equal((await channel.start(request)).kind, 'succeeded')
    const intent = account.findByOrder(request.reference)
    assert.ok(intent)
    const id = disputes.open(intent)
    disputes.move(id, 'won')
    disputes.move(id, 'lost')
    const about = () =>
      accepted()
        .flatMap((one) => one.disputes ?? [])
        .filter((one) => one.disputeRef === id)
    assert.ok(await eventually(async () => about().length === 3))
    // Events may arrive in any order. So each event makes the gateway report the dispute's current stage.
    assert.ok(about().some(({ stage, reference }) => stage === 'lost' && reference === request.reference))
    const listed = await channel.disputes?.(since)
    assert.ok(listed?.kind === 'listed')
    assert.deepEqual(
      listed.list.map(({ disputeRef, money, stage }) => ({ disputeRef, money, stage })),
      [{ disputeRef: id, money: request.money, stage: 'lost' }],
    )
  })

  it('report a refund as failed if it never succeeded, and as returned if it did; a query says the same', async () => {
    const request = startRequest(GOOD_CARD)
    const paid = await channel.start(request)
    assert.ok(paid.kind === 'succeeded')
    const give = (amount: bigint) => ({
      ...request,
      refundReference: makeId('R', 10_001, now),
      refund: { amount, currency: 'USD' },
    })
    const reported = async (reference: string, kind: string) =>
      eventually(async () =>
        accepted()
          .flatMap((one) => one.refunds ?? [])
          .some(({ refundReference, outcome }) => refundReference === reference && outcome.kind === kind),
      )
    const [declined, sent] = [give(666n), give(100n)]
    for (const one of [declined, sent]) assert.equal((await channel.refund(one)).kind, 'pending')
    assert.ok(await reported(declined.refundReference, 'failed'))
    assert.equal((await channel.refund(declined)).kind, 'failed')
    assert.ok(await reported(sent.refundReference, 'succeeded'))
    const [newest] = refunds.listOf(paid.channelRef)
    refunds.sendBack(String(newest?.id))
    assert.ok(await reported(sent.refundReference, 'returned'))
    const back = await channel.refund(sent)
    assert.ok(back.kind === 'returned')
    assert.equal(back.money, undefined, 'a refund contains only the amount that was sent')
  })

  it('about a refund that somebody made in the dashboard raise one alarm, and one more if it comes back', async () => {
    const request = startRequest(GOOD_CARD)
    const paid = await channel.start(request)
    assert.ok(paid.kind === 'succeeded')
    const refundAtStripe = async (amount: string) => {
      const before = results.length
      await fetch(`${entry.url}/refunds`, {
        method: 'POST',
        headers: { authorization: `Bearer ${entry.secretKey}` },
        body: new URLSearchParams({ payment_intent: paid.channelRef, amount }),
      })
      // One event reports that the refund was made, and another event reports its outcome.
      assert.ok(await eventually(() => results.length > before + 1))
      return String(refunds.listOf(paid.channelRef)[0]?.id)
    }
    const about = (id: string) =>
      alarms.filter(([reference, what]) => reference === request.reference && what.includes(id))
    const failed = await refundAtStripe('666')
    const id = await refundAtStripe('100')
    assert.ok(await eventually(() => about(id).length > 0))
    refunds.sendBack(id)
    assert.ok(await eventually(() => about(id).length > 1))
    const [made = '', back = '', ...others] = about(id).map(([, what]) => what)
    assert.match(made, / 1.00 USD .*ledger correct/)
    assert.match(back, /came back/)
    assert.deepEqual({ others, failed: about(failed) }, { others: [], failed: [] })
    assert.equal((await channel.ask(request)).kind, 'succeeded')
  })

  it('about a dispute that cannot be read are acknowledged, or Stripe would give up the endpoint, and reported once', async () => {
    const request = startRequest(GOOD_CARD)
    assert.equal((await channel.start(request)).kind, 'succeeded')
    const intent = account.findByOrder(request.reference)
    assert.ok(intent)
    const id = disputes.open(intent, 'mediation')
    const about = () => alarms.filter(([reference]) => reference === request.reference)
    assert.ok(await eventually(() => about().length > 0), 'its event')
    await channel.disputes?.(now)
    const [[, what] = [], ...others] = about()
    assert.match(what ?? '', new RegExp(id))
    assert.deepEqual(others, [])
    assert.ok(!results.some((one) => one.kind === 'refused' && one.why.includes('dispute')))
  })

  it('about payments of others are acknowledged and ignored', async () => {
    const before = results.length
    account.create({ amount: '1250', currency: 'usd', payment_method_types: ['card'] })
    assert.ok(await eventually(async () => results.length > before))
    assert.ok(results.slice(before).every((one) => one.kind === 'accepted' && one.reports.length === 0))
  })
})

describe('settings of Stripe', () => {
  it('are refused with one sentence that names the channel and the setting, and quotes no secret', () => {
    const wrong = { secretKey: '', webhookSecret: undefined, url: 'ftp://secret' }
    for (const [name, value] of Object.entries(wrong))
      assert.throws(
        () => connectEntry({ ...entry, [name]: value }, tools),
        (error: Error) =>
          error.message.includes(`stripe: "${name}"`) && !/sk_|whsec|secret$/.test(error.message),
      )
    for (const methods of [['sepa'], ['card', 'payout_card']])
      assert.throws(() => connectEntry({ ...entry, methods }, tools), /serves card, alipay/)
  })

  it("must not be of Stripe's test mode in a live gateway", async () => {
    const live = { ...tools, isLive: true }
    const at = (url: string, secretKey: string) => ({ ...entry, url, secretKey })
    for (const key of ['sk_test_1', 'rk_test_1', 'pk_live_1'])
      assert.throws(
        () => connectEntry(at('https://api.stripe.com/v1', key), live),
        (error: Error) => /"secretKey" must be/.test(error.message) && !error.message.includes(key),
      )
    for (const key of ['sk_live_1', 'rk_live_1']) connectEntry(at('https://api.stripe.com', key), live)
    connectEntry(at('https://api.stripe.com', 'sk_test_1'), tools)
    const checkOf = async (livemode: boolean | undefined) => {
      const data = [{ id: 'pi_1', object: 'payment_intent', livemode }]
      server.answerWith(() => ({ status: 200, body: { object: 'list', data, has_more: false } }))
      return connectEntry(at(server.url, 'sk_x'), live).check(AbortSignal.timeout(60_000))
    }
    assert.match((await checkOf(false)).message, /test mode/)
    for (const mode of [true, undefined]) assert.equal((await checkOf(mode)).isRight, true)
  })
})
