// Faults between a channel and its counterparty: errors on the way, responses that are replaced or malformed,
// credentials that are no longer accepted, and clocks that differ. No fault may end a payment or a refund, and no
// outcome may contain a secret.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Channel, Outcome, RefundOutcome, StartRequest } from '../../../src/rails/contract/channel.ts'
import {
  change,
  type FaultyProxy,
  openFaultyProxy,
  type ProxyAnswer,
  respond,
} from '../../counterparties/faulty-proxy.ts'
import { type Given, makeReference, type Suite } from '../channel-driver.ts'
import { assertPaid, paidBy, pay, shown } from './outcomes.ts'

/** The statuses that an intermediary may return instead of the counterparty. */
export const errors = [404, 408, 429, 500, 502, 503]
export const rubbish = ['', '<html>', '{}', 'null', '{"status":"succeeded"}']
const HOUR_MS = 3_600_000

export function testFaults(suite: Suite): void {
  const { given, driver } = suite
  const faults = () => driver().faults ?? assert.fail('the driver of a protocol has faults')
  let proxy: FaultyProxy
  const seen: unknown[] = []
  before(async () => {
    proxy = await openFaultyProxy(faults().url)
  })
  after(() => proxy.close())
  const meeting = (...[fault]: Parameters<FaultyProxy['meet']>) => {
    proxy.meet(fault, faults().isAboutPayment)
    return faults().connect({ url: proxy.url })
  }
  const noted = async <Result>(outcome: Promise<Result>): Promise<Result> => {
    seen.push(await outcome)
    return outcome
  }
  const starting = (channel: Channel, request: StartRequest) => noted(channel.start(request))

  async function paid(): Promise<Given & { truth: Outcome }> {
    const made = given('pays')
    const truth = await pay(suite, made, 'approve')
    assertPaid(truth, made.request.money)
    return { ...made, truth }
  }

  /**
   * Checks that no payment ends. An outcome must be unknown or, if the channel knows it from its own records, the
   * truth. The outcome of a refund must be unknown.
   */
  async function assertNothingEnds(
    channel: Channel,
    { attempt, truth }: Given & { truth: Outcome },
    why: string,
  ) {
    for (const outcome of [await noted(channel.ask(attempt)), await noted(channel.cancel(attempt))])
      if (outcome.kind !== 'unknown') assert.deepEqual(outcome, truth, why)
    const refund = { ...attempt, refundReference: makeReference(), refund: attempt.money }
    const outcome = await noted(channel.refund(refund))
    if (channel.traits.refundable) assert.equal(outcome.kind, 'unknown', `${why}: ${shown(outcome)}`)
  }

  it('ends nothing because of an error on the way: limits, failures, foreign pages', async () => {
    const made = await paid()
    for (const status of errors) {
      const broken = meeting(respond(status))
      assertUnsure(await starting(broken, given('pays').request), String(status))
      await assertNothingEnds(broken, made, String(status))
    }
  })

  it('ends nothing because of a malformed response', async () => {
    const made = await paid()
    for (const body of rubbish) {
      const broken = meeting(respond(200, body))
      assertUnsure(await starting(broken, given('pays').request), body.slice(0, 30))
      await assertNothingEnds(broken, made, body.slice(0, 30))
    }
  })

  it('reports unknown if the counterparty acted and its response was replaced by an error', async () => {
    for (const status of [401, 403, 404, 409, 429, 500, 502]) {
      const made = given('pays')
      const replaced = meeting(change((answer) => ({ ...answer, status, headers: {}, body: '<html>' })))
      const started = await starting(replaced, made.request)
      assert.equal(started.kind, 'unknown', `${status}: ${shown(started)}`)
      await assertTruth(made, String(status))
    }
  })

  it('books no other sum of money than the counterparty echoes', async () => {
    const made = await paid()
    const { amount, currency } = made.attempt.money
    let echoed = 0
    for (const other of [
      { amount: amount + 7n, currency },
      { amount, currency: currency === 'EUR' ? 'USD' : 'EUR' },
    ]) {
      let isForged = false
      const forge = (answer: ProxyAnswer) => {
        const forged = faults().forge.money(answer, other)
        // Some answers name no amount, or no currency.
        isForged ||= forged.body !== faults().forge.money(answer, made.attempt.money).body
        return forged
      }
      /** Checks an outcome after a forged answer. A channel may answer from its own records instead. */
      const assertEcho = (outcome: Outcome | RefundOutcome, why: string) => {
        seen.push(outcome)
        assert.notEqual(outcome.kind, 'failed', `${why}: ${shown(outcome)}`)
        if (isForged && (outcome.kind === 'succeeded' || outcome.kind === 'received')) {
          const isTrue = faults().comesByMessage && shown(paidBy(outcome)) === shown(made.attempt.money)
          if (!isTrue) assert.deepEqual(paidBy(outcome), other, why)
        }
        if (isForged) echoed += 1
        isForged = false
      }
      const liar = meeting(change(forge))
      assertEcho(await liar.start(given('pays').request), 'start')
      assertEcho(await liar.ask(made.attempt), 'ask')
      assertEcho(await liar.cancel(made.attempt), 'cancel')
      const half = { amount: amount / 2n, currency }
      const refund = { ...(await paid()).attempt, refundReference: makeReference(), refund: half }
      if (liar.traits.refundable) assertEcho(await liar.refund(refund), 'refund')
    }
    assert.ok(echoed > 0, 'no answer names an amount')
  })

  it('charges nothing with credentials that are not accepted, and ends nothing', async () => {
    const made = await paid()
    const stranger = faults().connectAsStranger()
    const refused = given('pays')
    const started = await starting(stranger, refused.request)
    assert.ok(started.kind === 'failed' || started.kind === 'unknown', shown(started))
    if (started.kind === 'failed') assert.notEqual(started.cause, 'declined')
    await assertNothingEnds(stranger, made, 'a stranger')
    await assertTruth(refused, 'a stranger')
    assert.equal(await driver().isCharged(refused.reference), false)
  })

  it('tells the truth although the clocks differ', async () => {
    for (const ms of [-HOUR_MS, HOUR_MS]) {
      const skewed = faults().connect({ clock: { now: () => new Date(Date.now() + ms) } })
      const made = given('pays')
      const started = await starting(skewed, made.request)
      if (started.kind === 'failed') assert.match(started.cause, /^(?:refused|unauthorised)$/, shown(started))
      await assertTruth(made, `${ms} ms`)
      await assertReads(skewed, await paid())
    }
  })

  it('puts no secret and no card number into an outcome', () => {
    const text = shown(seen)
    const { card } = given('pays').request
    const secrets = [...faults().secrets, ...(card === undefined ? [] : [card.number])]
    assert.ok(seen.length > 20 && secrets.length > 0)
    for (const secret of secrets) assert.ok(!text.includes(secret))
  })

  /** Checks the outcome against the counterparty's records. */
  async function assertTruth({ channel, attempt, reference }: Given, why: string): Promise<void> {
    const truth = await noted(channel.ask(attempt))
    assert.ok(truth.kind !== 'unknown', `${why}: ${shown(truth)}`)
    const isPaid = truth.kind === 'succeeded' || truth.kind === 'received'
    assert.equal(isPaid, await driver().isCharged(reference), `${why}: ${shown(truth)}`)
  }

  /** Checks that a callback is accepted with the truth, or refused so that it comes again. */
  async function assertReads(
    channel: Channel,
    { reference, truth }: Given & { truth: Outcome },
  ): Promise<void> {
    const { push } = driver()
    if (push.kind !== 'callback') return
    for (const callback of push.received().slice(-3)) {
      const read = await channel.readCallback?.(callback)
      if (read?.kind === 'refused') assert.ok(read.answer.status >= 400)
      else
        for (const report of read?.reports ?? [])
          if (report.reference === reference) assert.deepEqual(report.outcome, truth)
    }
  }
}

/** Checks that the outcome is unknown, or that the request was certainly not sent. */
function assertUnsure(outcome: Outcome | RefundOutcome, why: string): void {
  const isUnsent = outcome.kind === 'failed' && outcome.cause === 'unreachable'
  assert.ok(outcome.kind === 'unknown' || isUnsent, `${why}: ${shown(outcome)}`)
}
