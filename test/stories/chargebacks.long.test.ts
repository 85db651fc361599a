// A chargeback from start to end: the bank disputes a payment, the shop is notified and queries it, the operator
// decides, and the remainder is settled.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { assertMoneySound } from '../builders/paid-orders.ts'
import { openReceiver, type Receiver } from '../counterparties/receiver.ts'
import { type Account, call, pay, queryBody, type Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'

const DISPUTED_CARD = '4000000000000259'

let installation: Installation
let gateway: GatewayProcess
let account: Account
let shop: Receiver
let operator: Operator

const database = useDatabase({
  async before() {
    shop = await openReceiver()
    installation = await openInstallation({ DATABASE_URL: database.url, TOLLGATE_MINUTE_MS: '300' })
    gateway = await installation.start()
    operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
    const options = ['--fee-bps', '300', '--chargeback-fee', '2.00', '--chargeback-url', `${shop.url}/own`]
    const made = await operator.run(
      'merchant',
      'create',
      '--name',
      'Shop',
      '--site',
      'shop.example',
      ...options,
    )
    const { baseUrl } = gateway.account
    account = { baseUrl, merNo: Number(made.merNo), key: String(made.key), site: 'shop.example' }
  },
  async after() {
    await installation.remove()
    await shop.close()
  },
})

function ask(queryType: string, { data: { merOrderNo } }: Reply): Promise<Reply> {
  return call(account, '/order/query', queryBody(account, { queryType, merOrderNo }))
}

const isDisputed = (paid: Reply) => async () => (await ask('chargeback', paid)).code === '00000'

/** Waits for this many notifications of the order, in the order of arrival. */
async function notificationsAt(path: string, { data: { tradeNo } }: Reply, howMany: number) {
  const all = () => shop.received(path).map(({ headers, body }) => ({ headers, body: JSON.parse(body) }))
  const own = () => all().filter(({ body }) => body.tradeNo === tradeNo)
  assert.ok(await eventually(() => own().length >= howMany), `${own().length} of ${howMany} came`)
  assert.equal(own().length, howMany)
  return own()
}

it('the bank disputes a payment: the shop is notified, queries it and loses, and the remainder is settled', async () => {
  const paid = await pay(account, { cardNo: DISPUTED_CARD, protestNotifyUrl: `${shop.url}/protest` })
  assert.equal(paid.data.payCode, 0)
  assert.ok(await eventually(isDisputed(paid)), 'the chargeback is not opened')

  const { tradeNo, merOrderNo } = paid.data
  const names = { tradeNo, merNo: String(account.merNo), merOrderNo }
  const disputed = { refuseAmount: '12.34', refuseCurrency: 'USD', actualRefuseCurrency: 'USD' }
  assert.deepEqual((await ask('chargeback', paid)).data, {
    state: 1,
    ...names,
    message: 'Chargeback opened: not as described',
    reason: '4853',
    ...disputed,
    actualRefuseAmount: '0.00',
  })
  const [opened] = await notificationsAt('/protest', paid, 1)
  const { sign, ...fields } = opened?.body ?? {}
  const message = 'Chargeback opened: not as described'
  const same = { tradeNo, merOrderNo, reason: '4853', currency: 'USD', amount: '12.34' }
  assert.deepEqual(fields, { ...same, code: '1', message })
  assert.equal(opened?.headers['content-type']?.startsWith('application/json'), true)
  const text = `event=chargeback&amount=12.34&code=1&currency=USD&merOrderNo=${merOrderNo}&message=${message}&reason=4853&tradeNo=${tradeNo}`
  assert.equal(
    sign,
    createHash('md5')
      .update(text + account.key)
      .digest('hex')
      .toUpperCase(),
  )

  const refund = { merNo: account.merNo, merOrderNo, tradeNo, amount: '1.00', version: 'V3.0.0' }
  assert.equal((await call(account, '/refund/apply', refund)).code, '10102')

  await operator.run(
    'chargeback',
    'evidence',
    '--trade-no',
    String(tradeNo),
    '--note',
    'Parcel was signed for',
  )
  const lost = await operator.run('chargeback', 'resolve', '--trade-no', String(tradeNo), '--outcome', 'lost')
  assert.equal(lost.state, 'lost')
  assert.equal((await notificationsAt('/protest', paid, 2))[1]?.body.code, '3')
  await operator.run('settle', '--as-of', new Date(Date.now() + 3 * 86_400_000).toISOString())
  assert.deepEqual((await ask('sales', paid)).data, {
    state: 3,
    ...names,
    message: 'Payment succeeded',
    settle: 1,
    tradeFee: '0.37',
    receiveAmount: '12.34',
    ...disputed,
    actualRefuseAmount: '12.34',
  })
})

it('the operator opens a partial chargeback and wins it: only the fee is lost', async () => {
  const paid = await pay(account, { sourceAmount: '100.00' })
  assert.equal((await ask('chargeback', paid)).code, '10026')
  const tradeNo = String(paid.data.tradeNo)
  const open = ['chargeback', 'open', '--trade-no', tradeNo, '--amount', '40.00', '--reason', '4855']
  await operator.run(...open)
  assert.match(await operator.refused(...open), /has an open chargeback already/)
  assert.equal((await ask('chargeback', paid)).data.refuseAmount, '40.00')
  await operator.run('chargeback', 'resolve', '--trade-no', tradeNo, '--outcome', 'won')
  assert.match(
    await operator.refused('chargeback', 'resolve', '--trade-no', tradeNo, '--outcome', 'won'),
    /is won already/,
  )
  const codes = (await notificationsAt('/own', paid, 2)).map(({ body }) => body.code)
  assert.deepEqual(codes, ['1', '2'])
  const query = { merNo: account.merNo, version: 'V3.0.0', currency: 'USD' }
  const before = await call(account, '/balance/query', query)
  const run = await operator.run('settle', '--as-of', new Date(Date.now() + 3 * 86_400_000).toISOString())
  assert.deepEqual(run.settled, [{ currency: 'USD', orders: 1, amount: '95.00' }])
  assert.equal(before.data.unCheckedBalance, '95.00')
  assert.equal((await call(account, '/balance/query', query)).data.totalBalance, before.data.totalBalance)
})

it('a gateway that is killed and restarted opens each chargeback once', async () => {
  const payments = await Promise.all(
    Array.from({ length: 12 }, () => pay(account, { cardNo: DISPUTED_CARD })),
  )
  await gateway.kill()
  gateway = await installation.start()
  for (const paid of payments) assert.ok(await eventually(isDisputed(paid)), 'the chargeback is not opened')
  await gateway.kill()
  gateway = await installation.start()
  const { chargebacks } = await operator.run('chargeback', 'list')
  assert.ok(Array.isArray(chargebacks))
  for (const { data } of payments)
    assert.equal(chargebacks.filter((one) => one.tradeNo === data.tradeNo && one.state === 'open').length, 1)
  // A delivery that the kill interrupted is repeated later, but there is only one notification.
  const rows = await database.db.query({
    text: `select trade_no from notifications where event = 'chargeback' and trade_no = any($1)`,
    values: [payments.map(({ data }) => data.tradeNo)],
  })
  assert.equal(rows.length, payments.length)
})

it('the books are sound', async () => {
  assert.deepEqual((await operator.run('ledger', 'verify')).differences, [])
  assert.equal(await gateway.stop(), 0)
  await assertMoneySound(database.db)
})
