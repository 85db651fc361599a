// Payers who return many times concurrently: an order has at most one channel call in progress.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openPayments, type TestPayments } from '../../../test/builders/payments.ts'
import {
  isCancelled,
  type ScriptedChannel,
  scriptedChannel,
  succeeds,
  waitsForPayer,
} from '../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Channel } from '../../rails/contract/channel.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { cancelPayment } from './cancel-payment.ts'
import { completePayment } from './complete-payment.ts'

let setup: TestPayments
let channel: ScriptedChannel
let payment: NewPayment

const database = useDatabase()

beforeEach(async () => {
  channel = scriptedChannel('card')
  channel.says.start = waitsForPayer
  setup = openPayments(database.db, [ofAnotherMethod, channel])
  payment = await setup.hosted()
  await setup.start(payment)
})

const notCalled = async () => assert.fail('the channel of another method was called')
/** A channel of the same configured entry for another method, because an entry may have several methods. */
const ofAnotherMethod: Channel = {
  ...scriptedChannel('card'),
  method: 'unionpay',
  complete: notCalled,
  cancel: notCalled,
}

/** Counts the calls (`made`), and the most calls that ran concurrently (`most`). */
function counted(says: typeof succeeds) {
  const calls = { made: 0, most: 0 }
  let underWay = 0
  const script = async () => {
    calls.made++
    calls.most = Math.max(calls.most, ++underWay)
    await new Promise((resolve) => setTimeout(resolve, 20))
    underWay--
    return says()
  }
  return { calls, script }
}

const many = <Result>(make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: 60 }, (_, at) => make(at)))

describe('a payer who returns', () => {
  it('sixty times concurrently causes one channel call, and all requests get its outcome', async () => {
    const { calls, script } = counted(succeeds)
    channel.says.complete = script
    const found = await many(() => completePayment(setup.deps, payment, { cres: 'x' }))
    assert.deepEqual(calls, { made: 1, most: 1 })
    assert.deepEqual([...new Set(found.map((one) => one?.state))], [5])
  })

  it('with different fields causes one call after the other, until one decides', async () => {
    const { calls, script } = counted(waitsForPayer)
    channel.says.complete = script
    const answers = ['x', 'y', 'z', 'x', 'y', 'z']
    await Promise.all(answers.map((cres) => completePayment(setup.deps, payment, { cres })))
    assert.deepEqual(calls, { made: 3, most: 1 })
    const decided = counted(succeeds)
    channel.says.complete = decided.script
    await Promise.all(answers.map((cres) => completePayment(setup.deps, payment, { cres })))
    assert.deepEqual(decided.calls, { made: 1, most: 1 })
  })

  it('and cancels in another tab has one call in progress at a time', async () => {
    const coming = counted(waitsForPayer)
    channel.says.complete = coming.script
    const leaving = counted(isCancelled)
    channel.says.cancel = leaving.script
    await many((at) =>
      at % 2 === 0 ? completePayment(setup.deps, payment, {}) : cancelPayment(setup.deps, payment, 'order'),
    )
    assert.deepEqual({ coming: coming.calls.made, leaving: leaving.calls.made }, { coming: 1, leaving: 1 })
  })
})
