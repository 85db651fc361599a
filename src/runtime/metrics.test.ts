import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

test('a gauge of channels names those of the moment only', async () => {
  const metrics = createMetrics()
  let payment = ['acquirer']
  metrics.channels('tollgate_test_aside', 'Set aside', () => ({ payment, payout: ['bank'] }))
  const lines = async () => (await metrics.registry.metrics()).split('\n')
  const ofAcquirer = 'tollgate_test_aside{channel="acquirer",kind="payment"} 1'
  const ofBank = 'tollgate_test_aside{channel="bank",kind="payout"} 1'
  assert.ok((await lines()).includes(ofAcquirer))
  payment = []
  const later = await lines()
  assert.deepEqual([later.includes(ofAcquirer), later.includes(ofBank)], [false, true])
})
