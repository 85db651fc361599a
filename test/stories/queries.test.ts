// Queries after payments: balances, the order list page by page, totals by filter.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { localTime } from '../../src/platform/base/local-day.ts'
import { type Account, call, newNumber, pay, type Reply } from '../harness/client.ts'
import { type Installation, openInstallation } from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'

const ZONE = 'America/Lima'
const DECLINED = '4000000000000002'
let installation: Installation
let operator: Operator
let demo: Account
/** A merchant with fees, a margin, and settlement in dollars. */
let shop: Account

const database = useDatabase({
  async before() {
    installation = await openInstallation({ DATABASE_URL: database.url })
    demo = (await installation.start()).account
    operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
    await operator.run('fx', 'set', '--from', 'EUR', '--to', 'USD', '--rate', '1.1')
    shop = await merchant('--currencies', 'USD,EUR', '--settle-currency', 'USD', '--fee-bps', '250')
  },
  after: () => installation.remove(),
})

async function merchant(...options: string[]): Promise<Account> {
  const fees = ['--fee-fixed', '0.30', '--margin-bps', '1000', '--timezone', ZONE]
  const made = await operator.run(
    ...['merchant', 'create', '--name', 'Shop', '--site', 'shop.example', ...fees, ...options],
  )
  return { baseUrl: demo.baseUrl, merNo: Number(made.merNo), key: String(made.key), site: 'shop.example' }
}

type Changes = Record<string, unknown>

const list = (account: Account, changes: Changes) =>
  call(account, '/order/queryOrderList', { merNo: account.merNo, version: 'V3.0.1', ...changes })
const sums = (account: Account, changes: Changes = {}) =>
  call(account, '/order/queryAmount', { merNo: account.merNo, version: 'V3.0.0', ...changes })
const balance = (account: Account, changes: Changes = {}) =>
  call(account, '/balance/query', { merNo: account.merNo, version: 'V3.0.0', ...changes })

/** A time in the merchant's zone, some hours from now. */
function clock(hours: number): string {
  return localTime(new Date(Date.now() + hours * 3_600_000), ZONE).replace('T', ' ')
}
const around = { dateLimit: { from: clock(-2), to: clock(2) } }

type Item = Readonly<Record<string, unknown>>
function itemsOf({ code, message, data }: Reply): readonly Item[] {
  assert.equal(code, '00000', message)
  assert.ok(Array.isArray(data.list))
  return data.list
}

describe('a shop with fees, a margin and another settlement currency', () => {
  let paid: Reply
  let declined: Reply
  before(async () => {
    paid = await pay(shop, { currencyCode: 'EUR', sourceAmount: '100.00' })
    declined = await pay(shop, { sourceAmount: '20.00', cardNo: DECLINED })
  })

  it('gets every field of a paid order in the list', async () => {
    const [item, ...others] = itemsOf(await list(shop, { tradeNos: [paid.data.tradeNo] }))
    assert.deepEqual(others, [])
    assert.deepEqual(item, {
      state: 5,
      merOrderNo: paid.data.merOrderNo,
      tradeNo: paid.data.tradeNo,
      handlingFee: '2.50',
      receiveAmount: '100.00',
      settleAmount: '95.92',
      settlementCurrency: 'USD',
      margin: '10.00',
      marginStatus: 0,
      transactionProcessingFee: '0.30',
      exceptionHandlingFee: '0.00',
      refundAmount: '0.00',
      refundCurrency: 'EUR',
      sourceAmount: '100.00',
      sourceCurrency: 'EUR',
      refusalPayReason: '',
      message: 'Payment succeeded',
      settle: 0,
    })
  })

  it('gets the reason of a declined order, and nothing about settlement', async () => {
    const [item] = itemsOf(await list(shop, { merOrderNos: [declined.data.merOrderNo] }))
    assert.equal(item?.state, 6)
    assert.equal(item?.message, declined.data.message)
    assert.equal(item?.settleAmount, '0.00')
    assert.equal(item !== undefined && 'settle' in item, false)
  })

  it('has the net amount unsettled, and the total in dollars', async () => {
    const euros = await balance(shop, { currency: 'EUR' })
    const inEuros = { currency: 'EUR', balance: '0.00', unCheckedBalance: '87.20', totalBalance: '87.20' }
    assert.deepEqual(euros.data, inEuros)
    const all = await balance(shop)
    const inDollars = { currency: 'USD', balance: '0.00', unCheckedBalance: '95.92', totalBalance: '95.92' }
    assert.deepEqual(all.data, { ...inDollars, balances: [inEuros] })
  })

  it('gets totals by currency, for everything and by each filter', async () => {
    const eur = { sourceAmount: '100.00', sourceCurrency: 'EUR' }
    const usd = { sourceAmount: '20.00', sourceCurrency: 'USD' }
    const settled = [{ settleAmount: '95.92', settleCurrency: 'USD' }]
    const none = { settleAmountList: [], sourceAmountList: [] }
    const today = clock(0).slice(0, 10)
    for (const [filter, expected] of [
      [{}, { settleAmountList: settled, sourceAmountList: [eur, usd] }],
      [{ orderStatusList: ['5'] }, { settleAmountList: settled, sourceAmountList: [eur] }],
      [{ orderStatusList: ['1', '7'] }, none],
      [{ sourceCurrencyList: ['EUR'] }, { settleAmountList: settled, sourceAmountList: [eur] }],
      [{ settleCurrencyList: ['EUR'] }, none],
      [{ settlementStatusList: ['0'] }, { settleAmountList: settled, sourceAmountList: [eur] }],
      [{ settlementStatusList: ['1'] }, none],
      [{ merOrderNoList: [paid.data.merOrderNo] }, { settleAmountList: settled, sourceAmountList: [eur] }],
      [{ startDate: '2020-01-01', endDate: '2020-12-31' }, none],
      [
        { startDate: today, endDate: today, orderStatusList: [] },
        { settleAmountList: settled, sourceAmountList: [eur, usd] },
      ],
    ] as const) {
      assert.deepEqual((await sums(shop, filter)).data, expected, JSON.stringify(filter))
    }
  })

  it('sees the money on its available balance, and the margin released, after settlement', async () => {
    const far = new Date(Date.now() + 400 * 86_400_000).toISOString()
    await operator.run('settle', '--as-of', far)
    const [item] = itemsOf(await list(shop, { tradeNos: [paid.data.tradeNo] }))
    assert.deepEqual(
      { settle: item?.settle, marginStatus: item?.marginStatus, settleAmount: item?.settleAmount },
      { settle: 1, marginStatus: 1, settleAmount: '95.92' },
    )
    const { data } = await balance(shop, { currency: 'USD' })
    assert.deepEqual(
      { balance: data.balance, unCheckedBalance: data.unCheckedBalance },
      { balance: '106.92', unCheckedBalance: '0.00' },
    )
    assert.deepEqual((await sums(shop, { settlementStatusList: ['0'] })).data.sourceAmountList, [])
    const { data: now } = await sums(shop, { settlementStatusList: ['1'] })
    assert.deepEqual(now.sourceAmountList, [{ sourceAmount: '100.00', sourceCurrency: 'EUR' }])
  })

  it('gets the reason of a chargeback, and its fees', async () => {
    const { data } = await pay(shop, { sourceAmount: '50.00' })
    await operator.run('chargeback', 'open', '--trade-no', String(data.tradeNo), '--reason', '4853')
    const [item] = itemsOf(await list(shop, { tradeNos: [data.tradeNo] }))
    assert.deepEqual(
      { state: item?.state, refusalPayReason: item?.refusalPayReason },
      { state: 12, refusalPayReason: '4853' },
    )
  })
})

describe('the order list', () => {
  it('has stable pages while orders arrive', async () => {
    const account = await merchant()
    const made: unknown[] = []
    for (let count = 0; count < 7; count++) made.unshift((await pay(account)).data.tradeNo)
    const first = await list(account, { ...around, pageSize: 3 })
    const { pageNum, pageSize, total, totalPage, asOf } = first.data
    assert.deepEqual(
      { pageNum, pageSize, total, totalPage },
      { pageNum: 1, pageSize: 3, total: 7, totalPage: 3 },
    )
    const seen = itemsOf(first).map((item) => item.tradeNo)
    const newer = await pay(account)
    for (const page of [2, 3]) {
      const reply = await list(account, { ...around, pageSize: 3, pageNum: page, asOf })
      assert.deepEqual({ total: reply.data.total, asOf: reply.data.asOf }, { total: 7, asOf })
      seen.push(...itemsOf(reply).map((item) => item.tradeNo))
    }
    assert.deepEqual(seen, made)
    assert.deepEqual(itemsOf(await list(account, { ...around, pageNum: 4, pageSize: 3, asOf })), [])
    const [top] = itemsOf(await list(account, around))
    assert.equal(top?.tradeNo, newer.data.tradeNo)
  })

  it('includes both ends of a date range, in the merchant’s time zone', async () => {
    const account = await merchant()
    const { data } = await pay(account)
    const [row] = await database.db.query<{ created_at: Date }>({
      text: 'select created_at from orders where trade_no = $1',
      values: [data.tradeNo],
    })
    const shown = (at: Date) => localTime(at, ZONE).replace('T', ' ')
    const second = shown(row?.created_at ?? new Date())
    const next = shown(new Date((row?.created_at.getTime() ?? 0) + 1_000))
    assert.equal(itemsOf(await list(account, { dateLimit: { from: second, to: second } })).length, 1)
    assert.equal(itemsOf(await list(account, { dateLimit: { from: next, to: next } })).length, 0)
  })

  it('shows fifteen orders by default, and never those of another merchant', async () => {
    const { data } = await pay(demo)
    const reply = await list(shop, { tradeNos: [data.tradeNo], merOrderNos: [] })
    assert.deepEqual(
      { pageSize: reply.data.pageSize, total: reply.data.total, totalPage: reply.data.totalPage },
      { pageSize: 15, total: 0, totalPage: 0 },
    )
    assert.deepEqual(itemsOf(reply), [])
  })
})

const numbers = Array.from({ length: 501 }, () => newNumber())
const day = (from: string, to: string) => ({ dateLimit: { from: `${from} 00:00:00`, to: `${to} 23:59:59` } })

describe('a query out of bounds', () => {
  for (const [what, ask, changes, code] of [
    ['no selection', list, {}, '99997'],
    ['two selections', list, { ...around, tradeNos: ['T1'] }, '99997'],
    ['501 numbers', list, { merOrderNos: numbers }, '10108'],
    ['500 numbers', list, { merOrderNos: numbers.slice(1) }, '00000'],
    ['93 days', list, day('2026-01-01', '2026-04-03'), '10108'],
    ['92 days', list, day('2026-01-01', '2026-04-02'), '00000'],
    ['a span that ends before it begins', list, day('2026-01-02', '2026-01-01'), '10108'],
    ['a span before all calendars', list, day('0000-01-01', '0000-01-02'), '00000'],
    ['a span after all calendars', list, day('9999-12-30', '9999-12-31'), '00000'],
    ['half a span', list, { dateLimit: { from: '2026-01-01 00:00:00' } }, '10002'],
    ['a time that is none', list, { dateLimit: { from: '2026-01-01', to: '2026-01-02 00:00:00' } }, '99997'],
    ['page 0', list, { ...around, pageNum: 0 }, '10108'],
    ['a page of 501', list, { ...around, pageSize: 501 }, '10108'],
    ['a page of zero orders', list, { ...around, pageSize: 0 }, '10108'],
    ['the last possible page', list, { ...around, pageNum: Number.MAX_SAFE_INTEGER }, '00000'],
    ['a page that is text', list, { ...around, pageNum: '1' }, '99996'],
    ['an asOf that is not ours', list, { ...around, asOf: 'yesterday' }, '99997'],
    ['367 days', sums, { startDate: '2025-01-01', endDate: '2026-01-02' }, '10108'],
    ['366 days', sums, { startDate: '2025-01-01', endDate: '2026-01-01' }, '00000'],
    ['days backwards', sums, { startDate: '2026-01-02', endDate: '2026-01-01' }, '10108'],
    ['the year 0', sums, { startDate: '0000-01-01', endDate: '0000-01-02' }, '00000'],
    ['an unknown state', sums, { orderStatusList: ['2'] }, '99997'],
    ['an unknown settlement status', sums, { settlementStatusList: ['2'] }, '99997'],
    ['an unknown currency', sums, { sourceCurrencyList: ['EURO'] }, '10019'],
    ['a balance in an unknown currency', balance, { currency: 'EURO' }, '10019'],
    ['a balance in a currency that is not open', balance, { currency: 'JPY' }, '10019'],
    ['an unknown version', balance, { version: 'V9.0.0' }, '10109'],
  ] as const) {
    it(`${what} is answered with ${code}`, async () => {
      const reply = await ask(shop, changes)
      assert.equal(reply.code, code, reply.message)
    })
  }

  it('an open currency without entries has a balance of zero', async () => {
    const { data } = await balance(await merchant(), { currency: 'VND' })
    assert.deepEqual(data, {
      currency: 'VND',
      balance: '0.00',
      unCheckedBalance: '0.00',
      totalBalance: '0.00',
    })
  })
})
