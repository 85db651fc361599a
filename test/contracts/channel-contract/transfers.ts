// Transfers that payers make: too little, the rest, too much. The channel reports everything received so far, every
// time. If the counterparty accepts only the exact amount, only this amount is paid.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { promises } from '../../../src/rails/bridge-check/promises.ts'
import type { Channel, PayerAction } from '../../../src/rails/contract/channel.ts'
import { type ChannelDriver, type Suite, sentByPayers } from '../channel-driver.ts'
import { assertPaid, paidBy, shown, startWaiting } from './outcomes.ts'

export function testTransfers(suite: Suite): void {
  it(promises.transfers, async () => {
    const { channel, attempt, action } = await startWaiting(suite)
    const send = senderOf(suite.driver(), channel, action)
    if (send === undefined) return testExact(suite, channel)
    const { amount, currency } = attempt.money
    const reported = async () => {
      const outcome = await channel.ask(attempt)
      assert.equal(outcome.kind, 'received', shown(outcome))
      return outcome
    }
    await send(amount - 4n)
    const short = await reported()
    assert.deepEqual(paidBy(short), { amount: amount - 4n, currency })
    await send(4n)
    const whole = await reported()
    assertPaid(whole, attempt.money)
    assert.deepEqual(whole.deposits.slice(0, 1), short.deposits)
    await send(9n)
    const surplus = await reported()
    assert.deepEqual(paidBy(surplus), { amount: amount + 9n, currency })
    assert.equal(new Set(surplus.deposits.map(({ depositRef }) => depositRef)).size, 3)
  })
}

/**
 * Returns the function that sends money; undefined if every payment has the exact amount. The driver must provide the
 * function for each method in `sentByPayers`, except if the counterparty takes only the exact amount.
 */
function senderOf(driver: ChannelDriver, channel: Channel, action: PayerAction) {
  const isSent = sentByPayers.includes(channel.method) && driver.takesExactAmount !== true
  assert.equal(driver.send !== undefined, isSent, 'drivers of methods that are sent by payers have send()')
  return driver.send && ((amount: bigint) => driver.send?.(action, amount))
}

async function testExact(suite: Suite, channel: Channel): Promise<void> {
  const { attempt, action } = await startWaiting(suite)
  const answer = await suite.driver().act(action, 'approve')
  const outcome = await channel.complete({ ...attempt, answer })
  assert.equal(outcome.kind, 'succeeded', shown(outcome))
  assert.deepEqual(outcome.money, attempt.money)
}
