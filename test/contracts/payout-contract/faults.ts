// Lost and changed responses. Between the first byte sent and a response that was understood, the outcome is unknown. A
// query finds the outcome, and sending again never pays twice.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  change,
  type Fault,
  type FaultyProxy,
  loseAnswer,
  loseRequest,
  openFaultyProxy,
  respond,
} from '../../counterparties/faulty-proxy.ts'
import { makeReference } from '../channel-driver.ts'
import type { PayoutSuite } from '../payout-driver.ts'
import { assertForeign, assertOpen, otherThan, refOf, settled, shown } from './outcomes.ts'

const [HASTY_MS, PATIENT_MS] = [800, 60_000]
/** An address at which no server listens. */
const NOWHERE = 'http://127.0.0.1:1'

const refusals = [401, 403, 404, 408, 409, 429, 500, 502, 503, 504]
const rubbish = ['', '<html>', '{}', 'null', '[]', '"succeeded"', '{"status":"succeeded"}', '{'.repeat(5_000)]

export function testPayoutFaults(suite: PayoutSuite): void {
  const { driver, rail } = suite
  let proxy: FaultyProxy
  before(async () => {
    proxy = await openFaultyProxy(driver().url)
  })
  after(() => proxy.close())
  const meeting = (fault: Fault, timeoutMs = PATIENT_MS) => {
    proxy.meet(fault, driver().isAboutPayout)
    return driver().connect(proxy.url, timeoutMs)
  }
  const aPayout = () => driver().request('pays', makeReference())

  it('reports unknown without a response; asking finds that nothing arrived, and it is sent again', async () => {
    const request = aPayout()
    const hasty = await meeting(loseRequest, HASTY_MS).send(request)
    // A slow machine may have sent nothing by then, and needs more time.
    const isUnsent = hasty.kind === 'failed' && hasty.cause === 'unreachable'
    const sent = isUnsent ? await meeting(loseRequest, 10 * HASTY_MS).send(request) : hasty
    assert.equal(sent.kind, 'unknown', shown(sent))
    if (driver().asksBySending) assertOpen(await rail().send(request))
    else assert.deepEqual(await rail().ask(request.reference), { kind: 'absent' })
    assertOpen(await rail().send(request))
    assert.equal((await settled(suite, request.reference)).kind, 'succeeded')
    assert.equal(await driver().countPaid(request.reference), 1)
  })

  it('reports unknown without a response; asking finds the payout, and sending again changes nothing', async () => {
    const request = aPayout()
    const sent = await meeting(loseAnswer).send(request)
    assert.equal(sent.kind, 'unknown', shown(sent))
    const found = await rail().ask(request.reference)
    assert.ok(found.kind !== 'absent')
    assertOpen(found)
    const again = await rail().send(request)
    if (again.kind !== 'unknown') assert.equal(refOf(again), refOf(found), shown(again))
    assert.equal((await settled(suite, request.reference)).kind, 'succeeded')
    assert.equal(await driver().countPaid(request.reference), 1)
  })

  it('fails for certain only if nothing was sent; a query then is unknown', async () => {
    const request = aPayout()
    const nowhere = driver().connect(NOWHERE, PATIENT_MS)
    const sent = await nowhere.send(request)
    assert.equal(sent.kind === 'failed' ? sent.cause : sent.kind, 'unreachable')
    assert.equal((await nowhere.ask(request.reference)).kind, 'unknown')
  })

  it('reports what the counterparty says was paid, for the caller to compare', async () => {
    const request = aPayout()
    await rail().send(request)
    await settled(suite, request.reference)
    const other = { amount: request.money.amount + 7n, currency: request.money.currency }
    const asked = await meeting(change((answer) => driver().forge.amount(answer, other))).ask(
      request.reference,
    )
    assert.equal(asked.kind, 'succeeded', shown(asked))
    assert.deepEqual(asked.money, other)
  })

  it('takes another currency that the counterparty echoes for no success in ours; or there is none', async () => {
    const { currency: forge } = driver().forge
    if (forge === undefined) return
    const request = aPayout()
    await rail().send(request)
    assert.equal((await settled(suite, request.reference)).kind, 'succeeded')
    for (const currency of [otherThan(request.money.currency), 'XXX', '']) {
      const forged = meeting(change((answer) => forge(answer, currency)))
      assertForeign(await forged.ask(request.reference), currency)
      const again = await forged.send(request)
      if (again.kind !== 'processing') assertForeign(again, currency)
    }
  })

  it('reports unknown for a state that it has never seen', async () => {
    const request = aPayout()
    const strange = meeting(change((answer) => driver().forge.state(answer)))
    const sent = await strange.send(request)
    assert.equal(sent.kind, 'unknown', shown(sent))
    await settled(suite, request.reference)
    const asked = await strange.ask(request.reference)
    assert.equal(asked.kind, 'unknown', shown(asked))
  })

  it('ends no payout because of an error on the way: limits, failures, foreign pages', async () => {
    for (const status of refusals) {
      const request = aPayout()
      const broken = meeting(respond(status))
      const sent = await broken.send(request)
      assert.ok(isOpenEnded(sent), `${status}: ${shown(sent)}`)
      const asked = await broken.ask(request.reference)
      assert.equal(asked.kind, 'unknown', `${status}: ${shown(asked)}`)
    }
  })

  it('reports unknown if the counterparty acted and the response was replaced by an error', async () => {
    for (const status of refusals) {
      const request = aPayout()
      const sent = await meeting(change((answer) => ({ ...answer, status, body: '<html>' }))).send(request)
      // A failed outcome would send the payout by another channel, and pay it twice.
      assert.equal(sent.kind, 'unknown', `${status}: ${shown(sent)}`)
      assert.equal((await settled(suite, request.reference)).kind, 'succeeded')
    }
  })

  it('reports unknown for a malformed response', async () => {
    for (const body of rubbish) {
      const request = aPayout()
      const broken = meeting(respond(200, body))
      const sent = await broken.send(request)
      assert.equal(sent.kind, 'unknown', `${body.slice(0, 30)}: ${shown(sent)}`)
      const asked = await broken.ask(request.reference)
      // A list without the payout may mean that there is none.
      if (body !== '[]') assert.equal(asked.kind, 'unknown', `${body.slice(0, 30)}: ${shown(asked)}`)
    }
  })

  it('pays nothing with credentials that the counterparty does not accept, and ends nothing', async () => {
    const request = aPayout()
    const stranger = driver().connectAsStranger(driver().url, PATIENT_MS)
    const sent = await stranger.send(request)
    assert.ok(isOpenEnded(sent), shown(sent))
    assert.equal((await stranger.ask(request.reference)).kind, 'unknown')
    assert.equal(await driver().countPaid(request.reference), 0)
    assertOpen(await rail().send(request))
  })
}

/** True if the payout may still be sent: the outcome is unknown, or is certain for this call only. */
function isOpenEnded(outcome: { readonly kind: string; readonly cause?: string }): boolean {
  if (outcome.kind !== 'failed') return outcome.kind === 'unknown'
  return outcome.cause === 'unauthorised' || outcome.cause === 'unreachable'
}
