// The contract of src/rails/contract/channel.ts as tests, which cannot be skipped. There are three suites: for the
// first rail of a protocol, for the other rails of the protocol, and for channels that only read. Each rail provides a
// driver that controls its counterparty; the tests know nothing about the rail.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Money } from '../../src/platform/base/money.ts'
import { promises } from '../../src/rails/bridge-check/promises.ts'
import type { AttemptRef, Outcome } from '../../src/rails/contract/channel.ts'
import { eventually } from '../harness/eventually.ts'
import { testEachCall } from './channel-contract/each-call.ts'
import { testFaults } from './channel-contract/faults.ts'
import {
  assertFailed,
  assertPaid,
  assertWaiting,
  pay,
  shown,
  startWaiting,
} from './channel-contract/outcomes.ts'
import { testPushedResults } from './channel-contract/pushed-results.ts'
import { testTransfers } from './channel-contract/transfers.ts'
import {
  type Behaviour,
  type ChannelDriver,
  type Given,
  makeReference,
  type Suite,
} from './channel-driver.ts'

const HASTY_MS = 800
const MOST_HASTY_MS = 20_000

export function testChannelContract(name: string, open: () => Promise<ChannelDriver>): void {
  testParts(name, open, called)
}

/** Tests the first rail of each protocol more thoroughly, because other rails of the protocol make the same calls. */
export function testProtocolContract(name: string, open: () => Promise<ChannelDriver>): void {
  testParts(name, open, [...called, testFaults, testEachCall])
}

/**
 * Tests a channel that learns everything from what it reads by itself, such as a bank's files. Such a channel has no
 * call to lose and no message to forge, and a payer who declines simply does not pay.
 */
export function testReadingChannelContract(name: string, open: () => Promise<ChannelDriver>): void {
  testParts(name, open, parts)
}

const parts = [testOpening, testPayer, testExpiry, testTransfers, testRefund]
const called = [...parts, testDeclines, testSilence, testPushedResults]

function testParts(
  name: string,
  open: () => Promise<ChannelDriver>,
  list: readonly ((suite: Suite) => void)[],
): void {
  describe(`the channel contract, ${name}`, () => {
    let driver: ChannelDriver
    before(async () => {
      driver = await open()
    })
    after(() => driver.close())
    const given = (behaviour: Behaviour) => {
      const request = driver.request(behaviour, makeReference())
      const { reference, money } = request
      return { request, reference, attempt: { reference, money }, channel: driver.channel }
    }
    for (const part of list) part({ given, driver: () => driver })
  })
}

/** Tests another use of a rail if variants are switched on. `npm run test:more` runs all variants. */
export function testChannelVariant(name: string, open: () => Promise<ChannelDriver>): void {
  if (process.env.TOLLGATE_CHANNEL_VARIANTS === 'on') testChannelContract(name, open)
}

function testOpening(suite: Suite): void {
  const { given, driver } = suite

  it(promises.paid, async () => {
    const made = given('pays')
    const outcome = await pay(suite, made, 'approve')
    assertPaid(outcome, made.request.money)
    assert.notEqual(outcome.channelRef, '')
    assert.deepEqual(await made.channel.ask(made.attempt), outcome)
    assert.equal(await driver().isCharged(made.reference), true)
  })

  it(promises.once, async () => {
    const made = given('pays')
    const first = await made.channel.start(made.request)
    const again = await Promise.all([1, 2].map(() => made.channel.start(made.request)))
    assert.deepEqual(again, [first, first])
    const outcome = await pay(suite, made, 'approve')
    assertPaid(outcome, made.request.money)
  })

  it(promises.many, async () => {
    const all = Array.from({ length: 100 }, () => given('pays'))
    const outcomes = await Promise.all(all.map(({ channel, request }) => channel.start(request)))
    const refs = new Set(outcomes.map((outcome) => ('channelRef' in outcome ? outcome.channelRef : '')))
    assert.equal(refs.size, 100)
    assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))].length, 1)
  })

  it(promises.refused, async () => {
    const { channel, request, reference } = given('refused')
    assertFailed(await channel.start(request), 'refused')
    assert.equal(await driver().isCharged(reference), false)
  })
}

function testDeclines(suite: Suite): void {
  const { given, driver } = suite

  it(promises.declined, async () => {
    const made = given('declines')
    const outcome = await pay(suite, made, 'decline')
    assertFailed(outcome, 'declined')
    assert.notEqual(outcome.message, '')
    assert.deepEqual(await made.channel.ask(made.attempt), outcome)
    assert.equal(await driver().isCharged(made.reference), false)
  })

  it('fails when the payer declines', async () => {
    const { channel, attempt, action, reference } = await startWaiting(suite)
    const answer = await driver().act(action, 'decline')
    assertFailed(await channel.complete({ ...attempt, answer }), 'declined')
    assert.equal(await driver().isCharged(reference), false)
  })
}

function testSilence(suite: Suite): void {
  const { driver } = suite

  it('reports unknown without a response; a query finds that the payment was opened', async () => {
    const { made, truth } = await startUnanswered(suite)
    assert.deepEqual(await made.channel.ask(made.attempt), truth)
    if (driver().returnsActionOnce) {
      assertFailed(truth, 'cancelled')
      return assertFailed(await made.channel.start(made.request), 'cancelled')
    }
    // A card payment is already charged. All other payments wait for their payer.
    const paid =
      truth.kind === 'pending'
        ? await made.channel.complete({
            ...made.attempt,
            answer: await driver().act(truth.action, 'approve'),
          })
        : truth
    assertPaid(paid, made.request.money)
    assert.equal(await driver().isCharged(made.reference), true)
  })

  it('reports unknown without a response; a query finds that the payment was not opened, and closes the reference', async () => {
    const { channel, attempt, reference } = await startHastily(suite, 'silent-and-not-opened')
    assertFailed(await channel.ask(attempt), 'cancelled')
    const late = driver().request('pays', reference)
    assertFailed(await channel.start(late), 'cancelled')
    assert.equal(await driver().isCharged(reference), false)
  })
}

/** Starts a payment and stops waiting before the response. Allows more time if nothing was sent by then. */
async function startHastily(suite: Suite, behaviour: Behaviour, timeoutMs = HASTY_MS): Promise<Given> {
  const made = suite.given(behaviour)
  const outcome = await suite.driver().within(timeoutMs).start(made.request)
  const isUnsent = outcome.kind === 'failed' && outcome.cause === 'unreachable'
  if (isUnsent && timeoutMs < MOST_HASTY_MS) return startHastily(suite, behaviour, timeoutMs * 6)
  assert.equal(outcome.kind, 'unknown', shown(outcome))
  return made
}

/** Opens a payment and stops waiting before the response. Allows more time if the request did not arrive. */
async function startUnanswered(suite: Suite, timeoutMs = HASTY_MS): Promise<{ made: Given; truth: Outcome }> {
  const { returnsActionOnce } = suite.driver()
  const made = await startHastily(suite, 'silent-but-opened', timeoutMs)
  const truth = await made.channel.ask(made.attempt)
  const isLate = truth.kind === 'failed' && !returnsActionOnce && timeoutMs < MOST_HASTY_MS
  return isLate ? startUnanswered(suite, timeoutMs * 6) : { made, truth }
}

function testPayer(suite: Suite): void {
  const { driver } = suite

  it('waits for the payer, then succeeds; the same return again changes nothing', async () => {
    const { channel, attempt, action, reference } = await startWaiting(suite)
    const answer = await driver().act(action, 'approve')
    const outcome = await channel.complete({ ...attempt, answer })
    assertPaid(outcome, attempt.money)
    assert.deepEqual(await channel.complete({ ...attempt, answer }), outcome)
    assert.equal(await driver().isCharged(reference), true)
  })

  it('reports the true result of a payer whose browser never returned', async () => {
    const { channel, attempt, action, reference } = await startWaiting(suite)
    await driver().act(action, 'approve')
    const truth = await channel.ask(attempt)
    // If the browser brings the proof, a payer who does not return has not paid.
    if (driver().push.kind === 'browser') assert.equal(await driver().isCharged(reference), false)
    else assertPaid(truth, attempt.money)
  })

  it('is asked about while it waits, if at all, without an effect; what is not found there is unknown', async () => {
    const { channel, attempt, action, outcome, reference } = await startWaiting(suite)
    if (channel.askWaiting === undefined) return
    assert.deepEqual(await channel.askWaiting(attempt), outcome)
    await driver().act(action, 'approve')
    assertPaid(await channel.askWaiting(attempt), attempt.money)
    assert.equal(await driver().isCharged(reference), true)
    const unseen = suite.given('pays')
    assert.equal((await channel.askWaiting(unseen.attempt)).kind, 'unknown')
    assert.equal((await channel.start(unseen.request)).kind, 'pending')
  })

  it('does not trust the browser: nonsense, or the result of another payment, pays nothing', async () => {
    const other = await startWaiting(suite)
    const others = await driver().act(other.action, 'approve')
    for (const answer of [others, { cres: 'e30', id: 'x', token: 'x', status: 'succeeded' }, {}]) {
      const { channel, attempt, outcome, reference } = await startWaiting(suite)
      const result = await channel.complete({ ...attempt, answer })
      if (driver().push.kind !== 'browser') assert.deepEqual(result, outcome)
      else assert.ok(result.kind === 'pending' || result.kind === 'failed', result.kind)
      assert.equal(await driver().isCharged(reference), false)
    }
  })
}

function testExpiry(suite: Suite): void {
  const { given, driver } = suite

  it(promises.neverSeen, async () => {
    const { channel, request, attempt, reference } = given('pays')
    assertFailed(await channel.ask(attempt), 'cancelled')
    assertFailed(await channel.start(request), 'cancelled')
    assert.equal(await driver().isCharged(reference), false)
  })

  it(promises.cancelUnstarted, async () => {
    const { channel, request, attempt, reference } = given('pays')
    assertFailed(await channel.cancel(attempt), 'cancelled')
    assertFailed(await channel.cancel(attempt), 'cancelled')
    assertFailed(await channel.start(request), 'cancelled')
    assert.equal(await driver().isCharged(reference), false)
  })

  it(promises.cancelWaiting, async () => {
    const { channel, attempt, action, reference } = await startWaiting(suite)
    assertFailed(await channel.cancel(attempt), 'cancelled')
    const answer = await driver().act(action, 'approve')
    const outcome = await channel.complete({ ...attempt, answer })
    assertFailed(outcome, 'cancelled')
    const late = outcome.deposits?.reduce((sum, { money }) => sum + money.amount, 0n) ?? 0n
    assert.equal(late > 0n, await driver().isCharged(reference))
    assert.deepEqual(await channel.ask(attempt), outcome)
  })

  it(promises.cancelPaid, async () => {
    const made = given('pays')
    const outcome = await pay(suite, made, 'approve')
    assert.deepEqual(await made.channel.cancel(made.attempt), outcome)
  })

  it('expires after the time of its method', async () => {
    const { channel, attempt, outcome } = await startWaiting(suite)
    assertWaiting(outcome)
    assert.ok(channel.traits.awaitsPayerMinutes >= 30)
    assertWaiting(await channel.ask(attempt))
  })
}

function testRefund(suite: Suite): void {
  const { given, driver } = suite
  const paid = async () => {
    const made = given('pays')
    assertPaid(await pay(suite, made, 'approve'), made.request.money)
    return made.attempt
  }
  const refundUntilKnown = async (attempt: AttemptRef, refund: Money) => {
    const request = { ...attempt, refundReference: makeReference(), refund }
    const { channel } = driver()
    const first = await channel.refund(request)
    let outcome = first
    const isDecided = async () => {
      if (outcome.kind === 'pending') outcome = await channel.refund(request)
      return outcome.kind !== 'pending'
    }
    assert.ok(await eventually(isDecided), 'the refund is still open')
    // All calls are about the same refund, so the counterparty's reference stays the same, decided or not.
    if (first.kind === 'pending' && 'channelRef' in outcome)
      assert.equal(outcome.channelRef, first.channelRef)
    return outcome
  }

  it(promises.refunds, async () => {
    const attempt = await paid()
    const { amount, currency } = attempt.money
    const part = { amount: amount / 2n, currency }
    const outcome = await refundUntilKnown(attempt, part)
    if (!driver().channel.traits.refundable) return assertFailed(outcome, 'refused')
    assert.equal(outcome.kind, 'succeeded')
    assert.deepEqual(outcome.money, part)
    const rest = { amount: amount - part.amount, currency }
    assert.equal((await refundUntilKnown(attempt, rest)).kind, 'succeeded')
    assertFailed(await refundUntilKnown(attempt, { amount: 1n, currency }), 'declined')
  })

  it(promises.refundOnce, async () => {
    const attempt = await paid()
    const request = { ...attempt, refundReference: makeReference(), refund: attempt.money }
    const { channel } = driver()
    const all = await Promise.all([1, 2, 3].map(() => channel.refund(request)))
    assert.equal(new Set(all.map((one) => ('channelRef' in one ? one.channelRef : one.kind))).size, 1)
    assert.ok(all.every((one) => one.kind !== 'unknown'))
  })

  it('reports a refund that the counterparty refused', async () => {
    const attempt = await paid()
    const { refusedRefund, channel } = driver()
    const cause = channel.traits.refundable ? 'declined' : 'refused'
    assertFailed(await refundUntilKnown(attempt, refusedRefund), cause)
  })
}
