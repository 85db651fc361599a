import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayer, IBAN, openPayouts, type TestPayouts } from '../../../test/payouts.ts'
import { readPayout } from '../../merchant-api/fields/read-payout.ts'
import { claimLines } from './line-sql.ts'
import { startRun } from './start-run.ts'
import { payoutRunJob } from './worker.ts'

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

test('a line that is made twice, or again after a crash, is paid once', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  const deps = {
    ...setup.deps,
    findMerchant: async () => merchant,
    tellAccountChanged: async () => {},
    readPayout: (body: Readonly<Record<string, unknown>>) => readPayout(body, 'sandbox'),
  }
  const wanted = {
    merchant,
    actor: { kind: 'user', name: 'ann@shop.example' },
    name: '',
    reason: 'Rent',
  } as const
  const { runId } = await startRun(deps, { ...wanted, lines: [{ no: 1, fields }], key: 'form-1' })
  // As if a second person had approved it.
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
