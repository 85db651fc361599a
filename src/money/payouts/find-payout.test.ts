import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayer, aPayout, openPayouts, SUCCEEDED, type TestPayouts } from '../../../test/builders/payouts.ts'
import type { Decider } from '../approvals/may-approve.ts'
import { countPayouts, listPayouts, openAccounts, openPaidAccounts, pageAllPayouts } from './find-payout.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

test('payouts of all merchants are paged newest first, in one state or in any', async () => {
  const made: string[] = []
  for (const merchant of [aPayer(), aPayer(), aPayer()]) {
    await setup.give(merchant.merNo, 100_000n)
    for (const payoutApproval of [undefined, 1n]) {
      setup.pass(10)
      const { tradeNo } = await setup.pay({ ...merchant, payoutApproval }, aPayout())
      made.unshift(tradeNo)
    }
  }
  const waiting = made.filter((_, at) => at % 2 === 0)
  const page = async (wanted: { state?: 'awaiting_approval' | 'failed'; after?: string; limit: number }) =>
    (await pageAllPayouts(setup.db, { state: undefined, after: undefined, ...wanted })).map(
      ({ tradeNo }) => tradeNo,
    )
  assert.deepEqual(await page({ limit: 4 }), made.slice(0, 4))
  assert.deepEqual(await page({ limit: 4, after: made[3] ?? '' }), made.slice(4))
  assert.deepEqual(await page({ limit: 9, state: 'awaiting_approval' }), waiting)
  assert.deepEqual(await page({ limit: 9, state: 'failed' }), [])
  await setup.reject(waiting[0] ?? '', 'Not agreed')
  assert.deepEqual(await page({ limit: 9, state: 'failed' }), waiting.slice(0, 1))
})

test('a payout waits only for the side that must still approve it', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 100_000n)
  const { waiting } = await countPayouts(setup.db)
  const { tradeNo } = await setup.pay({ ...merchant, payoutApproval: 1n }, aPayout())
  const awaiting = async (awaits: Decider) => {
    const found = await listPayouts(setup.db, { merNo: merchant.merNo, state: undefined, awaits })
    return found.map((one) => one.tradeNo)
  }
  assert.deepEqual(
    { platform: await awaiting('platform'), merchant: await awaiting('merchant') },
    { platform: [tradeNo], merchant: [] },
  )
  assert.equal((await countPayouts(setup.db)).waiting, waiting + 1)
})

test('an account counts as paid once a payout to it has succeeded', async () => {
  const merchant = aPayer({ payoutApproval: 1n })
  const { merNo } = merchant
  await setup.give(merNo, 100_000n)
  const [rejected, approved] = [await setup.pay(merchant, aPayout()), await setup.pay(merchant, aPayout())]
  const [account] = await openAccounts(setup, [{ merNo, tradeNo: approved.tradeNo }])
  assert.ok(account)
  const paidTo = async () => (await openPaidAccounts(setup, [account])).map(({ tradeNo }) => tradeNo)
  await setup.reject(rejected.tradeNo, 'Not agreed')
  assert.deepEqual(await paidTo(), [])
  await setup.approve(merchant, approved.tradeNo)
  await setup.runWorker()
  assert.deepEqual(await paidTo(), [])
  setup.pass(5_000)
  await setup.runWorker()
  assert.deepEqual(await setup.stateOf(approved.tradeNo), SUCCEEDED)
  assert.deepEqual(await paidTo(), [approved.tradeNo])
})
