// Tests refunds with a lost response, which are retried only while Adyen keeps their idempotency key. Also tests
// webhooks about refunds in any order, and currencies whose decimals at Adyen differ from ISO 4217.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makePsp } from '../../../../sandbox/adyen/book.ts'
import { type NewItem, notification } from '../../../../sandbox/adyen/signature.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { type AdyenWorld, cardRequest, openAdyenWorld } from '../../../../test/counterparties/adyen.ts'
import {
  type Fault,
  type FaultyProxy,
  loseAnswer,
  openFaultyProxy,
  respond,
} from '../../../../test/counterparties/faulty-proxy.ts'
import type { Channel, RefundOutcome, RefundRequest } from '../../contract/channel.ts'

const DAY_MS = 86_400_000
const EUR = { amount: 25_00n, currency: 'EUR' }
const isRefund = (path: string) => path.endsWith('/refunds')

let world: AdyenWorld
let proxy: FaultyProxy
let day = 0
let sent = 0
before(async () => {
  world = await openAdyenWorld()
  proxy = await openFaultyProxy(world.url)
})
after(async () => {
  await proxy.close()
  await world.close()
})

function channel(url = world.settings('card').url): Channel {
  const clock = { now: () => new Date(Date.now() + day * DAY_MS) }
  const [found] = world.connect({ ...world.settings('card'), url }, 5_000, clock).channels
  return found ?? assert.fail()
}

async function aRefund(money = EUR): Promise<RefundRequest> {
  const request = cardRequest(money, {})
  const paid = await channel().start(request)
  assert.equal(paid.kind, 'succeeded')
  await world.delivered()
  const { reference } = request
  return { reference, money, channelRef: paid.channelRef, refundReference: makeReference(), refund: money }
}

/** Requests the refund `when` days from now. The fault applies to every request for a refund. */
async function refundOn(
  when: number,
  asked: RefundRequest,
  fault: Fault | undefined,
): Promise<RefundOutcome> {
  day = when
  sent = 0
  proxy.meet((forward, request) => {
    sent += 1
    return fault === undefined ? forward() : fault(forward, request)
  }, isRefund)
  const outcome = await channel(`${proxy.url}${new URL(String(world.settings('card').url)).pathname}`).refund(
    asked,
  )
  day = 0
  return outcome
}

const breaks: Fault = async () => 'break'

describe('a refund without a response', () => {
  it('is sent again for six days, and is then left to an operator', async () => {
    const asked = await aRefund()
    assert.equal((await refundOn(0, asked, breaks)).kind, 'unknown')
    assert.equal((await refundOn(5.9, asked, breaks)).kind, 'unknown')
    assert.ok(sent > 0)
    const late = await refundOn(6.1, asked, undefined)
    assert.ok(late.kind === 'unknown' && /decide it by hand/.test(late.why))
    assert.equal(sent, 0)
  })

  it('counts its days from the first call that may have arrived', async () => {
    const asked = await aRefund()
    assert.equal((await refundOn(0, asked, respond(401, '{"errorCode":"000"}'))).kind, 'unknown')
    assert.equal((await refundOn(7, asked, breaks)).kind, 'unknown')
    assert.ok(sent > 0)
    assert.equal((await refundOn(8, asked, respond(403, '{"errorCode":"901"}'))).kind, 'unknown')
    const late = await refundOn(13.1, asked, undefined)
    assert.ok(late.kind === 'unknown' && /decide it by hand/.test(late.why))
  })

  it('is unknown if Adyen answers about another one, and a webhook about that one does not decide it', async () => {
    const other = { amount: { value: 1, currency: 'EUR' } }
    for (const echoed of [{ reference: 'another' }, other, { amount: { value: 2500, currency: 'USD' } }]) {
      const asked = await aRefund()
      const psp = makePsp()
      const body = { pspReference: psp, reference: asked.refundReference, status: 'received', ...echoed }
      assert.equal((await refundOn(0, asked, respond(201, JSON.stringify(body)))).kind, 'unknown')
      assert.deepEqual(await world.store.listOf('refund', asked.refundReference), [])
    }
  })

  it('is known by its response for ever', async () => {
    const asked = await aRefund()
    assert.equal((await refundOn(0, asked, breaks)).kind, 'unknown')
    assert.notEqual((await refundOn(1, asked, undefined)).kind, 'unknown')
    await world.delivered()
    assert.equal((await refundOn(90, asked, breaks)).kind, 'succeeded')
  })

  it('and whose webhook comes first is made once', async () => {
    for (const fault of [loseAnswer, replaced(429), replaced(500)]) {
      const asked = await aRefund()
      assert.equal((await refundOn(0, asked, fault)).kind, 'unknown')
      await world.delivered()
      assert.equal((await refundOn(1, asked, undefined)).kind, 'succeeded')
      const payment = world.adyen.book.findByReference(asked.reference)
      assert.equal(payment?.refunded, 2500)
    }
  })
})

/** Returns a fault: Adyen processes the request, and the proxy replaces the response by one with this status. */
const replaced =
  (status: number): Fault =>
  async (forward) => ({ ...(await forward()), status, headers: {}, body: '<html>' })

/** Sends a signed webhook about a refund. */
async function tell(pspReference: string, item: Partial<NewItem>) {
  const whole = {
    eventCode: 'REFUND',
    success: true,
    pspReference,
    merchantAccountCode: world.adyen.merchantAccount,
    merchantReference: 'A1',
    amount: { value: 2500, currency: 'EUR' },
    ...item,
  }
  const body = notification([whole], world.adyen.hmacKey)
  const callback = { method: 'POST', path: '/callbacks/adyen', query: '', headers: {}, body }
  const result = await channel().readCallback?.(callback)
  assert.ok(result?.kind === 'accepted' && result.answer.status === 200)
  return result
}

async function told(refundPsp: string, item: Partial<NewItem>): Promise<RefundOutcome | undefined> {
  return (await tell(refundPsp, item)).refunds?.[0]?.outcome
}

describe('a webhook about a refund', () => {
  /** Makes a refund that Adyen accepts without a decision, and returns its pspReference. */
  async function accepted(): Promise<string> {
    const asked = await aRefund()
    const pspReference = makePsp()
    const body = JSON.stringify({ pspReference, status: 'received' })
    assert.equal((await refundOn(0, asked, respond(201, body))).kind, 'pending')
    return pspReference
  }

  it('reports what Adyen has refunded, for the caller to compare; what we cannot express is unknown', async () => {
    const table = [
      [
        { value: 99, currency: 'EUR' },
        { amount: 99n, currency: 'EUR' },
      ],
      [
        { value: 2500, currency: 'USD' },
        { amount: 25_00n, currency: 'USD' },
      ],
    ] as const
    for (const [amount, money] of table)
      assert.partialDeepStrictEqual(await told(await accepted(), { amount }), { kind: 'succeeded', money })
    for (const currency of ['XXX', ''])
      assert.equal((await told(await accepted(), { amount: { value: 2500, currency } }))?.kind, 'unknown')
  })

  it('that takes a refund back counts, also before the one that it takes back', async () => {
    for (const eventCode of ['REFUND_FAILED', 'REFUNDED_REVERSED']) {
      const psp = await accepted()
      for (const event of [eventCode, 'REFUND', eventCode])
        assert.equal((await told(psp, { eventCode: event }))?.kind, 'returned')
    }
  })
})

describe('a currency with other decimals at Adyen', () => {
  const table: readonly (readonly [currency: string, ours: bigint, adyen: number])[] = [
    ['CLP', 1_250n, 125_000],
    ['ISK', 1_250n, 125_000],
    ['IDR', 125_000n, 1_250],
    ['JPY', 1_250n, 1_250],
    ['KWD', 12_505n, 12_505],
  ]
  for (const [currency, amount, value] of table)
    it(`is charged, refunded and disputed in full: ${currency}`, async () => {
      const asked = await aRefund({ amount, currency })
      const payment = world.adyen.book.findByReference(asked.reference)
      assert.deepEqual(payment?.amount, { value, currency })
      await channel().refund(asked)
      await world.delivered()
      const refunded = await channel().refund(asked)
      assert.partialDeepStrictEqual(refunded, { kind: 'succeeded', money: asked.money })
      assert.equal(payment?.refunded, value)
      const disputed = { eventCode: 'CHARGEBACK', amount: { value, currency } }
      const { disputes } = await tell(makePsp(), { ...disputed, merchantReference: asked.reference })
      assert.deepEqual(
        disputes?.map(({ money }) => money),
        [asked.money],
      )
    })
})
