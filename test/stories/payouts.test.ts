// Payouts through a real gateway: every kind, refusals and their order, the operator's decision, the beneficiary's
// page, and kill -9 at the worst moments. Every payout is booked once, and nothing is sent twice.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { openPayoutBook } from '../../sandbox/payout-book.ts'
import { payoutReference } from '../../src/money/payouts/payout.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { type Caller, openCaller } from '../../src/rails/bridge-check/open-caller.ts'
import { CCI, CLABE, IBAN } from '../builders/payouts.ts'
import { linkOn, openPage, submit } from '../harness/browser.ts'
import { type Account, call, newNumber, pay, query, type Reply, signed } from '../harness/client.ts'
import { assertSound } from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import { type GatewayProcess, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { guideNamed } from '../harness/guides.ts'
import { useDatabase } from '../harness/harness.ts'
import { runTollgate } from '../harness/operator.ts'

const CARD = '4242424242424242'
const payee = { benFirstName: 'Test', benLastName: 'Payee' }
const identity = { accountType: '01', customerIdentificationType: '00', customerIdentification: '45678912' }
const home = {
  addressLine: 'Av. Arequipa 1000',
  city: 'Lima',
  countryCode: 'PE',
  beneficiaryType: 'individual',
}

type Fields = Readonly<Record<string, unknown>>

/** A valid body of each kind except CheckOut. */
const kinds: Readonly<Record<string, Fields>> = {
  card: { withdrawType: '1', currencyCode: 'USD', cardNo: CARD, mobile: '+5115550100', ...payee },
  'bank account': { withdrawType: '3', currencyCode: 'EUR', cardNo: IBAN, ...payee, ...home },
  pix: { withdrawType: '4', currencyCode: 'BRL', cardNo: '12ABC34501DE35', ...payee },
  'per transfer': {
    withdrawType: '5',
    currencyCode: 'PEN',
    cardNo: CCI,
    bankCode: '02',
    ...payee,
    ...identity,
  },
  spei: { withdrawType: '6', currencyCode: 'MXN', cardNo: CLABE, ...payee },
}
const checkout = { withdrawType: '2', currencyCode: 'BRL', email: 'payee@shop.example', ...payee }

function payoutBody({ merNo }: Account, fields: Fields): Record<string, unknown> {
  return {
    merNo,
    merOrderNo: newNumber(),
    sourceAmount: '12.34',
    returnUrl: 'https://shop.example/back',
    notifyUrl: 'https://shop.example/notify',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
    ...fields,
  }
}

function payout(to: Account, fields: Fields): Promise<Reply> {
  return call(to, '/payout', payoutBody(to, fields))
}

let installation: Installation
let gateway: GatewayProcess
let account: Account

const database = useDatabase({
  async before({ url }) {
    installation = await openInstallation({ DATABASE_URL: url })
    gateway = await installation.start()
    account = gateway.account
  },
  after: () => installation.remove(),
})

async function available(currency: string): Promise<bigint> {
  const [row] = await database.db.query<{ net: bigint }>({
    text: `select credits - debits as net from balances
      where mer_no = $1 and account = 'merchant:available' and currency = $2`,
    values: [account.merNo, currency],
  })
  return row?.net ?? 0n
}

/** Returns the total ever debited for payouts, and the part of it that was sent or returned. */
async function everInFlight(currency: string): Promise<{ taken: bigint; ended: bigint } | undefined> {
  const [row] = await database.db.query<{ taken: bigint; ended: bigint }>({
    text: `select credits as taken, debits as ended from balances
      where mer_no = $1 and account = 'transit:payouts' and currency = $2`,
    values: [account.merNo, currency],
  })
  return row
}

/** Runs an operator's command; returns the JSON it printed. */
async function operator(
  ...args: readonly string[]
): Promise<{ status: number; json: Fields | readonly Fields[] }> {
  const env = { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: installation.dataDir }
  const { status, stdout } = await runTollgate([...args, '--json'], env)
  return { status, json: JSON.parse(stdout) }
}

/** Returns a client of the sandbox's own payout bank, with the bank's secret. */
function payoutBank(): Caller {
  const read = (name: string) => readFileSync(join(installation.dataDir, 'sandbox', name), 'utf8').trim()
  const url = `http://127.0.0.1:${read('port')}/payout-bank`
  return openCaller({ url, secret: read('card-issuer.secret') })
}

async function becomes(reply: Reply, state: number, of = account): Promise<void> {
  const isThere = async () => (await query(of, reply.data.merOrderNo)).data.state === state
  assert.ok(await eventually(isThere), `${reply.data.tradeNo} is not ${state}`)
}

describe('a payout', { concurrency: true }, () => {
  for (const [kind, fields] of Object.entries(kinds))
    it(`by ${kind} is pending at first and succeeds after a second`, async () => {
      const reply = await payout(account, fields)
      assert.equal(reply.code, '00000', reply.message)
      const { tradeNo, merOrderNo } = reply.data
      const message = 'The payout is on its way'
      assert.deepEqual(reply.data, { tradeNo, merOrderNo, merorderNo: merOrderNo, payCode: 2, message })
      await becomes(reply, 3)
      const { data } = await query(account, merOrderNo)
      assert.equal(data.receiveAmount, '12.34')
      assert.equal(data.tradeNo, tradeNo)
    })

  it('is counted by how its rail answered', async () => {
    await payout(account, kinds['bank account'] ?? {})
    const metrics = await (await fetch(`${account.baseUrl}/metrics`)).text()
    assert.match(
      metrics,
      /^tollgate_channel_calls_total\{channel="payout-bank",kind="payout",outcome="answered"\} [1-9]/m,
    )
  })

  it('of exactly 6.66 fails, and the money is returned', async () => {
    const before = await available('GBP')
    const reply = await payout(account, {
      ...kinds['bank account'],
      currencyCode: 'GBP',
      sourceAmount: '6.66',
    })
    await becomes(reply, 2)
    assert.equal(await available('GBP'), before)
    assert.deepEqual(await everInFlight('GBP'), { taken: 666n, ended: 666n })
    const [notification] = await database.db.query<{ event: string; fields: Fields }>({
      text: 'select event, fields from notifications where trade_no = $1',
      values: [reply.data.tradeNo],
    })
    const { tradeNo, merOrderNo } = reply.data
    const message = "The beneficiary's bank refused the payout"
    const amounts = { currencyCode: 'GBP', sourceAmount: '6.66' }
    assert.deepEqual(notification, {
      event: 'payout',
      fields: { tradeNo, merOrderNo, code: '1', message, ...amounts },
    })
  })

  it('that comes back from the beneficiary fails after all, and the money is available again', async () => {
    const before = await available('HKD')
    const reply = await payout(account, { ...kinds['bank account'], currencyCode: 'HKD' })
    await becomes(reply, 3)
    assert.equal(await available('HKD'), before - 1_234n)
    const reference = payoutReference(String(reply.data.tradeNo))
    const { status } = await payoutBank().call('simulate', { reference, event: 'return' })
    assert.equal(status, 200)
    await becomes(reply, 2)
    assert.equal(await available('HKD'), before)
  })

  it('is found by sales queries, but is not in the lists of pay-ins', async () => {
    const reply = await payout(account, kinds.spei ?? {})
    const { merOrderNo, tradeNo } = reply.data
    const ask = (queryType: string) =>
      call(account, '/order/query', {
        merNo: account.merNo,
        merOrderNo,
        tradeNo,
        queryType,
        version: 'V3.0.0',
      })
    assert.equal((await ask('sales')).code, '00000')
    assert.equal((await ask('chargeback')).code, '10026')
    const refund = { merNo: account.merNo, merOrderNo, tradeNo, amount: '1.00' }
    assert.equal((await call(account, '/refund/apply', refund)).code, '10026')
    const list = { merNo: account.merNo, merOrderNos: [merOrderNo], version: 'V3.0.1' }
    assert.equal((await call(account, '/order/queryOrderList', list)).data.total, 0)
  })
})

describe('a refused payout', () => {
  /**
   * The rules in the order of their checks. The test breaks a rule and all rules below it, and the first one decides.
   */
  const ladder: readonly (readonly [code: string, fields: Fields])[] = [
    ['99996', { sourceAmount: 12.34 }],
    ['10018', { currencyCode: '' }],
    ['10015', { sign: '0'.repeat(32) }],
    ['10109', { version: 'V9' }],
    ['10009', { merOrderNo: 'used' }],
    ['10000', { withdrawType: '' }],
    ['10002', { benFirstName: '' }],
    ['99997', { mobile: 'none' }],
    ['10105', { cardNo: '032180000118359718' }],
    ['10013', { bankCode: '99999' }],
    ['10019', { currencyCode: 'USD' }],
    ['10023', { sourceAmount: '99999999.99' }],
    ['10104', { sourceAmount: '500000.00' }],
  ]

  it('names the first rule that it breaks, and stores nothing', async () => {
    const number = newNumber()
    assert.equal((await payout(account, { ...kinds.spei, merOrderNo: number })).code, '00000')
    const orders = await countOrders(database.db)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    let broken: Fields = {}
    for (const [code, fields] of [...ladder].reverse()) {
      const used = fields.merOrderNo === 'used' ? { merOrderNo: number } : fields
      broken = { ...broken, ...used }
      const reply = await payout(account, { ...kinds.spei, ...broken })
      assert.equal(reply.code, code, `${JSON.stringify(fields)}: ${reply.message}`)
    }
    assert.equal(await countOrders(database.db), orders)
    await assertSound(database.db)
  })

  it('for its account names the account, for every kind', async () => {
    const bad: readonly (readonly [code: string, fields: Fields])[] = [
      ['10105', { ...kinds.card, cardNo: '4242424242424241' }],
      ['10105', { ...kinds['bank account'], cardNo: 'DE89370400440532013001' }],
      ['10002', { ...kinds['bank account'], cardNo: '000123456789' }],
      ['10013', { ...kinds['bank account'], cardNo: '000123456789', bankCode: 'NOBANK' }],
      ['10105', { ...kinds.pix, cardNo: '12ABC34501DE36' }],
      ['10105', { ...kinds['per transfer'], cardNo: '00219119184091600052' }],
      ['10013', { ...kinds['per transfer'], bankCode: '99' }],
      ['10105', { ...kinds.spei, bankCode: '40012' }],
      ['99997', { ...checkout, cardNo: CARD }],
    ]
    for (const [code, fields] of bad) assert.equal((await payout(account, fields)).code, code)
  })

  it('needs a Referer, like a payment', async () => {
    const body = signed(account, '/payout', payoutBody(account, kinds.spei ?? {}))
    assert.equal(
      (await call(account, '/payout', body, { referer: 'https://elsewhere.example' })).code,
      '10008',
    )
  })

  it('with the number of a payment is a duplicate, and vice versa', async () => {
    const paid = await pay(account)
    const same = { ...kinds.spei, merOrderNo: paid.data.merOrderNo }
    assert.ok(['10003', '10009'].includes((await payout(account, same)).code))
    const sent = await payout(account, kinds.spei ?? {})
    assert.ok(['10003', '10009'].includes((await pay(account, { merOrderNo: sent.data.merOrderNo })).code))
  })
})

describe('the operator', () => {
  before(async () => {
    assert.equal(
      (await operator('merchant', 'set', String(account.merNo), '--payout-approval', '1000')).status,
      0,
    )
  })
  after(async () => {
    assert.equal(
      (await operator('merchant', 'set', String(account.merNo), '--payout-approval', 'none')).status,
      0,
    )
  })

  it('approves a payout above the threshold, which is then sent, or rejects it, and the money is returned', async () => {
    const large = { ...kinds['bank account'], sourceAmount: '2000.00' }
    const before = await available('EUR')
    const isWaiting = async () => (await payout(account, large)).data.message === 'Waiting for approval'
    assert.ok(await eventually(isWaiting))
    const waiting = (await operator('payout', 'list')).json
    assert.ok(Array.isArray(waiting))
    const [first] = waiting
    assert.equal(first?.account, '…3000')
    const rejected = await operator(
      'payout',
      'reject',
      String(first?.tradeNo),
      '--reason',
      'Unknown beneficiary',
    )
    assert.deepEqual(rejected, { status: 0, json: { tradeNo: first?.tradeNo, state: 'failed' } })
    const reply = await payout(account, large)
    assert.equal((await query(account, reply.data.merOrderNo)).data.state, 1)
    assert.equal((await operator('payout', 'approve', String(reply.data.tradeNo))).status, 0)
    assert.equal((await operator('payout', 'approve', String(reply.data.tradeNo))).status, 1)
    await becomes(reply, 3)
    const gone = (await available('EUR')) - before
    assert.ok(gone <= -200_000n && gone % 200_000n === 0n, String(gone))
    const explained = (await operator('explain', String(reply.data.tradeNo))).json
    assert.ok(!Array.isArray(explained))
    assert.equal(JSON.stringify(explained).includes('"state":"succeeded"'), true)
    assert.equal(JSON.stringify(explained).includes(IBAN), false)
  })
})

describe('a CheckOut payout', () => {
  it('is paid to the account that the beneficiary enters on the page, once it is valid', async () => {
    const reply = await payout(account, checkout)
    assert.equal(reply.data.payCode, 2)
    const page = await openPage(String(reply.data.payUrl))
    assert.equal(page.status, 200)
    assert.match(page.html, /Where should the money go/)
    const wrong = await submit(page, { kind: 'pix', account: '12345678900' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.html, /Check the account: a digit is wrong/)
    assert.equal((await query(account, reply.data.merOrderNo)).data.state, 1)
    const sent = await submit(wrong, { kind: 'pix', account: '123.456.789-09' })
    assert.deepEqual(sent.redirections, [303])
    assert.match(sent.html, /on its way|Your money was sent/)
    await becomes(reply, 3)
    const done = await openPage(String(reply.data.payUrl))
    assert.match(done.html, /Your money was sent/)
    assert.equal(linkOn(done).searchParams.get('payCode'), '0')
  })

  it('accepts a card too, and its link opens no payment page', async () => {
    const reply = await payout(account, checkout)
    const url = String(reply.data.payUrl)
    const page = await openPage(`${url}?kind=card`)
    await submit(page, { kind: 'card', account: '4242 4242 4242 4242' })
    await becomes(reply, 3)
    assert.equal((await openPage(url.replace('/payout/', '/pay/'))).status, 404)
  })
})

test('a new merchant of the sandbox has the balances of the guide, and its first payout succeeds', async () => {
  const create = ['merchant', 'create', '--name', 'New Shop', '--site', account.site]
  const { json: made } = await operator(...create, '--with-balances')
  assert.ok(!Array.isArray(made) && 'merNo' in made && 'key' in made)
  const newcomer = { ...account, merNo: Number(made.merNo), key: String(made.key) }
  const { data } = await call(newcomer, '/balance/query', { merNo: newcomer.merNo, version: 'V3.0.0' })
  const [, head = '', shown = ''] = /^(\| USD .*)\n\|-.*\n(.*)$/m.exec(guideNamed('payouts').text) ?? []
  const cells = (row: string) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const balances = [data, ...(Array.isArray(data.balances) ? data.balances : [])]
  assert.deepEqual(
    Object.fromEntries(balances.map(({ currency, balance }) => [currency, balance])),
    Object.fromEntries(cells(head).map((currency, at) => [currency, cells(shown)[at]])),
  )
  await becomes(await payout(newcomer, kinds.card ?? {}), 3, newcomer)
  const { json: bare } = await operator(...create)
  assert.ok(!Array.isArray(bare) && 'merNo' in bare && 'key' in bare)
  const empty = { ...account, merNo: Number(bare.merNo), key: String(bare.key) }
  assert.equal((await payout(empty, kinds.card ?? {})).code, '10104')
  assert.equal((await operator('ledger', 'verify')).status, 0)
})

test('payouts interrupted by a kill, before or after sending, are paid once', async () => {
  const before = await available('MXN')
  const numbers = Array.from({ length: 40 }, () => newNumber())
  const fields = { ...kinds.spei, sourceAmount: '10.00' }
  const calls = Promise.allSettled(numbers.map((merOrderNo) => payout(account, { ...fields, merOrderNo })))
  assert.ok(await eventually(async () => (await payoutsOf(database.db, numbers)).length > 0))
  await gateway.kill()
  await calls
  const accepted = await payoutsOf(database.db, numbers)
  assert.ok(accepted.length > 0)
  gateway = await installation.start({ PORT: new URL(account.baseUrl).port })
  const areDone = async () => (await payoutsOf(database.db, numbers)).every((row) => row.state === 5)
  assert.ok(await eventually(areDone), 'still open')
  assert.equal(await available('MXN'), before - BigInt(accepted.length) * 1_000n)
  const book = openPayoutBook(join(installation.dataDir, 'sandbox', 'payout-bank.sqlite'))
  for (const { trade_no } of accepted)
    assert.equal(book.findPayout(payoutReference(trade_no))?.amount, '1000')
  const total = await database.db.query({
    text: `select 1 from payouts where state = 'succeeded' or rail_ref is not null`,
  })
  assert.equal(book.countPayouts(), total.length)
  book.close()
})

test('the ledger is sound, nothing is in flight, and no card number is stored', async () => {
  const isDone = async () =>
    (await database.db.query({ text: `select 1 from payouts where state = 'sending'` })).length === 0
  assert.ok(await eventually(isDone))
  assert.equal(await gateway.stop(), 0)
  await assertSound(database.db)
  assert.equal((await operator('ledger', 'verify')).status, 0)
  assert.equal(installation.output().includes(CARD), false)
})

async function countOrders(db: Db): Promise<number> {
  return (await db.query({ text: 'select 1 from orders' })).length
}

async function payoutsOf(db: Db, numbers: readonly string[]): Promise<{ trade_no: string; state: number }[]> {
  return db.query({
    text: 'select trade_no, state from orders where mer_order_no = any($1)',
    values: [numbers],
  })
}
