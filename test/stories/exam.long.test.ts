// The integration exam by the command line: a good server passes, and each fault fails exactly the exercises about it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listen } from '../../sdk/src/testing.ts'
import { call, pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type Fault, openExamShop } from '../harness/exam-shop.ts'
import { type Examiner, explain, namesIn, openExaminer } from '../harness/examiner.ts'
import { runTollgate } from '../harness/operator.ts'

let examiner: Examiner

before(async () => {
  examiner = await openExaminer()
})
after(() => examiner.close())

/** The exercises that fail if the shop has the fault. The first exercise stands for the others, which are not run. */
const faults: Readonly<Record<Fault, readonly string[]>> = {
  'takes forged ones': ['forged'],
  'takes those signed with an empty key': ['forged'],
  'fails on repeated ones': ['repeated', 'lost-answer', 'late'],
  'credits repeated ones again': ['repeated', 'lost-answer', 'late'],
  'forgets refunds': ['out-of-order', 'late'],
  'never compares amounts': ['other-amount'],
  'writes the body again': ['raw-body'],
  'reads the first piece only': ['slow'],
  'answers OK': ['paid'],
  'never answers': ['paid'],
}

describe('an exam', { concurrency: true }, () => {
  test('is passed by a good shop, with every effect checked', async () => {
    const merchant = await examiner.newMerchant()
    const shop = await openExamShop(merchant)
    const { status, report } = await examiner.examine(
      merchant.merNo,
      shop.notifyUrl,
      '--state-url',
      shop.stateUrl,
    )
    shop.close()
    assert.equal(report.passed, true, explain(report))
    assert.deepEqual(
      { status, passed: namesIn(report, 'passed').length },
      { status: 0, passed: 16 },
      explain(report),
    )
    assert.deepEqual(
      report.checklist.filter(({ done }) => done).map(({ name }) => name),
      ['exam', 'website'],
    )
  })

  test("is passed by the SDK's own listener, and says that effects are not checked", async () => {
    const merchant = await examiner.newMerchant()
    const shop = await listen(merchant)
    const { report } = await examiner.examine(merchant.merNo, shop.url)
    await shop.close()
    assert.equal(report.passed, true, explain(report))
    assert.ok(report.exercises.every(({ found }) => found.join().endsWith('effect not checked')))
  })

  for (const [fault, wanted] of Object.entries(faults) as [Fault, readonly string[]][])
    test(`finds a shop that ${fault}`, async () => {
      const merchant = await examiner.newMerchant()
      const shop = await openExamShop(merchant, fault)
      const isFirst = wanted.includes('paid')
      const { status, report } = await examiner.examine(
        merchant.merNo,
        shop.notifyUrl,
        '--state-url',
        shop.stateUrl,
      )
      shop.close()
      assert.equal(status, 1)
      assert.deepEqual(namesIn(report, 'failed'), wanted, explain(report))
      assert.equal(namesIn(report, 'skipped').length, isFirst ? 15 : 0, explain(report))
      for (const { state, todo } of report.exercises) assert.equal(todo !== null, state === 'failed')
    })
})

test('the checklist ticks what the merchant has tried with its own program', async () => {
  const { demo, person } = examiner.office
  const secrets = { ...demo, webhookSecret: '' }
  const paid = await pay(demo)
  await pay(demo, { cardNo: '4000000000003220' })
  const { tradeNo, merOrderNo } = paid.data
  await call(demo, '/refund/apply', {
    ...{ merNo: demo.merNo, tradeNo, merOrderNo, amount: '1.00' },
    ...{ operationType: 'refund', version: 'V3.0.0' },
  })
  const owner = await person(demo.merNo, 'owner')
  const isLogged = async () =>
    (await owner.call('GET /requests', { query: { endpoint: '/refund/apply' } })).rows.length > 0
  assert.ok(await eventually(isLogged))
  const shop = await openExamShop(secrets, 'answers OK')
  const { report } = await examiner.examine(String(demo.merNo), shop.notifyUrl)
  shop.close()
  const done = report.checklist.filter((item) => item.done).map(({ name }) => name)
  assert.deepEqual(done, ['payment', 'challenge', 'refund'])
})

test('the exam runs only in sandbox, and only at a web address', async () => {
  const { databaseUrl, dataDir } = examiner.office
  const env = { DATABASE_URL: databaseUrl, TOLLGATE_DATA_DIR: dataDir }
  const bad = await runTollgate(['exam', '--notify-url', 'shop.example/notify'], env)
  assert.deepEqual(
    { status: bad.status, stderr: bad.stderr },
    { status: 1, stderr: '--notify-url must be an http or https address\n' },
  )
  const live = {
    ...env,
    TOLLGATE_MODE: 'live',
    TOLLGATE_BASE_URL: 'https://pay.example',
    TOLLGATE_MASTER_KEY: '0'.repeat(64),
    TOLLGATE_TRUSTED_PROXIES: 'none',
  }
  const refused = await runTollgate(['exam', '--notify-url', 'https://shop.example/notify'], live)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /only in sandbox/)
})
