import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aHosted } from '../../../../test/builders/builders.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { assertLocksInOrder } from '../../../../test/harness/lock-waits.ts'
import { compareKeys } from '../../orders/order.ts'
import { acceptPayments } from '../accept-payments.ts'
import { removeDecided, selectExpiry } from './sql.ts'

const database = useDatabase()

test('two nodes that postpone the same expired orders lock them in the same order', async () => {
  const merNo = 65_100_001
  const [first, second] = [aHosted({ merNo }), aHosted({ merNo })].sort(compareKeys)
  assert.ok(first && second)
  // The order with the later key is stored first.
  for (const order of [second, first]) await acceptPayments(database.db, [order])
  const lock = ({ tradeNo }: typeof first) => ({
    text: 'select from hosted_orders where mer_no = $1 and trade_no = $2 for update nowait',
    values: [merNo, tradeNo],
  })
  const later = new Date(Date.now() + 3_600_000)
  await assertLocksInOrder(database.db, { first: lock(first), second: lock(second) }, (tx) =>
    removeDecided(tx, [second, first], later),
  )
  for (const order of [first, second]) assert.deepEqual(await selectExpiry(database.db, order), later)
})
