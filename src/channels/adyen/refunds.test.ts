// Refunds whose response is lost: sent again as long as Adyen has their key, and not a day longer.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type AdyenWorld, cardRequest, openAdyenWorld } from '../../../test/adyen.ts'
import { makeReference } from '../../../test/channel-driver.ts'
import { type Fault, type FaultyProxy, openFaultyProxy, respond } from '../../../test/faulty-proxy.ts'
import type { Channel, RefundOutcome, RefundRequest } from '../contract.ts'

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

async function aRefund(): Promise<RefundRequest> {
  const request = cardRequest(EUR, {})
  const paid = await channel().start(request)
  assert.equal(paid.kind, 'succeeded')
  await world.delivered()
  const { reference } = request
  return { reference, money: EUR, channelRef: paid.channelRef, refundReference: makeReference(), refund: EUR }
}

/** On a day from now, while refunds meet the fault. */
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
    assert.equal((await refundOn(0, asked, respond(401, '{}'))).kind, 'unknown')
    assert.equal((await refundOn(7, asked, breaks)).kind, 'unknown')
    assert.ok(sent > 0)
    assert.equal((await refundOn(8, asked, respond(403, '{}'))).kind, 'unknown')
    const late = await refundOn(13.1, asked, undefined)
    assert.ok(late.kind === 'unknown' && /decide it by hand/.test(late.why))
  })

  it('is known by its response for ever', async () => {
    const asked = await aRefund()
    assert.equal((await refundOn(0, asked, breaks)).kind, 'unknown')
    assert.notEqual((await refundOn(1, asked, undefined)).kind, 'unknown')
    await world.delivered()
    assert.equal((await refundOn(90, asked, breaks)).kind, 'succeeded')
  })
})
