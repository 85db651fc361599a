import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'

let bench: TestPayouts
before(async () => {
  bench = await openPayouts()
})
after(() => bench.close())

test('a report that fails does not change the answer to an earlier report on the same payout', async () => {
  const merchant = aPayer({ payoutApproval: 999n })
  await bench.give(merchant.merNo, 100_000n)
  const { tradeNo } = await bench.pay(merchant, aPayout())
  const key = { merNo: merchant.merNo, tradeNo }
  const railRef = 'rail-1'
  const [approved, failed] = await Promise.allSettled([
    bench.payoutBatches.record({
      ...key,
      event: { kind: 'approved', by: 'platform' },
      at: bench.clock.now(),
    }),
    // PostgreSQL cannot store this time.
    bench.payoutBatches.record({
      ...key,
      event: { kind: 'outcome', outcome: { kind: 'processing', railRef } },
      at: new Date(Number.NaN),
    }),
  ])
  assert.ok(approved?.status === 'fulfilled')
  assert.deepEqual(
    { applied: approved.value?.applied, state: approved.value?.state },
    { applied: true, state: 'sending' },
  )
  assert.equal(failed?.status, 'rejected')
})
