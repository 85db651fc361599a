import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayer, IBAN, openPayouts, type TestPayouts } from '../../../../test/builders/payouts.ts'
import { readPayout } from '../../merchant-api/fields/read-payout.ts'
import { claimLines } from './sql.ts'
import { startRun } from './start-run.ts'
import { endExpiredRuns, payoutRunJob } from './worker.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

const fields = {
  withdrawType: '3',
  currencyCode: 'USD',
  sourceAmount: '10.00',
  cardNo: IBAN,
  benFirstName: 'Paper',
  benLastName: 'Mill',
  addressLine: '1 Market Street',
  city: 'Berlin',
  countryCode: 'DE',
  beneficiaryType: 'business',
}

/** Starts a run to a new account, so the run waits for a second person. */
async function startWaiting(key: string) {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  const deps = {
    ...setup.deps,
    findMerchant: async () => merchant,
    tellAccountChanged: async () => {},
    readPayout: (body: Readonly<Record<string, unknown>>) => readPayout(body, () => false),
  }
  const actor = { kind: 'user', name: 'ann@shop.example' } as const
  const lines = [{ no: 1, fields }]
  const { runId } = await startRun(deps, { merchant, actor, name: '', reason: 'Rent', lines, key })
  return { merchant, deps, runId }
}

test('a line that is made twice, or again after a crash, is paid once', async () => {
  const { merchant, deps, runId } = await startWaiting('form-1')
  // Releases the lines, like the approval of a second person.
  await setup.db.query({ text: 'update payout_run_lines set ask_at = $1', values: [setup.clock.now()] })
  const now = setup.clock.now()
  const claim = { now, leaseUntil: new Date(now.getTime() + 60_000), limit: 50, busy: [] }
  const [line] = await claimLines(setup.db, claim)
  assert.equal(line?.runId, runId)
  const job = payoutRunJob(deps)
  await Promise.all([job.run(line, AbortSignal.abort()), job.run(line, AbortSignal.abort())])
  await job.run(line, AbortSignal.abort())
  assert.equal(await setup.available(merchant.merNo), 4_000n)
  const rows = await setup.db.query({
    text: 'select state, trade_no is not null as has_order, sealed from payout_run_lines',
  })
  assert.deepEqual(rows, [{ state: 'made', has_order: true, sealed: null }])
})

test('the accounts of a run that nobody approved in time are removed, and those of others stay', async () => {
  const state = async (runId: string) => {
    const [row] = await setup.db.query({
      text: 'select state, sealed is null as is_bare from payout_run_lines where run_id = $1',
      values: [runId],
    })
    return row
  }
  const [waiting, released] = [await startWaiting('form-2'), await startWaiting('form-3')]
  const day = 86_400_000
  setup.pass(6 * day)
  const young = await startWaiting('form-4')
  await setup.db.query({
    text: `update payout_run_lines set ask_at = now() where run_id = $1`,
    values: [released.runId],
  })
  setup.pass(day)
  await endExpiredRuns(setup.deps)
  assert.deepEqual(await state(waiting.runId), { state: 'rejected', is_bare: true })
  for (const { runId } of [released, young])
    assert.deepEqual(await state(runId), { state: 'waiting', is_bare: false })
})
