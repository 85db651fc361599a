// The contract of src/rails/contract/payout-rail.ts as tests, which cannot be skipped. The tests are the same for every
// rail, but a rail that writes files has no tests of lost or changed responses. Each rail provides a driver that
// controls its counterparty; the tests know nothing about the rail.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { promises } from '../../src/rails/bridge-check/promises.ts'
import { makeReference } from './channel-driver.ts'
import { testPayoutCallbacks } from './payout-contract/callbacks.ts'
import { testPayoutFaults } from './payout-contract/faults.ts'
import { assertOpen, assertPayoutFailed, refOf, settled, shown } from './payout-contract/outcomes.ts'
import type { PayoutDriver, PayoutSuite } from './payout-driver.ts'

const PATIENT_MS = 60_000

export type PayoutContractOptions = {
  /** The transport. With `files`, the rail writes and reads files, so there is no response to lose or change. */
  readonly over?: 'http' | 'files'
}

export function testPayoutContract(
  name: string,
  openDriver: () => Promise<PayoutDriver>,
  { over = 'http' }: PayoutContractOptions = {},
): void {
  describe(`the payout contract, ${name}`, () => {
    let driver: PayoutDriver
    before(async () => {
      driver = await openDriver()
    })
    after(() => driver.close())
    const suite: PayoutSuite = { driver: () => driver, rail: () => driver.connect(driver.url, PATIENT_MS) }
    testSending(suite)
    testReturn(suite)
    testTokens(suite)
    if (over === 'http') testPayoutFaults(suite)
    testPayoutCallbacks(suite)
  })
}

function testSending(suite: PayoutSuite): void {
  const { driver, rail } = suite

  it(promises.payoutPaid, async () => {
    const request = driver().request('pays', makeReference())
    assertOpen(await rail().send(request))
    const outcome = await settled(suite, request.reference)
    assert.equal(outcome.kind, 'succeeded', shown(outcome))
    assert.deepEqual(outcome.money, request.money)
    assert.notEqual(outcome.railRef, '')
    assert.deepEqual(await rail().ask(request.reference), outcome)
    assert.equal(await driver().countPaid(request.reference), 1)
  })

  it('reports a payout that the beneficiary cannot receive, with a reason, consistently', async () => {
    const request = driver().request('declines', makeReference())
    const sent = await rail().send(request)
    assert.ok(sent.kind === 'processing' || sent.kind === 'failed', shown(sent))
    const outcome = await settled(suite, request.reference)
    assertPayoutFailed(outcome, ['declined'])
    assert.notEqual(outcome.message, '')
    assert.deepEqual(await rail().ask(request.reference), outcome)
    assert.equal(await driver().countPaid(request.reference), 0)
  })

  it(promises.payoutOnce, async () => {
    const request = driver().request('pays', makeReference())
    const first = await rail().send(request)
    assertOpen(first)
    const again = await Promise.all([1, 2, 3].map(() => rail().send(request)))
    for (const outcome of again) {
      // A counterparty may refuse to answer twice at the same time, which says nothing about the payout.
      assert.ok(outcome.kind !== 'failed', shown(outcome))
      if (outcome.kind !== 'unknown') assert.equal(refOf(outcome), refOf(first))
    }
    const outcome = await settled(suite, request.reference)
    assert.equal(refOf(outcome), refOf(first))
    await rail().send(request)
    assert.equal(await driver().countPaid(request.reference), 1)
  })

  it(promises.payoutAbsent, async () => {
    const request = driver().request('pays', makeReference())
    assert.deepEqual(await rail().ask(request.reference), { kind: 'absent' })
    assertOpen(await rail().send(request))
    assert.equal((await settled(suite, request.reference)).kind, 'succeeded')
  })

  it(promises.payoutRefused, async () => {
    const request = driver().request('refused', makeReference())
    assertPayoutFailed(await rail().send(request), ['refused', 'declined'])
    assert.equal(await driver().countPaid(request.reference), 0)
  })
}

function testReturn(suite: PayoutSuite): void {
  const { driver, rail } = suite

  it(promises.payoutReturned, async () => {
    const request = driver().request('pays', makeReference())
    await rail().send(request)
    assert.equal((await settled(suite, request.reference)).kind, 'succeeded')
    await driver().giveBack(request.reference)
    const outcome = await rail().ask(request.reference)
    assert.equal(outcome.kind, 'returned', shown(outcome))
    assert.notEqual(outcome.message, '')
    // A payout whose returned amount is unknown is credited in full, with an alarm.
    assert.deepEqual(outcome.money, driver().statesReturn ? request.money : undefined)
    assert.deepEqual(await rail().ask(request.reference), outcome)
  })

  it('names how much of a payout came back', async () => {
    const { giveBackPart } = driver()
    if (giveBackPart === undefined) return
    const request = driver().request('pays', makeReference())
    await rail().send(request)
    assert.equal((await settled(suite, request.reference)).kind, 'succeeded')
    const part = { ...request.money, amount: request.money.amount - 3n }
    await giveBackPart(request.reference, part.amount)
    const outcome = await rail().ask(request.reference)
    assert.ok(outcome.kind === 'returned', shown(outcome))
    assert.deepEqual(outcome.money, part)
  })
}

function testTokens(suite: PayoutSuite): void {
  const { driver, rail } = suite

  it(promises.payoutTokens, async () => {
    const { cardNumber, cardExpiry } = driver()
    assert.equal(cardNumber !== undefined, rail().kinds.includes('card'))
    const tokenised = await rail().tokenise(cardNumber ?? '4242424242424242', cardExpiry)
    if (cardNumber === undefined) return assertPayoutFailed(tokenised, ['refused'])
    assert.equal(tokenised.kind, 'token')
    assert.ok(!tokenised.token.includes(cardNumber))
    assertPayoutFailed(await rail().tokenise('0', cardExpiry), ['refused'])
    if (rail().needsExpiry === true) assertPayoutFailed(await rail().tokenise(cardNumber), ['refused'])
  })
}
