// Runs of payouts and bulk refunds in every state, written by the gateway's own functions.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBulkRefundHandlers } from '../../src/interfaces/backoffice/bulk-refunds/handlers.ts'
import { startBulkRefunds } from '../../src/interfaces/backoffice/bulk-refunds/worker.ts'
import { payoutsCarrying, startRun } from '../../src/interfaces/backoffice/payouts/start-run.ts'
import { endExpiredRuns, payoutRunJob } from '../../src/interfaces/backoffice/payouts/worker.ts'
import { decideApproval } from '../../src/money/approvals/decide-approval.ts'
import type { Merchant } from '../../src/money/merchants/merchant.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import { openRefundBatches } from '../../src/money/refunds/batches.ts'
import { scriptedChannel } from '../counterparties/scripted-channel.ts'
import { runOnce } from '../harness/run-job.ts'
import { beneficiaryDeps, ibans, payee, writeBeneficiaries, yan, zoe } from './approval-rows.ts'
import { aCall, aCaller } from './builders.ts'
import { paidOrder } from './paid-orders.ts'
import { openPayments } from './payments.ts'
import { aPayer, type TestPayouts } from './payouts.ts'
import { accept, anApplication } from './refunds.ts'

const DAY_MS = 86_400_000

/** Beneficiaries, and runs of payouts that wait, were released, rejected, or never approved in time. */
export async function writePayoutRuns(setup: TestPayouts): Promise<void> {
  const merchant = aPayer()
  const { merNo } = merchant
  await setup.give(merNo, 1_000_000n)
  const beneficiary = await writeBeneficiaries(setup, merNo)
  const { db } = setup
  let clock = setup.clock
  const depsOf = (found: Merchant | undefined) => {
    return { ...setup.deps, ...beneficiaryDeps(setup), clock, findMerchant: async () => found }
  }
  let runs = 0
  const aLine = { withdrawType: '3', currencyCode: 'USD', sourceAmount: '90.00' }
  const toSaved = { ...aLine, beneficiary }
  const toNew = { ...aLine, ...payee, cardNo: ibans[0] ?? '' }
  const start = async (...fields: readonly Readonly<Record<string, string>>[]) => {
    setup.pass(1)
    const lines = fields.map((own, at) => ({ no: at + 1, fields: own }))
    const wanted = { merchant, actor: zoe, name: 'Rent', reason: 'May', lines, key: `form-${++runs}` }
    return startRun(depsOf(merchant), wanted)
  }
  const decide = async (approvalId: string | undefined, approves: boolean) => {
    assert.ok(approvalId, 'a second person is needed')
    const carrying = { payouts: payoutsCarrying(depsOf(merchant), merchant) }
    await decideApproval({ db, clock, carrying }, { approvalId, by: yan(merNo), approves, reason: 'Seen' })
  }
  const make = (found: Merchant | undefined) => runOnce(payoutRunJob(depsOf(found)), clock.now())

  clock = { now: () => new Date(setup.clock.now().getTime() - 8 * DAY_MS) }
  await start(toNew)
  clock = setup.clock
  await endExpiredRuns(depsOf(merchant))
  await start(toSaved)
  await make(undefined)
  await start(toSaved, toSaved)
  await decide((await start(toNew, toSaved)).approvalId, true)
  await make(merchant)
  await decide((await start(toNew)).approvalId, false)
  await start(toNew)
  await start(toSaved)
}

/** Bulk refunds that were checked, cancelled, done or are under way, with rows in every state. */
export async function writeBulkRefunds(setup: TestPayouts): Promise<void> {
  const { db } = setup
  const { deps } = openPayments(db, [scriptedChannel('card')])
  const merchant = aPayer()
  const { merNo } = merchant
  const refundBatches = openRefundBatches(deps, 1_000, () => {})
  const own = { ...deps, refundBatches, poke: () => {}, findMerchant: async () => merchant }
  const handlers = createBulkRefundHandlers({ ...own, pokeBulkRefunds: () => {} })
  const call = aCall(aCaller(merNo, zoe.name))
  const paid = () => paidOrder(db, { merNo, amount: 9_300n })
  const check = async (...orders: readonly Pick<NewPayment, 'tradeNo'>[]) => {
    const rows = orders.map(({ tradeNo }) => ({ number: tradeNo, amount: '9.40' }))
    return handlers['POST /bulk-refunds']({ ...call, body: { reason: 'Recall', rows } })
  }
  const start = ({ bulkId, version }: Awaited<ReturnType<typeof check>>) =>
    handlers['POST /bulk-refunds/:bulkId/start']({ ...call, params: { bulkId }, body: { version } })

  const full = await paid()
  const done = await check(await paid(), await paid(), full, { tradeNo: 'unknown' })
  await accept(db, anApplication(full))
  await start(done)
  const worker = startBulkRefunds({ ...own, everyMs: 10 })
  const read = async () =>
    (await handlers['GET /bulk-refunds/:bulkId']({ ...call, params: { bulkId: done.bulkId } })).bulk
  while ((await read()).state !== 'done') await sleep(10)
  await worker.stop()
  await check(await paid())
  const { bulkId } = await check(await paid())
  await handlers['DELETE /bulk-refunds/:bulkId']({ ...call, params: { bulkId } })
  await start(await check(await paid(), await paid()))
}
