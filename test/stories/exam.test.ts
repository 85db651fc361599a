// The integration exam by the command line: a good server passes, and each fault fails exactly the exercises about it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listen } from '../../sdk/src/testing.ts'
import { type BackOffice, openBackOffice } from '../back-office.ts'
import { call, pay } from '../client.ts'
import { eventually } from '../eventually.ts'
import { type Fault, openExamShop, type ShopSecrets } from '../exam-shop.ts'
import { type Operator, operatorAt, runTollgate } from '../operator.ts'

type Exercised = {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly found: readonly string[]
  readonly todo: string | null
  readonly deliveries: readonly { readonly request: string; readonly wrong: string | null }[]
}

type Report = {
  readonly passed: boolean
  readonly exercises: readonly Exercised[]
  readonly checklist: readonly { readonly name: string; readonly done: boolean }[]
}

let office: BackOffice
let operator: Operator

before(async () => {
  office = await openBackOffice()
  operator = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
})
after(() => office.close())

type NewMerchant = ShopSecrets & { readonly merNo: string }

async function newMerchant(): Promise<NewMerchant> {
  const made = await operator.run('merchant', 'create', '--name', 'Examined', '--site', 'shop.example')
  return { merNo: String(made.merNo), key: String(made.key), webhookSecret: String(made.webhookSecret) }
}

async function examine(merNo: string, notifyUrl: string, ...more: readonly string[]) {
  const where = ['--notify-url', notifyUrl, '--mer-no', merNo, '--url', office.baseUrl]
  const { status, stdout, stderr } = await operator.attempt('exam', ...where, ...more)
  assert.ok(stdout !== '', stderr)
  const report: Report = JSON.parse(stdout)
  assert.ok(report.exercises, stdout)
  return { status, report }
}

function namesIn({ exercises }: Report, state: Exercised['state']): string[] {
  return exercises.filter((one) => one.state === state).map(({ name }) => name)
}

function explain({ exercises }: Report): string {
  return exercises.map(({ name, state, found }) => `${name} ${state}: ${found.join('; ')}`).join('\n')
}

/** What fails if the shop has the fault. The first exercise stands for all others, which are then not run. */
const faults: Readonly<Record<Fault, readonly string[]>> = {
  'takes forged ones': ['forged'],
  'fails on repeated ones': ['repeated', 'lost-answer', 'late'],
  'credits repeated ones again': ['repeated', 'lost-answer', 'late'],
  'forgets refunds': ['out-of-order', 'late'],
  'writes the body again': ['raw-body'],
  'answers OK': ['paid'],
  'never answers': ['paid'],
}

describe('an exam', { concurrency: true }, () => {
  test('is passed by a good shop, with every effect checked', async () => {
    const merchant = await newMerchant()
    const shop = await openExamShop(merchant)
    const { status, report } = await examine(merchant.merNo, shop.notifyUrl, '--state-url', shop.stateUrl)
    shop.close()
    assert.equal(report.passed, true, explain(report))
    assert.deepEqual([status, namesIn(report, 'passed').length], [0, 14], explain(report))
    assert.deepEqual(
      report.checklist.filter(({ done }) => done).map(({ name }) => name),
      ['exam', 'website'],
    )
  })

  test("is passed by the SDK's own listener, and says that effects are not checked", async () => {
    const merchant = await newMerchant()
    const shop = await listen(merchant)
    const { report } = await examine(merchant.merNo, shop.url)
    await shop.close()
    assert.equal(report.passed, true, explain(report))
    assert.ok(report.exercises.every(({ found }) => found.join().endsWith('effect not checked')))
  })

  for (const [fault, wanted] of Object.entries(faults) as [Fault, readonly string[]][])
    test(`finds a shop that ${fault}`, async () => {
      const merchant = await newMerchant()
      const shop = await openExamShop(merchant, fault)
      const isFirst = wanted.includes('paid')
      const { status, report } = await examine(merchant.merNo, shop.notifyUrl, '--state-url', shop.stateUrl)
      shop.close()
      assert.equal(status, 1)
      assert.deepEqual(namesIn(report, 'failed'), wanted, explain(report))
      assert.equal(namesIn(report, 'skipped').length, isFirst ? 13 : 0, explain(report))
      for (const { state, todo } of report.exercises) assert.equal(todo !== null, state === 'failed')
    })
})

test('the checklist ticks what the merchant has tried with its own program', async () => {
  const { demo } = office
  const secrets = { ...demo, webhookSecret: '' }
  const paid = await pay(demo)
  await pay(demo, { cardNo: '4000000000003220' })
  const { tradeNo, merOrderNo } = paid.data
  await call(demo, '/refund/apply', {
    ...{ merNo: demo.merNo, tradeNo, merOrderNo, amount: '1.00' },
    ...{ operationType: 'refund', version: 'V3.0.0' },
  })
  const owner = await office.person(demo.merNo, 'owner')
  const isLogged = async () =>
    (await owner.call('GET /requests', { query: { endpoint: '/refund/apply' } })).rows.length > 0
  assert.ok(await eventually(isLogged))
  const shop = await openExamShop(secrets, 'answers OK')
  const { report } = await examine(String(demo.merNo), shop.notifyUrl)
  shop.close()
  const done = report.checklist.filter((item) => item.done).map(({ name }) => name)
  assert.deepEqual(done, ['payment', 'challenge', 'refund'])
})

test('the exam runs only in sandbox, and only at a web address', async () => {
  const env = { DATABASE_URL: office.databaseUrl, TOLLGATE_DATA_DIR: office.dataDir }
  const bad = await runTollgate(['exam', '--notify-url', 'shop.example/notify'], env)
  assert.deepEqual([bad.status, bad.stderr], [1, '--notify-url must be an http or https address\n'])
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
