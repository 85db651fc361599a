// Refunds from the view of merchant and operator: a real gateway over HTTP, its command line, and kill -9.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openCardBook } from '../../sandbox/card-book.ts'
import { attemptReference } from '../../src/money/orders/order.ts'
import { assertMoneySound, balancesOf } from '../builders/paid-orders.ts'
import { openReceiver, type Receiver } from '../counterparties/receiver.ts'
import { type Account, call, pay, queryBody, type Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { runTollgate } from '../harness/operator.ts'

let installation: Installation
let gateway: GatewayProcess
let receiver: Receiver

const database = useDatabase({
  async before({ url }) {
    receiver = await openReceiver()
    installation = await openInstallation({ DATABASE_URL: url })
    gateway = await installation.start()
  },
  async after() {
    await installation.remove()
    await receiver.close()
  },
})

/** Runs an operator's command; returns the JSON document that it printed. */
async function tollgate(...args: string[]) {
  const env = { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: installation.dataDir }
  return JSON.parse((await runTollgate([...args, '--json'], env)).stdout)
}

async function newAccount(...options: string[]): Promise<Account> {
  const made = await tollgate(
    ...['merchant', 'create', '--name', 'Shop', '--site', 'shop.example', ...options],
  )
  return { baseUrl: gateway.account.baseUrl, site: 'shop.example', ...made }
}

async function paid(account: Account, sourceAmount = '12.34'): Promise<Reply['data']> {
  const { code, data } = await pay(account, { sourceAmount })
  assert.equal(code, '00000')
  assert.equal(data.payCode, 0)
  return data
}

type Changes = Record<string, unknown>

function refund(
  account: Account,
  { tradeNo, merOrderNo }: Reply['data'],
  changes: Changes = {},
): Promise<Reply> {
  const body = { merNo: account.merNo, merOrderNo, tradeNo, operationType: 'refund', version: 'V3.0.0' }
  return call(account, '/refund/apply', { ...body, amount: '4.00', ...changes })
}

function ask(account: Account, { tradeNo, merOrderNo }: Reply['data'], by: Changes): Promise<Reply> {
  return call(
    account,
    '/order/query',
    queryBody(account, { tradeNo, merOrderNo, queryType: 'refund', ...by }),
  )
}

/** Waits for the refund's outcome. */
async function decided(account: Account, order: Reply['data'], made: Reply): Promise<Reply> {
  const { refundNo } = made.data
  const isDecided = async () => (await ask(account, order, { refundNo })).data.state !== 4
  assert.ok(await eventually(isDecided), 'the refund is still open')
  return ask(account, order, { refundNo })
}

/** The total ever debited for the merchant's refunds, whatever their outcome. */
async function everTaken({ merNo }: Account): Promise<bigint | undefined> {
  const [row] = await database.db.query<{ credits: bigint }>({
    text: `select credits from balances where mer_no = $1 and account = 'transit:refunds' and currency = 'USD'`,
    values: [merNo],
  })
  return row?.credits
}

describe('a merchant that refunds', { concurrency: true }, () => {
  it('gets a response immediately, can query the refund, and is notified of the success', async () => {
    const account = await newAccount()
    const order = await paid(account)
    const notifyUrl = `${receiver.url}/done`
    const made = await refund(account, order, { merRefundNo: 'back-1', notifyUrl })
    assert.equal(made.code, '00000')
    const end = await decided(account, order, made)
    const { merRefundNo, message, ...rest } = end.data
    assert.deepEqual(rest, { state: 6, ...made.data })
    assert.deepEqual({ merRefundNo, message }, { merRefundNo: 'back-1', message: 'Refund succeeded' })
    assert.ok(await eventually(() => receiver.received('/done').length === 1))
    const [notification] = receiver.received('/done')
    assert.match(String(notification?.headers['content-type']), /^application\/json/)
    const { sign, ...fields } = JSON.parse(notification?.body ?? '')
    const { refundNo, refundAmount, refundCurrency, tradeNo, merOrderNo } = made.data
    assert.deepEqual(fields, {
      tradeNo,
      merOrderNo,
      refundNo,
      state: 0,
      message,
      refundAmount,
      refundCurrency,
    })
    assert.match(sign, /^[0-9A-F]{32}$/)
    assert.equal((await refund(account, order, { merRefundNo: 'back-1', notifyUrl })).data.refundNo, refundNo)
  })

  it('gets its money back and a notification if the bank refuses 6.66', async () => {
    const account = await newAccount('--refund-fee', '0.30', '--margin-bps', '1000')
    const order = await paid(account)
    const before = await balancesOf(database.db, account.merNo)
    const made = await refund(account, order, { amount: '6.66', notifyUrl: `${receiver.url}/refused` })
    const end = await decided(account, order, made)
    assert.equal(end.data.state, 5)
    assert.equal(end.data.message, 'The bank refused the refund')
    assert.deepEqual(await balancesOf(database.db, account.merNo), before)
    assert.equal(await everTaken(account), 666n)
    assert.ok(await eventually(() => receiver.received('/refused').length === 1))
    assert.equal(JSON.parse(receiver.received('/refused')[0]?.body ?? '').state, 1)
  })

  it('makes concurrent partial refunds, up to the amount paid', async () => {
    const account = await newAccount()
    const order = await paid(account, '10.00')
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        refund(account, order, { amount: '1.00', merRefundNo: `${index}` }),
      ),
    )
    const made = replies.filter(({ code }) => code === '00000')
    assert.equal(made.length, 10)
    assert.ok(replies.every(({ code }) => code === '00000' || code === '10101'))
    for (const one of made) assert.equal((await decided(account, order, one)).data.state, 6)
    assert.deepEqual(await balancesOf(database.db, account.merNo), {})
    assert.equal((await refund(account, order, { amount: '0.01' })).code, '10101')
  })

  it('waits for the operator if approval is required, who approves one and rejects one', async () => {
    const account = await newAccount('--approve-refunds', 'on')
    const order = await paid(account, '10.00')
    const wanted = await refund(account, order, { amount: '3.00', remark: 'wanted' })
    const unwanted = await refund(account, order, { amount: '2.00', remark: 'unwanted' })
    const { refunds } = await tollgate('refund', 'list', '--merchant', String(account.merNo))
    assert.deepEqual(
      refunds.map((one: Changes) => [one.refundNo, one.refundAmount, one.remark]),
      [wanted, unwanted].map(({ data }, index) => [
        data.refundNo,
        data.refundAmount,
        ['wanted', 'unwanted'][index],
      ]),
    )
    const { refundNo } = wanted.data
    assert.equal((await ask(account, order, { refundNo })).data.state, 4)
    await tollgate('refund', 'approve', String(refundNo))
    await tollgate('refund', 'reject', String(unwanted.data.refundNo), '--reason', 'it was delivered')
    assert.equal((await decided(account, order, wanted)).data.state, 6)
    const { data } = await ask(account, order, { refundNo: unwanted.data.refundNo })
    assert.deepEqual(
      { state: data.state, message: data.message },
      { state: 5, message: 'The refund was not approved: it was delivered' },
    )
    assert.deepEqual(await tollgate('refund', 'approve', String(unwanted.data.refundNo)), {
      error: `refund ${unwanted.data.refundNo} is failed: only one that is waiting can be decided`,
    })
    assert.equal((await balancesOf(database.db, account.merNo))['merchant:unsettled USD'], 700n)
  })
})

it('a gateway killed between acceptance and outcome refunds exactly once after its restart', async () => {
  const { account } = gateway
  const orders = await Promise.all(Array.from({ length: 20 }, () => paid(account)))
  const before = (await balancesOf(database.db, account.merNo))['rail:card USD'] ?? 0n
  const made = await Promise.all(orders.map((order) => refund(account, order)))
  await gateway.kill()
  assert.ok(made.every(({ code }) => code === '00000'))
  const [row] = await database.db.query<{ open: number }>({
    text: 'select count(*)::int as open from refunds where ask_at is not null',
  })
  assert.ok(row && row.open > 0, 'all were decided before the kill, so nothing was tested')
  gateway = await installation.start()
  for (const [index, order] of orders.entries()) {
    const own = made[index]
    assert.ok(own)
    assert.equal((await decided(account, order, own)).data.state, 6)
  }
  const book = openCardBook(join(installation.dataDir, 'sandbox', 'card-issuer.sqlite'))
  for (const { tradeNo } of orders)
    assert.equal(book.refundsOf(attemptReference(String(tradeNo), 1)).length, 1)
  book.close()
  const railed = (await balancesOf(database.db, account.merNo))['rail:card USD'] ?? 0n
  assert.equal(railed, before + 20n * 400n)
})

it('the command line finds the ledger sound', async () => {
  assert.equal(await gateway.stop(), 0)
  assert.deepEqual((await tollgate('ledger', 'verify')).differences, [])
  await assertMoneySound(database.db)
})
