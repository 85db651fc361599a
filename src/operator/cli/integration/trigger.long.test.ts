// Makes every event of `trigger`, at a real gateway with its sandbox.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Listening, runCommand, startListen } from '../../../../test/harness/command-process.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Installation, openInstallation } from '../../../../test/harness/gateway-process.ts'
import { cloneDatabase, type TestDatabase } from '../../../../test/harness/harness.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'
import { sandboxEvents } from './sandbox-events.ts'

describe('trigger', () => {
  let database: TestDatabase
  let installation: Installation
  let env: Readonly<Record<string, string>>
  let listening: Listening

  before(async () => {
    database = await cloneDatabase()
    installation = await openInstallation({ DATABASE_URL: database.url, TOLLGATE_MINUTE_MS: '1000' })
    await installation.start()
    env = { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: installation.dataDir }
    listening = await startListen([], env)
  })
  after(async () => {
    await listening.interrupt()
    await installation.remove()
    await database.drop()
  })

  async function explain(orderNo: string) {
    const { stdout, stderr, status } = await runTollgate(['explain', orderNo, '--json'], env)
    assert.equal(status, 0, stderr)
    return JSON.parse(stdout)
  }

  const wanted = {
    dispute: { state: 12, notified: 'payment code 0, chargeback code 1' },
    'refund-failed': { state: 5, notified: 'payment code 0, refund code 1' },
    'payment-declined': { state: 6, notified: 'payment code 1' },
    'payment-cancelled': { state: 7, notified: 'payment code 1' },
    'payment-late': { state: 7, notified: 'payment code 1', deposits: ['100.00 suspense'] },
    'payment-short': { state: 1, notified: '', deposits: ['90.00 waiting'] },
    'payment-over': { state: 5, notified: 'payment code 0', deposits: ['110.00 taken'] },
    'payout-failed': { state: 6, notified: 'payout code 1' },
    'payout-returned': { state: 6, notified: 'payout code 0, payout code 1' },
  }

  test('in a shell of its own, it says what it did', async () => {
    const { status, stdout, stderr } = await runCommand(['trigger', 'refund-failed'], env)
    assert.equal(status, 0, stderr)
    const [done, trade] = stdout.split('\n')
    assert.equal(done, 'Done: a card payment succeeds, and its refund fails (refund, state 1).')
    assert.match(trade ?? '', /^ {2}tradeNo +T\w{26}$/)
    assert.match(stdout, /Its notifications go to your "tollgate listen"\.\nSee what happened: .* explain T/)
  })

  test('alone, it lists the events', async () => {
    const { status, stdout } = await runTollgate(['trigger'], env)
    assert.equal(status, 0)
    const [, ...lines] = stdout.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => line.trim().split(' ')[0]),
      Object.keys(wanted),
    )
    assert.deepEqual(
      sandboxEvents.map(({ name }) => name),
      Object.keys(wanted),
    )
  })

  for (const [event, { state, notified, deposits = [] }] of Object.entries<{
    state: number
    notified: string
    deposits?: string[]
  }>(wanted)) {
    test(`${event} happens, and "listen" shows its notifications`, async () => {
      const orderNo = `${event}-1`
      const args = ['trigger', event, '--order-no', orderNo, '--json']
      const { status, stdout, stderr } = await runTollgate(args, env)
      assert.equal(status, 0, stderr)
      assert.partialDeepStrictEqual(JSON.parse(stdout), { event, merOrderNo: orderNo, state })
      const shown = () =>
        [...listening.stdout().matchAll(/Z {2}(\w+) {2}T\w+ {2}(\S+) {2}(code \d) {2}sign verifies/g)]
          .filter(([, , order]) => order === orderNo)
          .map(([, name, , code]) => `${name} ${code}`)
          .join(', ')
      assert.ok(await eventually(() => shown() === notified), `${shown()}\n${stderr}`)
      const found = await explain(orderNo)
      assert.equal(found.state, state)
      assert.deepEqual(
        found.deposits.map((one: { amount: string; state: string }) => `${one.amount} ${one.state}`),
        deposits,
      )
    })
  }

  test('a misspelt event is answered with the nearest one', async () => {
    const { status, stderr } = await runTollgate(['trigger', 'payout-faild'], env)
    assert.deepEqual(
      { status, stderr },
      { status: 2, stderr: 'There is no event "payout-faild". Did you mean "payout-failed"?\n' },
    )
  })

  test('live refuses it', async () => {
    const live = {
      TOLLGATE_MODE: 'live',
      TOLLGATE_BASE_URL: 'https://pay.example',
      TOLLGATE_MASTER_KEY: '1'.repeat(64),
      TOLLGATE_TRUSTED_PROXIES: 'none',
    }
    const { status, stderr } = await runTollgate(['trigger', 'dispute'], { ...env, ...live })
    assert.deepEqual(
      { status, stderr },
      { status: 1, stderr: 'trigger works only in sandbox: it makes orders, and plays payers and banks\n' },
    )
  })
})
