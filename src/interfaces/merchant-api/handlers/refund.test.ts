import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noAlarms } from '../../../../test/builders/no-alarms.ts'
import { assertMoneySound, balancesOf, paidOrder } from '../../../../test/builders/paid-orders.ts'
import { dispute, dollarsOnly, failed, record, succeeded } from '../../../../test/builders/refunds.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import {
  aMerchant,
  buildFrame,
  type JsonBody,
  signed,
  type TestFrame,
} from '../../../../test/harness/merchant-frame.ts'
import { checks } from '../../../money/audit/verify-books.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import type { NewPayment } from '../../../money/orders/new-order.ts'
import { openRefundBatches } from '../../../money/refunds/batches.ts'
import { findByNumber } from '../../../money/refunds/find-refund.ts'
import { createCardChannel } from '../../../rails/protocols/bridge/card/card-channel.ts'
import { registerChannels } from '../../../rails/routing/routing.ts'
import { createOrderQueryHandler } from './order-query.ts'
import { createRefundHandler } from './refund.ts'

let frame: TestFrame
const merchants: Merchant[] = []
let pokes = 0

const database = useDatabase({
  async before({ db }) {
    const card = createCardChannel({
      transport: async () => ({ kind: 'silent', why: 'nobody is there' }),
      timeoutMs: 1,
      alarms: noAlarms,
    })
    const oneWay = { ...card, name: 'one-way', traits: { ...card.traits, refundable: false } }
    const refunds = createRefundHandler({
      db,
      clock: { now: () => new Date() },
      channels: registerChannels([card, oneWay]),
      refundBatches: openRefundBatches({ db, rates: dollarsOnly }, 100, () => {}),
      poke: () => pokes++,
    })
    const handlers = { '/refund/apply': refunds, '/order/query': createOrderQueryHandler({ db }) }
    frame = await buildFrame({ merchants, handlers })
  },
  after: () => frame.app.close(),
})

let lastMerNo = 44_000_000

function newMerchant(changes: Partial<Merchant> = {}): number {
  const merNo = ++lastMerNo
  merchants.push(aMerchant({ merNo, ...changes }))
  return merNo
}

function paid(merNo: number, changes: Parameters<typeof paidOrder>[1] = {}): Promise<NewPayment> {
  return paidOrder(database.db, { merNo, ...changes })
}

function refundBody({ merNo, merOrderNo, tradeNo }: NewPayment, changes: JsonBody = {}): JsonBody {
  const body = {
    merNo,
    merOrderNo,
    tradeNo,
    amount: '4.00',
    version: 'V3.0.0',
    operationType: 'refund',
    ...changes,
  }
  return signed(body, ['merNo', 'merOrderNo', 'amount', 'tradeNo'])
}

async function apply(payment: NewPayment, changes: JsonBody = {}) {
  return (await frame.post('/refund/apply', refundBody(payment, changes))).body
}

async function query(payment: NewPayment, changes: JsonBody) {
  const { merNo, merOrderNo, tradeNo } = payment
  const body = { merNo, merOrderNo, tradeNo, queryType: 'refund', ...changes }
  return (await frame.post('/order/query', signed(body, ['merNo', 'merOrderNo', 'tradeNo']))).body
}

describe('/refund/apply', () => {
  it('returns the accepted refund with all fields as strings, and sends it to the channel', async () => {
    const payment = await paid(newMerchant())
    const before = pokes
    const { code, data } = await apply(payment)
    assert.equal(code, '00000')
    assert.match(String(data?.refundNo), /^R[0-9A-Z]{26}$/)
    assert.deepEqual(data, {
      refundNo: data?.refundNo,
      tradeNo: payment.tradeNo,
      merNo: String(payment.merNo),
      merOrderNo: payment.merOrderNo,
      refundAmount: '4.00',
      refundCurrency: 'USD',
    })
    assert.equal(pokes, before + 1)
  })

  it('gives the identical response for the same merRefundNo and content', async () => {
    const payment = await paid(newMerchant())
    const changes = { merRefundNo: 'back-1', remark: 'damaged' }
    assert.deepEqual(await apply(payment, changes), await apply(payment, changes))
  })

  it('advises to send a merRefundNo when a refund is repeated without one', async () => {
    const payment = await paid(newMerchant())
    await apply(payment)
    const { code, message } = await apply(payment)
    assert.equal(code, '10003')
    assert.match(message, /merRefundNo/)
  })

  it('is allowed for a suspended merchant, but not for a closed one', async () => {
    assert.equal((await apply(await paid(newMerchant({ state: 'suspended' })))).code, '00000')
    assert.equal((await apply(await paid(newMerchant({ state: 'closed' })))).code, '10005')
  })

  it('requires merNo, merOrderNo and tradeNo of the same order', async () => {
    const merNo = newMerchant()
    const [payment, other] = [await paid(merNo), await paid(merNo)]
    const stranger = await paid(newMerchant())
    for (const changes of [
      { merOrderNo: other.merOrderNo },
      { tradeNo: other.tradeNo },
      { merOrderNo: 'nobody' },
      { tradeNo: stranger.tradeNo, merOrderNo: stranger.merOrderNo },
    ])
      assert.equal((await apply(payment, changes)).code, '10026')
  })

  it("refuses decimals that the order's currency does not have", async () => {
    const payment = await paid(newMerchant(), { money: { amount: 900n, currency: 'JPY' } })
    assert.equal((await apply(payment, { amount: '4.50' })).code, '99997')
    assert.equal((await apply(payment, { amount: '400.00' })).data?.refundAmount, '400.00')
  })
})

/** Each request fails all checks that the next request fails, and one more. */
describe('a refund that fails several checks is refused for the first', () => {
  type Wrong = {
    readonly code: string
    readonly body?: JsonBody
    readonly arrange?: (payment: NewPayment) => unknown
  }
  const ladder: readonly Wrong[] = [
    { code: '10109', body: { version: 'V9.9.9' } },
    { code: '99997', body: { operationType: 'query' } },
    { code: '10026', body: { merOrderNo: 'nobody' } },
    { code: '10009', body: { merRefundNo: 'taken' }, arrange: takeNumber },
    { code: '10103', arrange: makeOneWay },
    { code: '10102', arrange: (payment) => dispute(database.db, payment) },
    { code: '10101', body: { amount: '9000.00' } },
    { code: '10104', body: { amount: '9.99' } },
  ]

  for (const [at, { code }] of ladder.entries())
    it(`gives ${code}, whatever else is wrong`, async () => {
      const payment = await paid(newMerchant(), { terms: { feeFixed: 900n } })
      const wrongs = ladder.slice(at)
      for (const { arrange } of wrongs) await arrange?.(payment)
      const before = await balancesOf(database.db, payment.merNo)
      const bodies = wrongs.toReversed().map(({ body = {} }) => body)
      assert.equal((await apply(payment, Object.assign({}, ...bodies))).code, code)
      assert.deepEqual(await balancesOf(database.db, payment.merNo), before)
    })

  it('10003 comes before 10103, 10102, 10101 and 10104 as 10009 does', async () => {
    const payment = await paid(newMerchant())
    assert.equal((await apply(payment)).code, '00000')
    await dispute(database.db, payment)
    await makeOneWay(payment)
    assert.equal((await apply(payment)).code, '10003')
    await setChannel(payment, 'card')
  })

  async function takeNumber({ merNo }: NewPayment): Promise<void> {
    const { code } = await apply(await paid(merNo), { merRefundNo: 'taken' })
    assert.equal(code, '00000')
  }

  async function makeOneWay(payment: NewPayment): Promise<void> {
    await setChannel(payment, 'one-way')
  }

  async function setChannel({ tradeNo }: NewPayment, channel: string): Promise<void> {
    await database.db.query({
      text: 'update orders set attempt_channel = $2 where trade_no = $1',
      values: [tradeNo, channel],
    })
  }
})

describe('/order/query for refunds', () => {
  it('returns processing, failure and success as 4, 5 and 6', async () => {
    const payment = await paid(newMerchant())
    for (const [amount, end, state, message] of [
      ['1.00', undefined, 4, "Waiting for the channel's answer"],
      ['2.00', failed, 5, 'The bank refused'],
      ['3.00', succeeded, 6, 'Refund succeeded'],
    ] as const) {
      const { data } = await apply(payment, { amount })
      const refund = await findByNumber(database.db, String(data?.refundNo))
      assert.ok(refund)
      if (end !== undefined) await record(database.db, end(refund))
      assert.deepEqual((await query(payment, { refundNo: refund.refundNo })).data, {
        state,
        ...data,
        message,
      })
    }
  })

  it('finds a refund by refundNo, by merRefundNo, and by both if they match', async () => {
    const payment = await paid(newMerchant())
    const refundNo = (await apply(payment, { amount: '1.00', merRefundNo: 'one' })).data?.refundNo
    const other = (await apply(payment, { amount: '1.00', merRefundNo: 'other' })).data?.refundNo
    for (const by of [{ refundNo }, { merRefundNo: 'one' }, { refundNo, merRefundNo: 'one' }]) {
      const { data } = await query(payment, by)
      assert.equal(data?.refundNo, refundNo)
      assert.equal(data?.merRefundNo, 'one')
    }
    assert.equal((await query(payment, { refundNo: other, merRefundNo: 'one' })).code, '10026')
  })

  it('needs one of the two numbers', async () => {
    const { code, message } = await query(await paid(newMerchant()), {})
    assert.equal(code, '10002')
    assert.match(message, /refundNo/)
  })

  it('does not find a refund of another order or merchant', async () => {
    const merNo = newMerchant()
    const [payment, other, stranger] = [await paid(merNo), await paid(merNo), await paid(newMerchant())]
    const refundNo = (await apply(payment)).data?.refundNo
    assert.equal((await query(payment, { refundNo, tradeNo: '' })).code, '00000')
    for (const [of, changes] of [
      [other, {}],
      [stranger, {}],
      [payment, { tradeNo: other.tradeNo }],
      [payment, { merOrderNo: other.merOrderNo, tradeNo: '' }],
      [payment, { refundNo: 'nonsense' }],
    ] as const)
      assert.equal((await query(of, { refundNo, ...changes })).code, '10026')
  })
})

// The tests above move payments to another channel directly in the database, so their ledger entries name the wrong
// channel.
it('leaves books that agree', () =>
  assertMoneySound(
    database.db,
    checks.map(({ name }) => name).filter((name) => name !== 'entry-cause'),
  ))
