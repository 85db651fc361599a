// Named fee plans are created, previewed, assigned and changed. Orders keep the terms under which they were accepted.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { operatorAt } from '../../../../test/harness/operator.ts'

let office: BackOffice
let admin: Person
before(async () => {
  office = await openBackOffice()
  admin = await office.operator()
})
after(() => office.close())

const reason = 'New price list'

async function show(merNo: number) {
  const { merchant } = await admin.call('GET /merchants/:merNo', { params: { merNo } })
  const card = merchant.feePlans.find(({ method }) => method === 'all')
  return {
    feePlan: merchant.feePlan,
    feeBps: card?.feeBps,
    methods: merchant.feePlans.map(({ method }) => method),
  }
}

const setAll = (feeBps: string, more: { dryRun?: boolean; version?: string } = {}) =>
  admin.call('PUT /fee-plans/:plan/:method', {
    params: { plan: 'Standard', method: 'all' },
    body: { terms: { feeBps }, reason, ...more },
  })

const assign = (merNo: number, plan: string | null) =>
  admin.attempt('PUT /merchants/:merNo/fee-plan', { params: { merNo }, body: { plan, reason } })

async function feeBpsOf(tradeNo: unknown): Promise<number | undefined> {
  const [row] = await office.db.query<{ fee_bps: number }>({
    text: 'select fee_bps from orders where trade_no = $1',
    values: [tradeNo],
  })
  return row?.fee_bps
}

test('a plan is changed for all its merchants, and accepted orders keep their terms', async () => {
  const { merNo } = office.demo
  assert.deepEqual((await setAll('250')).merchants, [])
  assert.match((await assign(merNo, 'Nobody')).problem?.message ?? '', /There is no plan Nobody/)
  assert.equal((await assign(merNo, 'Standard')).reply?.changes.length, 2)
  assert.deepEqual(await show(merNo), { feePlan: 'Standard', feeBps: 250, methods: ['all'] })

  const version = (await admin.call('GET /fee-plans', {})).plans[0]?.version ?? ''
  const preview = await setAll('300', { dryRun: true, version })
  assert.deepEqual(
    preview.merchants.map((one) => one.merNo),
    [merNo],
  )
  const fees = preview.fees.find(({ method }) => method === 'card')
  assert.deepEqual({ before: fees?.before, after: fees?.after }, { before: '2.50', after: '3.00' })
  assert.equal((await show(merNo)).feeBps, 250)

  const early = (await pay(office.demo)).data.tradeNo
  await setAll('300', { version })
  const body = { terms: { feeBps: '400' }, version, reason }
  const params = { plan: 'Standard', method: 'all' }
  const late = await admin.attempt('PUT /fee-plans/:plan/:method', { params, body })
  assert.equal(late.problem?.code, 'conflict')
  assert.equal(await feeBpsOf(early), 250)
  assert.ok(await eventually(async () => (await feeBpsOf((await pay(office.demo)).data.tradeNo)) === 300))
  const { plans } = await admin.call('GET /fee-plans', {})
  assert.deepEqual(
    plans.map(({ plan, merchants }) => [plan, merchants]),
    [['Standard', 1]],
  )
})

test('a merchant whose terms are edited directly leaves its plan', async () => {
  const { merNo } = office.demo
  await admin.call('PUT /merchants/:merNo', {
    params: { merNo },
    body: { options: { timezone: 'UTC' }, reason },
  })
  assert.equal((await show(merNo)).feePlan, 'Standard')
  await admin.call('PUT /merchants/:merNo', {
    params: { merNo },
    body: { options: { feeBps: '90' }, reason },
  })
  assert.deepEqual(await show(merNo), { feePlan: null, feeBps: 90, methods: ['all'] })
  await setAll('350')
  assert.equal((await show(merNo)).feeBps, 90)
})

test('the command line does the same, and every change is in the audit log', async () => {
  const { merNo } = office.demo
  const { databaseUrl, dataDir } = office
  const operator = operatorAt({ databaseUrl, dataDir })
  await operator.run('fee-plan', 'set', 'Standard', '--method', 'card', '--fee-bps', '120', '--why', reason)
  await operator.run('fee-plan', 'assign', String(merNo), '--plan', 'Standard')
  assert.deepEqual(await show(merNo), { feePlan: 'Standard', feeBps: 350, methods: ['all', 'card'] })
  await operator.refused('fee-plan', 'set', 'Other', '--method', 'card', '--fee-bps', '120')
  await operator.run('fee-plan', 'set', 'Standard', '--method', 'card', '--remove')
  assert.deepEqual((await show(merNo)).methods, ['all'])
  await operator.run('fee-plan', 'assign', String(merNo), '--plan', 'none')
  assert.deepEqual(await show(merNo), { feePlan: null, feeBps: 350, methods: ['all'] })
  const lines = await office.db.query<{ action: string; subject: string }>({
    text: `select action, subject from audit_log where action like 'fee-plan.%' order by entry_id`,
  })
  assert.deepEqual(
    lines.map(({ action, subject }) => `${action} ${subject}`),
    [
      'fee-plan.set Standard',
      `fee-plan.assign ${merNo}`,
      'fee-plan.set Standard',
      'fee-plan.set Standard',
      'fee-plan.set Standard',
      `fee-plan.assign ${merNo}`,
      'fee-plan.set Standard',
      `fee-plan.assign ${merNo}`,
    ],
  )
})
