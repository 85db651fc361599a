import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../../test/harness.ts'
import { buildFrame, signed } from '../../../test/merchant-frame.ts'
import { aShop, openPayments } from '../../../test/payments.ts'
import { scriptedChannel } from '../../../test/scripted-channel.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { createOrderQueryHandler } from './order-query.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

test('a query returns what has arrived so far, and for crypto the transfer on the chain', async () => {
  const crypto = scriptedChannel('crypto', 'crypto')
  const setup = openPayments(database.db, [crypto])
  const handlers = { '/order/query': createOrderQueryHandler({ db: database.db }) }
  const { post, app } = await buildFrame({ merchants: [aShop()], handlers })
  const query = async ({ merNo, merOrderNo }: NewPayment) => {
    const body = { merNo, merOrderNo, tradeNo: '', queryType: 'sales' }
    return (await post('/order/query', signed(body, ['merNo', 'merOrderNo', 'tradeNo']))).body.data
  }
  const payment = await setup.hosted()
  const fresh = await query(payment)
  assert.deepEqual([fresh?.state, fresh?.receiveAmount, fresh?.transactionHash], [1, '0.00', undefined])
  const at = setup.clock.now()
  crypto.says.start = () => ({
    kind: 'received',
    channelRef: 'charge-1',
    deposits: ['0xab', '0xcd'].map((txHash, index) => ({
      depositRef: txHash,
      money: { amount: 400n, currency: 'USD' },
      at: new Date(at.getTime() + index),
      txHash,
      gasFee: `0.000${index}`,
    })),
    action: { kind: 'redirect', url: 'https://chain.example' },
  })
  await setup.start(payment, { method: 'crypto', card: undefined })
  const part = await query(payment)
  assert.deepEqual(
    [part?.state, part?.receiveAmount, part?.transactionHash, part?.gasFee],
    [1, '8.00', '0xcd', '0.0001'],
  )
  await app.close()
})
