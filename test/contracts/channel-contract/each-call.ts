// Runs every operation, with a mishap at each of its calls in turn: the call did not arrive, or the counterparty acted
// and its answer was lost or replaced. No mishap ends a payment, and at the end money has moved once.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Channel, Outcome, RefundOutcome, RefundRequest } from '../../../src/rails/contract/channel.ts'
import {
  change,
  type Fault,
  type FaultyProxy,
  loseAnswer,
  openFaultyProxy,
} from '../../counterparties/faulty-proxy.ts'
import { eventually, staysFalse } from '../../harness/eventually.ts'
import { type FaultAccess, type Given, makeReference, type Suite } from '../channel-driver.ts'
import { assertFailed, assertPaid, pay, shown, startWaiting } from './outcomes.ts'

const replaced = (status: number, body = '<html>') =>
  change((answer) => ({ ...answer, status, headers: {}, body }))

type Mishap = readonly [string, Fault]

const onTheWay: readonly Mishap[] = [
  ['it did not arrive', async () => 'break'],
  ['its answer was lost', loseAnswer],
  ...[401, 403, 404, 409, 429, 500, 503].map((status) => [`${status} came back`, replaced(status)] as const),
  ['nothing that is known came back', replaced(200, '{}')],
]
/**
 * Returns all mishaps: lost calls, lost or replaced answers, an unknown state, and the counterparty's own answers that
 * decide nothing, each with and without an effect of the call.
 */
function mishapsOf({ evasions, forge }: FaultAccess): readonly Mishap[] {
  const evaded = evasions.flatMap(({ what, answer }): readonly Mishap[] => [
    [`it was answered "${what}"`, async (_forward, request) => answer(request)],
    [
      `it was done and answered "${what}"`,
      async (forward, request) => {
        await forward()
        return answer(request)
      },
    ],
  ])
  return [...onTheWay, ...evaded, ['a state that nobody has seen came back', change(forge.state)]]
}

/** The maximum number of calls of an operation. */
const MOST_CALLS = 6
/** The time that a counterparty needs to report a refund. */
const UNDECIDED_MS = 3_000

export function testEachCall(suite: Suite): void {
  const { given, driver } = suite
  const faults = () => driver().faults ?? assert.fail('the driver of a protocol has faults')
  let proxy: FaultyProxy
  before(async () => {
    proxy = await openFaultyProxy(faults().url)
  })
  after(() => proxy.close())

  /** Runs one operation with each mishap at each of its calls. Returns the number of calls that met a mishap. */
  async function atEachCall<Made, Result>({
    prepare,
    operate,
    check,
  }: Operation<Made, Result>): Promise<number> {
    let met = 0
    for (const [name, mishap] of mishapsOf(faults()))
      for (let place = 1; place <= MOST_CALLS; place += 1) {
        const made = await prepare()
        let calls = 0
        const fault: Fault = (forward, request) => {
          calls += 1
          return calls === place ? mishap(forward, request) : forward()
        }
        proxy.meet(fault, faults().isAboutPayment)
        const result = await operate(faults().connect({ url: proxy.url }), made)
        proxy.meet(undefined)
        await check(made, result, `${name}, call ${place}`)
        if (calls < place) break
        met += 1
      }
    return met
  }

  async function paid(): Promise<Given & { truth: Outcome }> {
    const made = given('pays')
    const truth = await pay(suite, made, 'approve')
    assertPaid(truth, made.request.money)
    return { ...made, truth }
  }

  /** Returns the outcome once the counterparty can be asked again. */
  async function known(ask: () => Promise<Outcome>, why: string): Promise<Outcome> {
    let outcome = await ask()
    const isKnown = async () => {
      if (outcome.kind === 'unknown') outcome = await ask()
      return outcome.kind !== 'unknown'
    }
    assert.ok(await eventually(isKnown), `${why}: ${shown(outcome)}`)
    return outcome
  }

  async function payIfOpen({ channel, attempt }: Given, outcome: Outcome): Promise<Outcome> {
    if (outcome.kind !== 'pending') return outcome
    const { channelRef, action } = outcome
    const answer = await driver().act(action, 'approve')
    return channel.complete({ ...attempt, channelRef, action, answer })
  }

  it('opens a payment once, whichever call is lost, and knows what became of it', async () => {
    const met = await atEachCall({
      prepare: async () => given('pays'),
      operate: (channel, { request }) => channel.start(request),
      async check(made, started, why) {
        // Nothing was sent, or the counterparty was too busy to process the request.
        const isUnsent = started.kind === 'failed' && started.cause === 'unreachable'
        assert.ok(started.kind !== 'failed' || isUnsent, `${why}: ${shown(started)}`)
        const isOpen = started.kind === 'unknown' || isUnsent
        const found = isOpen ? await known(() => made.channel.ask(made.attempt), why) : started
        const truth = await payIfOpen(made, found)
        const isPaid = truth.kind === 'succeeded' || truth.kind === 'received'
        assert.equal(isPaid, await driver().isCharged(made.reference), `${why}: ${shown(truth)}`)
        if (isPaid) assertPaid(truth, made.request.money)
        else assertFailed(truth, 'cancelled')
      },
    })
    assert.ok(met >= onTheWay.length, `${met}`)
  })

  it('is paid once the payer is back, whichever call is lost', async () => {
    await atEachCall({
      async prepare() {
        const waiting = await startWaiting(suite)
        return { ...waiting, answer: await driver().act(waiting.action, 'approve') }
      },
      operate: (channel, { attempt, answer }) => channel.complete({ ...attempt, answer }),
      async check({ channel, attempt, answer, reference }, completed, why) {
        assert.notEqual(completed.kind, 'failed', `${why}: ${shown(completed)}`)
        const truth = await known(() => channel.complete({ ...attempt, answer }), why)
        assertPaid(truth, attempt.money)
        assert.equal(await driver().isCharged(reference), true, why)
      },
    })
  })

  it('says nothing but the truth about a paid payment, whichever call is lost', async () => {
    const made = await paid()
    for (const operation of ['ask', 'cancel'] as const)
      await atEachCall({
        prepare: async () => made,
        operate: (channel, { attempt }) => channel[operation](attempt),
        async check({ truth }, outcome, why) {
          if (outcome.kind !== 'unknown') assert.deepEqual(outcome, truth, `${operation}: ${why}`)
        },
      })
  })

  it('ends no payment that waits, whichever call of a query is lost', async () => {
    const { attempt, action, channel } = await startWaiting(suite)
    await atEachCall({
      prepare: async () => attempt,
      operate: (broken) => broken.ask(attempt),
      async check(_attempt, { kind }, why) {
        assert.ok(kind === 'unknown' || kind === 'pending', `${why}: ${kind}`)
      },
    })
    const answer = await driver().act(action, 'approve')
    assertPaid(await channel.complete({ ...attempt, answer }), attempt.money)
  })

  it('says that a payment is cancelled only if nobody can pay it, whichever call is lost', async () => {
    const met = await atEachCall({
      prepare: () => startWaiting(suite),
      operate: (channel, { attempt }) => channel.cancel(attempt),
      async check({ channel, attempt, action, reference }, first, why) {
        if (first.kind === 'failed') assertFailed(first, 'cancelled')
        else assertFailed(await known(() => channel.cancel(attempt), why), 'cancelled')
        const answer = await driver().act(action, 'approve')
        const outcome = await known(() => channel.complete({ ...attempt, answer }), why)
        assertFailed(outcome, 'cancelled')
        const late = outcome.deposits?.reduce((sum, { money }) => sum + money.amount, 0n) ?? 0n
        assert.equal(late > 0n, await driver().isCharged(reference), why)
      },
    })
    assert.ok(met >= onTheWay.length, `${met}`)
  })

  it('refunds once, whichever call is lost', async () => {
    if (!driver().channel.traits.refundable) return
    const asked: (readonly [RefundRequest, string])[] = []
    const met = await atEachCall({
      async prepare() {
        const { attempt } = await paid()
        const { amount, currency } = attempt.money
        return { ...attempt, refundReference: makeReference(), refund: { amount: amount / 2n, currency } }
      },
      operate: (channel, request) => channel.refund(request),
      async check(request, first, why) {
        assert.ok(first.kind !== 'failed' && first.kind !== 'returned', `${why}: ${shown(first)}`)
        asked.push([request, why])
      },
    })
    assert.ok(met >= onTheWay.length, `${met}`)
    // Counterparties need some time to decide.
    await Promise.all(asked.map(([request, why]) => assertRefundedOnce(request, why)))
  })

  /** Checks that the refund was made once: after a second refund, the rest could not be refunded any more. */
  async function assertRefundedOnce(request: RefundRequest, why: string): Promise<void> {
    const outcome = await decided(request)
    // A refund that may have arrived is left to an operator.
    if (driver().refundsAreNotRepeated && outcome.kind !== 'succeeded')
      return assert.ok(outcome.kind === 'pending' || outcome.kind === 'unknown', `${why}: ${shown(outcome)}`)
    assert.ok(outcome.kind === 'succeeded', `${why}: ${shown(outcome)}`)
    assert.deepEqual(outcome.money, request.refund, why)
    const { amount, currency } = request.money
    const rest = { amount: amount - request.refund.amount, currency }
    for (const [refund, kind] of [
      [rest, 'succeeded'],
      [{ amount: 1n, currency }, 'failed'],
    ] as const) {
      const next = await decided({ ...request, refundReference: makeReference(), refund })
      assert.equal(next.kind, kind, `${why}, then ${refund.amount}: ${shown(next)}`)
    }
  }

  async function decided(request: RefundRequest): Promise<RefundOutcome> {
    const { channel, refundsAreNotRepeated } = driver()
    let outcome = await channel.refund(request)
    const isOpen = () => outcome.kind === 'pending' || outcome.kind === 'unknown'
    const isDecided = async () => {
      if (isOpen()) outcome = await channel.refund(request)
      return !isOpen()
    }
    if (refundsAreNotRepeated) await staysFalse(isDecided, UNDECIDED_MS)
    else await eventually(isDecided)
    return outcome
  }

  it('knows of no disputes unless they were listed', async () => {
    const since = new Date(0)
    const truth = await driver().channel.disputes?.(since)
    if (truth === undefined) return
    assert.equal(truth.kind, 'listed')
    await atEachCall({
      prepare: async () => since,
      operate: async (channel) => channel.disputes?.(since),
      async check(_since, listed, why) {
        if (listed?.kind !== 'unknown') assert.deepEqual(listed, truth, why)
      },
    })
  })
}

type Operation<Made, Result> = {
  prepare(): Promise<Made>
  /** Operates a channel whose calls meet the mishap. */
  operate(channel: Channel, made: Made): Promise<Result>
  /** Checks the result after the mishap, when everything works again. */
  check(made: Made, result: Result, why: string): Promise<void>
}
