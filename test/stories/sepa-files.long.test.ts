// A real gateway whose bank is reached by files: a payment, its refund, a payout that comes back, and
// money without a payment.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { createFileBank, type FileBank } from '../../sandbox/sepa-files/bank.ts'
import { payoutReference } from '../../src/money/payouts/payout.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { ACCOUNT, CHANNEL, sepaSettings } from '../counterparties/sepa-files.ts'
import { type Account, call, newNumber, query, queryBody } from '../harness/client.ts'
import { assertSound } from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { operatorAt, runTollgate } from '../harness/operator.ts'

const TAKES_ORDERS_MS = 300

let installation: Installation
let gateway: GatewayProcess
let account: Account
let bank: FileBank
let env: Readonly<Record<string, string>>
let timer: NodeJS.Timeout

const database = useDatabase({
  async before() {
    installation = await openInstallation({ DATABASE_URL: database.url })
    const { dataDir } = installation
    const folder = join(dataDir, 'house-bank')
    bank = createFileBank({ folder, account: ACCOUNT, clock: systemClock })
    timer = setInterval(bank.takeOrders, TAKES_ORDERS_MS)
    const { payoutKinds: _, ...entry } = sepaSettings(folder, { methods: ['sepa', 'payout_bank'] })
    const channels = join(dataDir, 'channels.json')
    writeFileSync(channels, JSON.stringify([entry]), { mode: 0o600 })
    gateway = await installation.start({ TOLLGATE_CHANNELS: channels })
    account = gateway.account
    env = { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: dataDir, TOLLGATE_CHANNELS: channels }
    const operator = operatorAt({ databaseUrl: database.url, dataDir })
    const route = ['merchant', 'route', String(account.merNo), '--method', 'sepa', '--channel', CHANNEL]
    await operator.run(...route, '--priority', '1')
    // Without this pause, the sandbox's own rail would come first.
    await operator.run('channel', 'pause', 'payout-bank')
  },
  async after() {
    clearInterval(timer)
    await installation.remove()
    bank.close()
  },
})

const common = () => ({
  merNo: account.merNo,
  merOrderNo: newNumber(),
  currencyCode: 'EUR',
  returnUrl: 'https://shop.example/back',
  notifyUrl: 'https://shop.example/notify',
  ipAddress: '203.0.113.7',
  version: 'V3.0.0',
})

it('a transfer with the reference pays the order, and a refund goes back to the account', async () => {
  const payer = { userId: 'user-1', email: 'payer@shop.example', userAgent: 'a test' }
  const order = { ...common(), ...payer, sourceAmount: '24.00' }
  const { data } = await call(account, '/payment', order, { paymentType: 'SEPA' })
  assert.equal(data.account, ACCOUNT.iban)
  assert.equal(data.payeeName, ACCOUNT.name)
  bank.notify(bank.credit([{ cents: 24_00n, text: `Thank you ${data.reference}` }]))
  const isPaid = async () => (await query(account, order.merOrderNo)).data.state === 3
  assert.ok(await eventually(isPaid), 'the order was paid')

  const asked = {
    merNo: account.merNo,
    merOrderNo: order.merOrderNo,
    tradeNo: data.tradeNo,
    version: 'V3.0.0',
  }
  const refund = await call(account, '/refund/apply', { ...asked, operationType: 'refund', amount: '4.00' })
  assert.equal(refund.code, '00000')
  const about = { tradeNo: data.tradeNo, merOrderNo: order.merOrderNo, refundNo: refund.data.refundNo }
  const body = queryBody(account, { ...about, queryType: 'refund' })
  const isRefunded = async () => (await call(account, '/order/query', body)).data.state === 6
  assert.ok(await eventually(isRefunded), 'the refund was paid')
})

it('a payout is paid by a file, and fails if its money comes back', async () => {
  const reply = await call(account, '/payout', {
    ...common(),
    sourceAmount: '12.34',
    withdrawType: '3',
    cardNo: 'FR1420041010050500013M02606',
    benFirstName: 'Zoë',
    benLastName: 'Example',
    addressLine: 'Rue de la Paix 1',
    city: 'Paris',
    countryCode: 'FR',
    beneficiaryType: 'individual',
  })
  assert.equal(reply.code, '00000', JSON.stringify(reply))
  const reference = payoutReference(String(reply.data.tradeNo))
  assert.ok(await eventually(async () => bank.countPaid(reference) === 1), 'the bank paid')
  const stateOf = async () => (await query(account, reply.data.merOrderNo)).data.state
  assert.ok(await eventually(async () => (await stateOf()) === 3), 'the payout succeeded')
  bank.giveBack(reference)
  assert.ok(await eventually(async () => (await stateOf()) === 2), 'the payout came back')
})

it('the operator sees money without a payment, and its statement reconciles with the books', async () => {
  bank.notify(bank.credit([{ cents: 7_00n, text: 'no reference' }]))
  assert.ok(await eventually(() => installation.output().includes('7.00 EUR')), 'it is in the log')
  const checked = await runTollgate(['channel', 'check', CHANNEL], env)
  assert.equal(checked.status, 0, checked.stderr)
  assert.match(checked.stdout, /1 bookings name no payment/)

  bank.state()
  const done = join(bank.folders.in, 'done')
  const table = () => readdirSync(done).find((name) => name.endsWith('.csv'))
  assert.ok(await eventually(() => table() !== undefined), 'the statement was read')
  const file = join(done, table() ?? '')
  const compared = await runTollgate(['reconcile', '--channel', CHANNEL, '--file', file, '--json'], env)
  const { lines, matched, booked } = JSON.parse(compared.stdout)
  assert.deepEqual({ lines, matched, booked }, { lines: 4, matched: 3, booked: 1 }, compared.stdout)
  await assertSound(database.db)
})
