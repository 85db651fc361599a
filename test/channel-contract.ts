// The promises of src/channels/contract.ts as tests, the same for every rail. A rail brings a driver that knows how to
// make its counterparty behave; the tests know nothing of the rail.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Money } from '../src/base/money.ts'
import type {
  AttemptRef,
  Channel,
  Failed,
  Outcome,
  PayerAction,
  RefundOutcome,
  StartRequest,
} from '../src/channels/contract.ts'

export type Behaviour =
  | 'succeeds'
  | 'declines'
  | 'asks-payer'
  | 'asks-payer-then-declines'
  | 'silent-but-charged'
  | 'silent-and-not-charged'

export type ChannelDriver = {
  readonly channel: Channel
  /** A request that the counterparty meets with this behaviour. */
  request(behaviour: Behaviour, reference: string): StartRequest
  /** Does what the action asks of the payer, well or badly; what the browser then brings back. */
  act(action: PayerAction, well: boolean): Promise<Readonly<Record<string, string>>>
  /** An amount whose refund the counterparty turns down. */
  readonly refusedRefund: Money
  /** Whether money was taken for the reference, by the counterparty's own book. */
  isCharged(reference: string): Promise<boolean>
  close(): Promise<void>
}

export function testChannelContract(name: string, open: () => Promise<ChannelDriver>): void {
  describe(`the channel contract, ${name}`, () => {
    let driver: ChannelDriver
    before(async () => {
      driver = await open()
    })
    after(() => driver.close())
    const given = (behaviour: Behaviour) => {
      const request = driver.request(behaviour, makeReference())
      const { reference, money } = request
      const attempt: AttemptRef = { reference, money }
      return { request, reference, attempt, channel: driver.channel }
    }
    testOutcomes(given, () => driver)
    testSilence(given, () => driver)
    testPayer(given, () => driver)
    testCancel(given, () => driver)
    testRefund(given, () => driver)
  })
}

type Given = (behaviour: Behaviour) => {
  request: StartRequest
  reference: string
  attempt: AttemptRef
  channel: Channel
}

export function makeReference(): string {
  return `A${randomBytes(13).toString('hex').toUpperCase()}`
}

function testOutcomes(given: Given, driver: () => ChannelDriver): void {
  it('tells success with the money and a reference of its own', async () => {
    const { channel, request, attempt, reference } = given('succeeds')
    const outcome = await channel.start(request)
    assert.equal(outcome.kind, 'succeeded')
    assert.deepEqual(outcome.money, request.money)
    assert.notEqual(outcome.channelRef, '')
    assert.deepEqual(await channel.ask(attempt), outcome)
    assert.equal(await driver().isCharged(reference), true)
  })

  it('tells a decline with a reason, and keeps to it', async () => {
    const { channel, request, attempt, reference } = given('declines')
    const outcome = await channel.start(request)
    assertFailed(outcome, 'declined')
    assert.notEqual(outcome.message, '')
    assert.deepEqual(await channel.ask(attempt), outcome)
    assert.equal(await driver().isCharged(reference), false)
  })

  it('charges once however often the same reference is started', async () => {
    const { channel, request, reference } = given('succeeds')
    const first = await channel.start(request)
    const again = await Promise.all([channel.start(request), channel.start(request)])
    assert.deepEqual(again, [first, first])
    assert.equal(await driver().isCharged(reference), true)
  })

  it('starts a hundred references at once, each with its own outcome', async () => {
    const all = Array.from({ length: 100 }, (_, index) => given(index % 2 === 0 ? 'succeeds' : 'declines'))
    const outcomes = await Promise.all(all.map(({ channel, request }) => channel.start(request)))
    const refs = new Set(outcomes.map((outcome) => ('channelRef' in outcome ? outcome.channelRef : '')))
    assert.equal(refs.size, 100)
    assert.equal(outcomes.filter((outcome) => outcome.kind === 'succeeded').length, 50)
  })
}

function testSilence(given: Given, driver: () => ChannelDriver): void {
  it('is unknown when no answer comes; asking finds that it was charged', async () => {
    const { channel, request, attempt, reference } = given('silent-but-charged')
    const before = Date.now()
    assert.equal((await channel.start(request)).kind, 'unknown')
    assert.ok(Date.now() - before < channel.traits.timeoutMs + 1_000)
    const truth = await channel.ask(attempt)
    assert.equal(truth.kind, 'succeeded')
    assert.deepEqual(truth.money, request.money)
    assert.deepEqual(await channel.ask(attempt), truth)
    assert.equal(await driver().isCharged(reference), true)
  })

  it('is unknown when no answer comes; asking finds that it was not charged and closes the reference', async () => {
    const { channel, request, attempt, reference } = given('silent-and-not-charged')
    assert.equal((await channel.start(request)).kind, 'unknown')
    assertFailed(await channel.ask(attempt), 'cancelled')
    const late = driver().request('succeeds', reference)
    assertFailed(await channel.start(late), 'cancelled')
    assert.equal(await driver().isCharged(reference), false)
  })

  it('fails a reference that the counterparty never saw, so that it can never be charged', async () => {
    const { channel, request, attempt, reference } = given('succeeds')
    assertFailed(await channel.ask(attempt), 'cancelled')
    assertFailed(await channel.start(request), 'cancelled')
    assert.equal(await driver().isCharged(reference), false)
  })
}

function testPayer(given: Given, driver: () => ChannelDriver): void {
  const startAndAct = async (behaviour: Behaviour, well: boolean) => {
    const made = given(behaviour)
    const outcome = await made.channel.start(made.request)
    assert.equal(outcome.kind, 'pending')
    assert.deepEqual(await made.channel.ask(made.attempt), outcome)
    assert.equal(await driver().isCharged(made.reference), false)
    return { ...made, answer: await driver().act(outcome.action, well) }
  }

  it('waits for the payer, then succeeds', async () => {
    const { channel, attempt, answer, reference } = await startAndAct('asks-payer', true)
    const outcome = await channel.complete({ ...attempt, answer })
    assert.equal(outcome.kind, 'succeeded')
    assert.deepEqual(await channel.complete({ ...attempt, answer }), outcome)
    assert.equal(await driver().isCharged(reference), true)
  })

  it('finds by asking what a payer did whose browser never came back', async () => {
    const { channel, attempt } = await startAndAct('asks-payer', true)
    assert.equal((await channel.ask(attempt)).kind, 'succeeded')
  })

  it('fails when the payer does it wrong', async () => {
    const { channel, attempt, answer, reference } = await startAndAct('asks-payer', false)
    assertFailed(await channel.complete({ ...attempt, answer }), 'declined')
    assert.equal(await driver().isCharged(reference), false)
  })

  it('fails when the payer does it right and the bank declines all the same', async () => {
    const { channel, attempt, answer } = await startAndAct('asks-payer-then-declines', true)
    assertFailed(await channel.complete({ ...attempt, answer }), 'declined')
  })

  it('believes no browser: nonsense, or the answer to another payment, changes nothing', async () => {
    const other = await startAndAct('asks-payer', true)
    const { channel, request, attempt, reference } = given('asks-payer')
    const waiting = await channel.start(request)
    const nonsense = { cres: 'e30', creq: 'x', status: 'succeeded' }
    for (const answer of [other.answer, nonsense, {}])
      assert.deepEqual(await channel.complete({ ...attempt, answer }), waiting)
    assert.equal(await driver().isCharged(reference), false)
  })
}

function testCancel(given: Given, driver: () => ChannelDriver): void {
  it('cancels what was never started, for good', async () => {
    const { channel, request, attempt, reference } = given('succeeds')
    assertFailed(await channel.cancel(attempt), 'cancelled')
    assertFailed(await channel.cancel(attempt), 'cancelled')
    assertFailed(await channel.start(request), 'cancelled')
    assert.equal(await driver().isCharged(reference), false)
  })

  it('cancels what waits for its payer, who then comes too late', async () => {
    const { channel, request, attempt, reference } = given('asks-payer')
    const outcome = await channel.start(request)
    assert.equal(outcome.kind, 'pending')
    assertFailed(await channel.cancel(attempt), 'cancelled')
    const answer = await driver().act(outcome.action, true)
    assertFailed(await channel.complete({ ...attempt, answer }), 'cancelled')
    assert.equal(await driver().isCharged(reference), false)
  })

  it('tells that it is too late to cancel what was charged', async () => {
    const { channel, request, attempt } = given('succeeds')
    const outcome = await channel.start(request)
    assert.deepEqual(await channel.cancel(attempt), outcome)
  })
}

function testRefund(given: Given, driver: () => ChannelDriver): void {
  const refundUntilKnown = async (attempt: AttemptRef, refund: Money) => {
    const request = { ...attempt, refundReference: makeReference(), refund }
    const { channel } = driver()
    const deadline = Date.now() + 5_000
    const first = await channel.refund(request)
    let outcome = first
    while (outcome.kind === 'pending' && Date.now() < deadline) {
      await sleep(100)
      outcome = await channel.refund(request)
    }
    // One refund, whether it was decided yet or not: the counterparty's reference stays.
    if (first.kind === 'pending' && outcome.kind !== 'unknown')
      assert.equal(outcome.channelRef, first.channelRef)
    return outcome
  }

  it('refunds in parts up to the charge and not beyond; the same refund again is the same refund', async () => {
    const { channel, request, attempt } = given('succeeds')
    await channel.start(request)
    const { amount, currency } = request.money
    const part = { amount: amount / 2n, currency }
    const outcome = await refundUntilKnown(attempt, part)
    assert.equal(outcome.kind, 'succeeded')
    assert.deepEqual(outcome.money, part)
    const rest = { amount: amount - part.amount, currency }
    assert.equal((await refundUntilKnown(attempt, rest)).kind, 'succeeded')
    assertFailed(await refundUntilKnown(attempt, { amount: 1n, currency }), 'declined')
  })

  it('tells a refund that the counterparty turned down', async () => {
    const { channel, request, attempt } = given('succeeds')
    await channel.start(request)
    assertFailed(await refundUntilKnown(attempt, driver().refusedRefund), 'declined')
  })
}

function assertFailed(outcome: Outcome | RefundOutcome, cause: string): asserts outcome is Failed {
  assert.equal(
    outcome.kind,
    'failed',
    JSON.stringify(outcome, (_, value) => String(value)),
  )
  assert.equal(outcome.cause, cause)
}
