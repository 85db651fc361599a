// The documented MD5 signature of a refund does not cover merRefundNo. Without a check, a captured signature could be
// sent again with another merRefundNo.

import assert from 'node:assert/strict'
import { createSign } from 'node:crypto'
import { describe, it } from 'node:test'
import { noAlarms } from '../../../../test/builders/no-alarms.ts'
import { assertMoneySound, paidOrder } from '../../../../test/builders/paid-orders.ts'
import { dollarsOnly, failed, record } from '../../../../test/builders/refunds.ts'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import {
  aMerchant,
  buildFrame,
  type JsonBody,
  signed,
  type TestFrame,
} from '../../../../test/harness/merchant-frame.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { canonicalString } from '../../../money/merchants/sign-fields.ts'
import type { NewPayment } from '../../../money/orders/new-order.ts'
import { openRefundBatches } from '../../../money/refunds/batches.ts'
import { findByNumber } from '../../../money/refunds/find-refund.ts'
import { createCardChannel } from '../../../rails/protocols/bridge/card/card-channel.ts'
import { registerChannels } from '../../../rails/routing/routing.ts'
import { createRefundHandler } from './refund.ts'

const documented = ['merNo', 'merOrderNo', 'amount', 'tradeNo']
const longer = [...documented, 'merRefundNo']
const { publicKey: rsaKey, privateKey } = rsaPair('merchant')

let live: TestFrame
let sandbox: TestFrame
let now = new Date()
const merchants: Merchant[] = []

const database = useDatabase({
  async before({ db }) {
    const transport = async () => ({ kind: 'silent', why: 'nobody is there' }) as const
    const clock = { now: () => now }
    const refunds = createRefundHandler({
      db,
      clock,
      channels: registerChannels([createCardChannel({ transport, timeoutMs: 1, alarms: noAlarms })]),
      refundBatches: openRefundBatches({ db, rates: dollarsOnly }, 100, () => {}),
      poke: () => {},
    })
    const handlers = { '/refund/apply': refunds }
    live = await buildFrame({ mode: 'live', clock, merchants, handlers })
    sandbox = await buildFrame({ clock, merchants, handlers })
  },
})

let lastMerNo = 48_000_000

async function paid(changes: Partial<Merchant> = {}): Promise<NewPayment> {
  const merNo = ++lastMerNo
  merchants.push(aMerchant({ merNo, ...changes }))
  return paidOrder(database.db, { merNo })
}

function refundOf({ merNo, merOrderNo, tradeNo }: NewPayment, changes: JsonBody = {}): JsonBody {
  return { merNo, merOrderNo, tradeNo, amount: '2.00', ...changes }
}

async function send(body: JsonBody, frame: TestFrame = live) {
  return (await frame.post('/refund/apply', body)).body
}

async function countRefunds({ merNo }: NewPayment): Promise<number> {
  const rows = await database.db.query({ text: 'select 1 from refunds where mer_no = $1', values: [merNo] })
  return rows.length
}

describe('in live a further refund of the same order and amount', () => {
  it('gives 10003 with the documented MD5, under another number or none, however late', async () => {
    const payment = await paid()
    const first = signed(refundOf(payment, { merRefundNo: 'a' }), documented)
    assert.equal((await send(first)).code, '00000')
    const { sign } = first
    for (const changes of [{ merRefundNo: 'b' }, { remark: 'other' }, { merRefundNo: 'c', remark: 'x' }]) {
      const { code, message } = await send({ ...refundOf(payment, changes), sign })
      assert.equal(code, '10003')
      assert.match(message, /merRefundNo.*RSA.*address/)
    }
    now = new Date(now.getTime() + 24 * 3_600_000)
    assert.equal((await send({ ...refundOf(payment, { merRefundNo: 'd' }), sign })).code, '10003')
    assert.equal(await countRefunds(payment), 1)
  })

  it('is accepted once if many arrive at the same time', async () => {
    const payment = await paid()
    const { sign } = signed(refundOf(payment), documented)
    const numbers = ['a', 'b', 'c', 'd', 'e']
    const answers = await Promise.all(
      numbers.map((merRefundNo) => send({ ...refundOf(payment, { merRefundNo }), sign })),
    )
    const codes = answers.map(({ code }) => code).sort()
    assert.deepEqual(codes, ['00000', '10003', '10003', '10003', '10003'])
    assert.equal(await countRefunds(payment), 1)
  })

  it('is accepted with the longer MD5, which is not valid for another number', async () => {
    const payment = await paid()
    const first = signed(refundOf(payment, { merRefundNo: 'a' }), longer)
    assert.equal((await send(first)).code, '00000')
    assert.equal((await send(signed(refundOf(payment, { merRefundNo: 'b' }), longer))).code, '00000')
    assert.equal((await send({ ...first, merRefundNo: 'c' })).code, '10015')
    assert.equal((await send({ ...first, merRefundNo: '' })).code, '10015')
    assert.equal(await countRefunds(payment), 2)
  })

  it('has no longer MD5 without a number', async () => {
    const payment = await paid()
    assert.equal((await send(signed(refundOf(payment), longer))).code, '00000')
    assert.equal((await send(signed(refundOf(payment, { remark: 'x' }), longer))).code, '10003')
  })

  it('is accepted with RSA, and from a listed address', async () => {
    const byRsa = await paid({ rsaKey })
    const listed = await paid({ ips: ['127.0.0.1'] })
    for (const merRefundNo of ['a', 'b']) {
      const body = refundOf(byRsa, { merRefundNo })
      const sign = createSign('sha256').update(canonicalString(body)).sign(privateKey, 'base64')
      assert.equal((await send({ ...body, sign })).code, '00000')
      assert.equal((await send(signed(refundOf(listed, { merRefundNo }), documented))).code, '00000')
    }
  })

  it('does not count if the first failed or had another amount', async () => {
    const payment = await paid()
    const { data } = await send(signed(refundOf(payment, { merRefundNo: 'a' }), documented))
    const refund = await findByNumber(database.db, String(data?.refundNo))
    assert.ok(refund)
    await record(database.db, failed(refund))
    assert.equal((await send(signed(refundOf(payment, { merRefundNo: 'b' }), documented))).code, '00000')
    const other = refundOf(payment, { merRefundNo: 'c', amount: '1.00' })
    assert.equal((await send(signed(other, documented))).code, '00000')
  })

  it('gives the same response for the same number and content, and 10009 for other content', async () => {
    const payment = await paid()
    const body = signed(refundOf(payment, { merRefundNo: 'a' }), documented)
    assert.deepEqual(await send(body), await send(body))
    assert.equal((await send({ ...body, remark: 'x' })).code, '10009')
  })
})

it('the sandbox accepts both kinds of MD5 any number of times', async () => {
  const payment = await paid()
  for (const [merRefundNo, names] of [
    ['a', documented],
    ['b', documented],
    ['c', longer],
  ] as const) {
    const { code } = await send(signed(refundOf(payment, { merRefundNo }), names), sandbox)
    assert.equal(code, '00000')
  }
})

it('leaves books that agree', () => assertMoneySound(database.db))
