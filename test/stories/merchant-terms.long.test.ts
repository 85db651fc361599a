// The terms that an operator sets and payments follow: fee plans per method, and limits for all merchants together.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { assertMoneySound, balancesOf } from '../builders/paid-orders.ts'
import { type Account, pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'

let installation: Installation
let operator: Operator
let demo: Account

const database = useDatabase({
  async before() {
    installation = await openInstallation({ DATABASE_URL: database.url })
    demo = (await installation.start()).account
    operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
  },
  after: () => installation.remove(),
})

async function merchant(...options: string[]): Promise<Account> {
  const name = ['--name', 'Shop', '--site', 'shop.example']
  const made = await operator.run('merchant', 'create', ...name, ...options)
  return { baseUrl: demo.baseUrl, merNo: Number(made.merNo), key: String(made.key), site: 'shop.example' }
}

async function paid(account: Account, sourceAmount: string): Promise<void> {
  const { code, data } = await pay(account, { sourceAmount })
  assert.deepEqual({ code, payCode: data.payCode }, { code: '00000', payCode: 0 })
}

const plan = (account: Account, ...options: string[]) =>
  operator.run('merchant', 'plan', String(account.merNo), ...options)

describe('a plan for one method', () => {
  /** Returns the fees and the margin so far, in cents. */
  async function taken(account: Account) {
    const balances = await balancesOf(database.db, account.merNo)
    return [balances['platform:fees USD'] ?? 0n, balances['merchant:margin USD'] ?? 0n] as const
  }

  /** Makes another payment of 100.00, and returns what it costs. */
  async function cost(account: Account): Promise<[fees: bigint, margin: bigint]> {
    const [fees, margin] = await taken(account)
    await paid(account, '100.00')
    const [feesNow, marginNow] = await taken(account)
    return [feesNow - fees, marginNow - margin]
  }

  /** Waits until payments have this cost. The gateway has cached the merchant, and notices the change after a while. */
  async function untilItCosts(account: Account, wanted: [fees: bigint, margin: bigint]): Promise<void> {
    const isSo = async () => isDeepStrictEqual(await cost(account), wanted)
    assert.ok(await eventually(isSo), `payments do not cost ${wanted}`)
  }

  it('applies to its method until it is removed; other methods use the general plan', async () => {
    const terms = ['--fee-bps', '100', '--fee-fixed', '0.10']
    const shop = await merchant(...terms)
    const other = await merchant(...terms)
    assert.deepEqual(await cost(shop), [1_10n, 0n])
    await plan(shop, '--method', 'alipay', '--fee-bps', '900')
    const shown = await plan(shop, '--method', 'card', '--fee-bps', '300', '--margin-bps', '1000')
    const card = { method: 'card', feeBps: 300, feeFixed: '0.10', refundFee: '0.00', chargebackFee: '0.00' }
    const days = { marginBps: 1000, marginDays: 180, settleDays: 1 }
    assert.ok(Array.isArray(shown.feePlans))
    assert.deepEqual(shown.feePlans[1], { ...card, ...days })
    assert.deepEqual(
      shown.feePlans.map(({ method }) => method),
      ['all', 'card', 'alipay'],
    )
    await untilItCosts(shop, [3_10n, 10_00n])
    assert.deepEqual(await cost(other), [1_10n, 0n])
    await plan(shop, '--method', 'card', '--remove')
    await untilItCosts(shop, [1_10n, 0n])
    await assertMoneySound(database.db)
  })

  it('is accepted only for known methods and valid values', async () => {
    const call = ['merchant', 'plan', String(demo.merNo), '--method']
    assert.match(
      await operator.refused(...call, 'cheque', '--fee-bps', '1'),
      /^cheque is not a method: use one of/,
    )
    assert.match(await operator.refused(...call, 'card', '--fee-bps', '10001'), /from 0 to 10000$/)
    assert.match(await operator.refused(...call, 'card', '--remove'), /has no separate plan for card$/)
  })
})

describe('limits for all merchants together', () => {
  /** Changes a limit, and waits until the gateway must have read it. */
  async function limit(...options: string[]): Promise<unknown> {
    const { limits } = await operator.run('platform', 'limit', ...options)
    await sleep(2_100)
    return limits
  }
  const codeOf = async (account: Account, sourceAmount: string) => (await pay(account, { sourceAmount })).code

  it('refuse with 10016 for the day and 10017 for the month, until they are removed', async () => {
    const [one, two] = [await merchant(), await merchant()]
    assert.deepEqual(await limit('--method', 'card', '--daily', '15'), [
      { method: 'card', daily: '15.00', monthly: null },
    ])
    assert.equal(await codeOf(one, '10.00'), '00000')
    assert.equal(await codeOf(two, '5.01'), '10016')
    assert.equal(await codeOf(two, '5.00'), '00000')
    assert.deepEqual(await limit('--method', 'card', '--monthly', '17'), [
      { method: 'card', daily: '15.00', monthly: '17.00' },
    ])
    assert.equal(await codeOf(one, '0.01'), '10016')
    await limit('--method', 'card', '--daily', 'none')
    assert.equal(await codeOf(one, '2.01'), '10017')
    assert.equal(await codeOf(two, '2.00'), '00000')
    assert.deepEqual(await limit('--method', 'card', '--monthly', 'none'), [])
    assert.equal(await codeOf(one, '10.00'), '00000')
  })

  it('are shown by method, including payouts, and must be valid', async () => {
    await operator.run('platform', 'limit', '--method', 'payout', '--monthly', '1000000')
    const payouts = { method: 'payout', daily: null, monthly: '1000000.00' }
    assert.deepEqual(await operator.run('platform', 'show'), { limits: [payouts] })
    const call = ['platform', 'limit', '--method']
    assert.match(await operator.refused(...call, 'cheque', '--daily', '1'), /^cheque is not a method/)
    assert.match(
      await operator.refused(...call, 'card', '--daily', 'much'),
      /much is not an amount in US dollars/,
    )
    assert.deepEqual(await operator.run('platform', 'show'), { limits: [payouts] })
  })
})
