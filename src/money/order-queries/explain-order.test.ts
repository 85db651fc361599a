import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment } from '../../../test/builders/builders.ts'
import { openPayments } from '../../../test/builders/payments.ts'
import { declines, scriptedChannel } from '../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { explainOrder } from './explain-order.ts'
import { orderAt } from './order-at.ts'

const database = useDatabase()

test('a hosted order is explained with all its attempts and notifications', async () => {
  const card = scriptedChannel('card')
  const setup = openPayments(database.db, [card])
  const payment = await setup.hosted()
  const fresh = await explainOrder(database.db, payment.tradeNo)
  assert.deepEqual(
    { method: fresh?.method, attempts: fresh?.attempts, deposits: fresh?.deposits },
    { method: 'checkout', attempts: [], deposits: [] },
  )
  card.says.start = declines
  await setup.start(payment)
  const at = setup.clock.now()
  card.says.start = () => ({
    kind: 'received',
    channelRef: 'charge-2',
    deposits: [{ depositRef: 'in-1', money: { amount: 400n, currency: 'USD' }, at, txHash: '0xab' }],
    action: { kind: 'redirect', url: 'https://wallet.example/2' },
  })
  await setup.start(payment, { attempts: 1 })
  const found = await explainOrder(database.db, payment.tradeNo)
  assert.deepEqual(
    found?.attempts.map(({ attemptNo, state, message }) => [attemptNo, state, message]),
    [
      [1, 'failed', 'Declined by the bank'],
      [2, 'pending', 'Waiting for the rest of the amount'],
    ],
  )
  const deposit = { depositRef: 'in-1', attemptNo: 2, amount: '4.00', currency: 'USD', state: 'waiting' }
  assert.deepEqual(found?.deposits, [{ ...deposit, txHash: '0xab', at: at.toISOString() }])
  assert.equal(found?.received, '4.00')
})

test('a number without an order has no explanation', async () => {
  for (const tradeNo of [aPayment().tradeNo, 'T123'])
    assert.equal(await explainOrder(database.db, tradeNo), undefined)
})

test('an open order at an earlier time has received the deposits that had arrived by then', async () => {
  const card = scriptedChannel('card')
  const setup = openPayments(database.db, [card])
  const payment = await setup.hosted()
  const started = setup.clock.now()
  const after = (seconds: number) => new Date(started.getTime() + seconds * 1000)
  const deposit = (depositRef: string, amount: bigint, at: Date) => {
    return { depositRef, money: { amount, currency: 'USD' }, at }
  }
  card.says.start = () => ({
    kind: 'received',
    channelRef: 'charge-1',
    deposits: [deposit('early', 400n, after(1)), deposit('late', 100n, after(2))],
    action: { kind: 'redirect', url: 'https://wallet.example/1' },
  })
  await setup.start(payment)
  const receivedAt = async (moment: Date) => (await orderAt(database.db, payment, moment))?.received
  assert.deepEqual(
    [await receivedAt(started), await receivedAt(after(1)), await receivedAt(after(2))],
    [undefined, 400n, 500n],
  )
})
