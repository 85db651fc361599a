import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aShop, openPayments } from '../../../../test/builders/payments.ts'
import { scriptedChannel } from '../../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { buildFrame, signed } from '../../../../test/harness/merchant-frame.ts'
import type { NewPayment } from '../../../money/orders/new-order.ts'
import { createOrderQueryHandler } from './order-query.ts'

const database = useDatabase()

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
  assert.deepEqual(
    { state: fresh?.state, receiveAmount: fresh?.receiveAmount, transactionHash: fresh?.transactionHash },
    { state: 1, receiveAmount: '0.00', transactionHash: undefined },
  )
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
    {
      state: part?.state,
      receiveAmount: part?.receiveAmount,
      transactionHash: part?.transactionHash,
      gasFee: part?.gasFee,
    },
    { state: 1, receiveAmount: '8.00', transactionHash: '0xcd', gasFee: '0.0001' },
  )
  await app.close()
})
