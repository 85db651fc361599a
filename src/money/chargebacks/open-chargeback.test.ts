import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import { accept, anApplication, record, succeeded } from '../../../test/builders/refunds.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Rate } from '../../platform/base/money.ts'
import { openVault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { defaultPlan } from '../merchants/terms.ts'
import type { NewPayment } from '../orders/new-order.ts'
import type { Refund } from '../refunds/refund.ts'
import { settleDue } from '../settlement/settle-due.ts'
import { addEvidence } from './add-evidence.ts'
import { findChargeback, listChargebacks, openEvidenceFile } from './find-chargeback.ts'
import { openChargeback, type Wanted } from './open-chargeback.ts'
import { resolveChargeback } from './resolve-chargeback.ts'

const database = useDatabase({ maxConnections: 20 })

const plan = { ...defaultPlan, chargebackFee: '15.00' }
const chargebackUrl = 'https://shop.example/chargebacks'
const deps = () => ({
  db: database.db,
  findMerchant: async () => ({ feePlans: new Map([['' as const, plan]]), chargebackUrl }),
})

function open({ tradeNo }: NewPayment, changes: Partial<Wanted> = {}) {
  return openChargeback(deps(), tradeNo, { money: undefined, reason: '4853', at: new Date(), ...changes })
}

function resolve({ tradeNo }: NewPayment, outcome: 'won' | 'lost') {
  return resolveChargeback(deps(), tradeNo, { outcome, at: new Date() })
}

async function settleAll(): Promise<void> {
  const failed = (_merNo: number, error: unknown) => assert.fail(String(error))
  const asOf = new Date(Date.now() + 10 * 86_400_000)
  await settleDue({ db: database.db, clock: { now: () => new Date() }, failed }, asOf)
}

/** Accepts a refund that the channel has not answered. */
function refund(payment: NewPayment, amount: bigint): Promise<Refund> {
  return accept(database.db, anApplication(payment, { amount, terms: { refundCredit: 10n ** 9n } }))
}

async function endRefund(refund: Refund): Promise<void> {
  await record(database.db, succeeded(refund))
}

async function notificationsOf({ merNo, tradeNo }: NewPayment): Promise<[string, unknown][]> {
  const rows = await database.db.query<{ url: string; fields: unknown }>({
    text: `select url, fields from notifications where mer_no = $1 and trade_no = $2 and event = 'chargeback'
      order by notification_id`,
    values: [merNo, tradeNo],
  })
  return rows.map(({ url, fields }) => [url, fields])
}

describe('the money of a chargeback', () => {
  test('comes from the remainder of an unsettled order, and so does the fee', async () => {
    const merNo = 43_000_001
    const order = await paidOrder(database.db, { merNo, amount: 10_000n })
    await open(order, { money: { amount: 4_000n, currency: 'USD' } })
    assert.equal(await stateOf(database.db, order), 12)
    const taken = { 'platform:fees USD': 1_500n, 'rail:card USD': -6_000n }
    assert.deepEqual(await balancesOf(database.db, merNo), { 'merchant:unsettled USD': 4_500n, ...taken })
    await resolve(order, 'lost')
    assert.equal(await stateOf(database.db, order), 11)
    await settleAll()
    assert.deepEqual(await balancesOf(database.db, merNo), { 'merchant:available USD': 4_500n, ...taken })
  })

  test('is that of the open chargeback if the clock of its node is behind that of the won one', async () => {
    const order = await paidOrder(database.db, { merNo: 43_000_090, amount: 10_000n })
    await open(order, { at: new Date(Date.now() + 2_000) })
    await resolve(order, 'won')
    await open(order, { money: { amount: 4_000n, currency: 'USD' } })
    assert.equal(await stateOf(database.db, order), 12)
    await assertMoneySound(database.db)
  })

  test('comes back when the chargeback is won, except the fee', async () => {
    const merNo = 43_000_002
    const order = await paidOrder(database.db, { merNo, amount: 10_000n })
    await settleAll()
    await open(order)
    assert.equal((await balancesOf(database.db, merNo))['merchant:available USD'], -1_500n)
    await resolve(order, 'won')
    assert.equal(await stateOf(database.db, order), 5)
    assert.deepEqual(await balancesOf(database.db, merNo), {
      'merchant:available USD': 8_500n,
      'platform:fees USD': 1_500n,
      'rail:card USD': -10_000n,
    })
  })

  test('comes from available, then from the margin, and then takes available below zero', async () => {
    const merNo = 43_000_003
    await paidOrder(database.db, { merNo, amount: 700n })
    await settleAll()
    const order = await paidOrder(database.db, { merNo, amount: 10_000n, terms: { marginBps: 1_000 } })
    await open(order)
    assert.deepEqual(await balancesOf(database.db, merNo), {
      // The chargeback takes 115.00: 90.00 from this order, 7.00 from another order and 10.00 from the margin. The
      // other 8.00 are a debt.
      'merchant:available USD': -800n,
      'platform:fees USD': 1_500n,
      'rail:card USD': -700n,
    })
    // Later settlements bring the balance above zero again.
    await paidOrder(database.db, { merNo, amount: 5_000n })
    await settleAll()
    assert.equal((await balancesOf(database.db, merNo))['merchant:available USD'], 4_200n)
  })

  test('is converted at the rate of the order', async () => {
    const merNo = 43_000_004
    const rate: Rate = { digits: 9137n, scale: 4 }
    const terms = { settleCurrency: 'EUR', settleRate: rate }
    const order = await paidOrder(database.db, { merNo, amount: 1_003n, terms, rate })
    await settleAll()
    await open(order, { money: { amount: 501n, currency: 'USD' } })
    await resolve(order, 'won')
    // The amount of 10.03 minus the fee of 15.00 is converted as one sum, so there is no rounding loss in between.
    assert.equal((await balancesOf(database.db, merNo))['merchant:available EUR'], -455n)
    assert.equal((await balancesOf(database.db, merNo))['platform:exchange USD'], -497n)
  })

  test('may be the full amount although a part was refunded, and ends in state 17', async () => {
    const merNo = 43_000_005
    const order = await paidOrder(database.db, { merNo, amount: 10_000n })
    await endRefund(await refund(order, 3_000n))
    await open(order)
    await resolve(order, 'lost')
    assert.equal(await stateOf(database.db, order), 17)
    const after = await balancesOf(database.db, merNo)
    assert.equal(after['merchant:available USD'], -4_500n)
    assert.equal(after['merchant:unsettled USD'], undefined)
  })

  test('lets a refund under way finish', async () => {
    const order = await paidOrder(database.db, { merNo: 43_000_006, amount: 10_000n })
    const refunded = await refund(order, 3_000n)
    assert.equal(await stateOf(database.db, order), 10)
    await open(order)
    assert.equal(await stateOf(database.db, order), 12)
    await endRefund(refunded)
    assert.equal(await stateOf(database.db, order), 12)
    await resolve(order, 'lost')
    assert.equal(await stateOf(database.db, order), 17)
  })
})

describe('a chargeback is refused', () => {
  const refuses = async (work: Promise<unknown>, words: RegExp) => {
    await assert.rejects(work, (error) => error instanceof OperatorRefusal && words.test(error.message))
  }

  test('a second time while one is open, and after one was lost, but not after one was won', async () => {
    const order = await paidOrder(database.db, { merNo: 43_000_007 })
    await refuses(resolve(order, 'won'), /has no chargeback/)
    await open(order)
    await refuses(open(order), /has an open chargeback already/)
    await resolve(order, 'won')
    await refuses(resolve(order, 'lost'), /is won already/)
    await open(order)
    await resolve(order, 'lost')
    await refuses(resolve(order, 'won'), /is lost already/)
    await refuses(open(order), /there is no second one/)
  })

  test('for more than was paid, in another currency, for an unknown reason, or of an unknown order', async () => {
    const order = await paidOrder(database.db, { merNo: 43_000_008 })
    const before = await balancesOf(database.db, order.merNo)
    await refuses(open(order, { money: { amount: 1_001n, currency: 'USD' } }), /10\.00 USD: no more/)
    await refuses(open(order, { money: { amount: 1n, currency: 'EUR' } }), /was paid in USD/)
    await refuses(open(order, { reason: '9999' }), /no chargeback reason 9999/)
    await refuses(open({ ...order, tradeNo: `${order.tradeNo.slice(0, -2)}ZZ` }), /no paid order/)
    await refuses(open({ ...order, tradeNo: 'nonsense' }), /no order nonsense/)
    assert.deepEqual(await balancesOf(database.db, order.merNo), before)
    assert.equal(await stateOf(database.db, order), 5)
    assert.deepEqual(await notificationsOf(order), [])
  })
})

test("every step notifies the order's address, or the merchant's own", async () => {
  const protestNotifyUrl = 'https://shop.example/protest'
  const order = await paidOrder(database.db, { merNo: 43_000_009, protestNotifyUrl })
  await open(order, { money: { amount: 250n, currency: 'USD' } })
  await resolve(order, 'won')
  const { tradeNo, merOrderNo } = order
  const same = { tradeNo, merOrderNo, reason: '4853', currency: 'USD', amount: '2.50' }
  assert.deepEqual(await notificationsOf(order), [
    [protestNotifyUrl, { ...same, code: '1', message: 'Chargeback opened: not as described' }],
    [protestNotifyUrl, { ...same, code: '2', message: 'Chargeback won: not as described' }],
  ])
  const other = await paidOrder(database.db, { merNo: 43_000_009 })
  await open(other)
  await resolve(other, 'lost')
  const codes = (await notificationsOf(other)).map(([url, fields]) => [url, Object(fields).code])
  assert.deepEqual(codes, [
    [chargebackUrl, '1'],
    [chargebackUrl, '3'],
  ])
})

test('evidence is stored with an open chargeback only', async () => {
  const order = await paidOrder(database.db, { merNo: 43_000_010 })
  const { tradeNo } = order
  const file = { name: 'delivery.pdf', content: Buffer.from('signed by the payer') }
  const vault = openVault(randomBytes(32))
  const given = { tradeNo, note: 'Delivered and signed for', file, by: 'ann@shop.example', at: new Date() }
  await assert.rejects(addEvidence({ db: database.db, vault }, given), OperatorRefusal)
  await open(order)
  const evidence = await addEvidence({ db: database.db, vault }, given)
  assert.equal(evidence.file?.bytes, 19)
  assert.match(evidence.file?.sha256 ?? '', /^[0-9a-f]{64}$/)
  const listed = (await listChargebacks(database.db, 'open')).find((one) => one.tradeNo === tradeNo)
  assert.equal(listed?.evidence, 1)
  const stored = await openEvidenceFile(database.db, vault, order.merNo, evidence.evidenceId)
  assert.equal(stored?.content.toString(), 'signed by the payer')
  await resolve(order, 'won')
  await assert.rejects(addEvidence({ db: database.db, vault }, given), OperatorRefusal)
})

test('of a hundred concurrent openings one succeeds, and so does one of a hundred resolutions', async () => {
  const merNo = 43_000_011
  const order = await paidOrder(database.db, { merNo, amount: 10_000n })
  const opened = await Promise.allSettled(Array.from({ length: 100 }, () => open(order)))
  assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 1)
  const ends = await Promise.allSettled(
    Array.from({ length: 100 }, (_, at) => resolve(order, at % 2 === 0 ? 'won' : 'lost')),
  )
  for (const end of [...opened, ...ends])
    if (end.status === 'rejected') assert.ok(end.reason instanceof OperatorRefusal, String(end.reason))
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await notificationsOf(order)).length, 2)
  const won = (await findChargeback(database.db, merNo, order.tradeNo))?.state === 'won'
  assert.equal((await balancesOf(database.db, merNo))['merchant:unsettled USD'], won ? 8_500n : undefined)
})

test('concurrent chargebacks and settlements leave every order both settled and disputed', async () => {
  const merNo = 43_000_012
  const orders = await Promise.all(
    Array.from({ length: 100 }, () => paidOrder(database.db, { merNo, amount: 2_000n })),
  )
  await Promise.all([...orders.map((order) => open(order)), ...Array.from({ length: 10 }, settleAll)])
  await settleAll()
  assert.deepEqual(await balancesOf(database.db, merNo), {
    'merchant:available USD': -150_000n,
    'platform:fees USD': 150_000n,
  })
  const dues = await database.db.query({
    text: 'select * from order_dues where mer_no = $1',
    values: [merNo],
  })
  assert.deepEqual(dues, [])
})

test('leaves the books sound', () => assertMoneySound(database.db))

test('a chargeback is reported to the people of the merchant, once', async () => {
  const merNo = 43_000_099
  const order = await paidOrder(database.db, { merNo, amount: 10_000n })
  await open(order, { money: { amount: 4_000n, currency: 'USD' } })
  await assert.rejects(open(order), OperatorRefusal)
  const alerts = await database.db.query({
    text: 'select kind, content from alerts where mer_no = $1',
    values: [merNo],
  })
  const content = { orderNo: order.merOrderNo, amount: '40.00 USD' }
  assert.deepEqual(alerts, [{ kind: 'dispute-opened', content }])
})
