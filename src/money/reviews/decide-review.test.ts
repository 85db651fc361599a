// The merchant's and the operator's steps of a review, on a real database.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import { noRates } from '../../../test/builders/builders.ts'
import { assertMoneySound, balancesOf, stateOf, stepsOf } from '../../../test/builders/paid-orders.ts'
import {
  acceptedForReview,
  historyOf,
  moneyCame,
  notificationsOf,
  orderInReview,
  usedBy,
} from '../../../test/builders/reviews.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { makeId } from '../../platform/base/id.ts'
import { openVault } from '../../platform/base/secret.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { approveReview, askReview, pickReview, rejectReview } from './decide-review.ts'
import { countReviews, findReview, listReviews, openFile } from './find-review.ts'
import { submitReview, uploadFile } from './submit-review.ts'
import { cleanFiles } from './worker.ts'

const vault = openVault(randomBytes(32))
const clock = systemClock
const rates = noRates
let db: Db
let merNo = 51_000_000

useDatabase({
  before(database) {
    db = database.db
  },
})
beforeEach(() => {
  merNo++
})
afterEach(() => assertMoneySound(db))

const inReview = (wanted: Parameters<typeof orderInReview>[1] = {}) => orderInReview(db, { merNo, ...wanted })
const info = { payerName: 'Example Payer' }

function submit({ tradeNo }: Pick<NewPayment, 'tradeNo'>, fileIds: readonly string[] = [], of = merNo) {
  const files = fileIds.map((fileId) => ({ fileId, proves: 'payerIdentityDocument' }))
  return submitReview({ db, vault, clock }, { merNo: of, tradeNo, info, files })
}

const content = Buffer.from('%PDF-1.7 a statement')

async function upload(of = merNo): Promise<string> {
  return (await uploadFile({ db, vault, clock }, { merNo: of, type: '.pdf', content })).fileId
}

async function uploads(count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => upload()))
}

test('money of a reviewed payment stays in the review account until an operator approves', async () => {
  const payment = await inReview()
  assert.equal(await stateOf(db, payment), 24)
  assert.deepEqual(await balancesOf(db, merNo), { 'rail:card EUR': -10_000n, 'transit:review EUR': 10_000n })
  assert.deepEqual(await notificationsOf(db, payment), [])
  assert.deepEqual(
    (await listReviews(db, 500))
      .filter((one) => one.merNo === merNo)
      .map(({ tradeNo, review }) => [tradeNo, review]),
    [[payment.tradeNo, 'asked']],
  )
})

test('an approved payment is booked, due, counted and notified like every other success', async () => {
  const payment = await inReview({
    terms: { feeBps: 250, feeFixed: 30n, marginBps: 500, settleCurrency: 'USD' },
    received: 10_700n,
  })
  await submit(payment)
  const rate = { digits: 11n, scale: 1 }
  await approveReview({ db, clock, rates: { find: () => rate } }, payment.tradeNo)
  assert.deepEqual(await historyOf(db, payment), [24, 25, 5])
  assert.deepEqual(await balancesOf(db, merNo), {
    'merchant:margin EUR': 500n,
    'merchant:unsettled EUR': 9_220n,
    'platform:fees EUR': 280n,
    'rail:card EUR': -10_700n,
    'suspense EUR': 700n,
  })
  const [order] = await db.query({
    text: `select received, settle_amount, needs_review,
        (select array_agg(kind) from order_dues d where d.mer_no = o.mer_no and margin_at > due_at) as dues
      from orders o where mer_no = $1`,
    values: [merNo],
  })
  assert.deepEqual(order, {
    received: 10_700n,
    settle_amount: 10_142n,
    needs_review: false,
    dues: ['settle'],
  })
  const { tradeNo, merOrderNo } = payment
  const expected = {
    tradeNo,
    merOrderNo,
    code: '0',
    message: 'Payment succeeded',
    currencyCode: 'EUR',
    sourceAmount: '100.00',
    receiveAmount: '107.00',
    counterpartyAccountName: 'Example Payer',
    counterpartyAccountNum: 'DE89370400440532013000',
  }
  assert.deepEqual(await notificationsOf(db, payment), [{ event: 'payment', fields: expected }])
  assert.deepEqual(await usedBy(db, merNo), [1000n, 1000n])
})

test('an operator may approve before the merchant sends information', async () => {
  const payment = await inReview()
  await approveReview({ db, clock, rates }, payment.tradeNo)
  assert.deepEqual(await historyOf(db, payment), [24, 5])
})

test('a rejected order fails once its money is returned, or immediately if it was returned by hand', async () => {
  const payment = await inReview()
  const rejection = { note: 'No such shipment', isReturned: false }
  assert.equal((await rejectReview({ db, clock }, payment.tradeNo, rejection)).state, 'returning')
  assert.equal(await stateOf(db, payment), 24)
  await assert.rejects(submit(payment), { code: '10102' })
  for (const word of [
    () => approveReview({ db, clock, rates }, payment.tradeNo),
    () => rejectReview({ db, clock }, payment.tradeNo, { ...rejection, isReturned: true }),
    () => askReview({ db, clock }, payment.tradeNo, 'More'),
  ])
    await assert.rejects(word, /on its way back/)

  const other = await orderInReview(db, { merNo: ++merNo })
  const byHand = await rejectReview({ db, clock }, other.tradeNo, { ...rejection, isReturned: true })
  assert.equal(byHand.state, 'rejected')
  assert.deepEqual(await historyOf(db, other), [24, 6])
  assert.deepEqual(await balancesOf(db, merNo), {})
  assert.deepEqual(await usedBy(db, merNo), [0n, 0n])
  const [notification] = await notificationsOf(db, other)
  assert.equal(notification?.fields.code, '1')
  assert.equal(notification?.fields.message, 'Rejected in review: No such shipment')
})

test('asked again, the merchant adds to its information, which is stored encrypted', async () => {
  const payment = await inReview()
  const { tradeNo } = payment
  const [first, second] = [await upload(), await upload()]
  await submit(payment, [first])
  await assert.rejects(askReview({ db, clock }, tradeNo, ' '), /1 to 255/)
  await askReview({ db, clock }, tradeNo, 'Whose account is it?')
  const files = [
    { fileId: first, proves: 'transactionDetails' },
    { fileId: second, proves: 'buyerPaymentStatement' },
  ]
  await submitReview({ db, vault, clock }, { merNo, tradeNo, info: { payeeName: 'Example Shop' }, files })
  assert.deepEqual(await historyOf(db, payment), [24, 25, 24, 25])
  const found = await findReview(db, vault, tradeNo)
  assert.equal(found.review.state, 'submitted')
  assert.deepEqual(found.info, { payerName: 'Example Payer', payeeName: 'Example Shop' })
  const proven = found.files.map(({ fileId, proves }) => ({ fileId, proves }))
  assert.deepEqual(new Set(proven), new Set(files))
  const opened = await openFile(db, vault, first)
  assert.deepEqual(opened.content, content)
  const stored = JSON.stringify(
    await db.query({
      text: `select encode(sealed, 'escape') as sealed from review_files where mer_no = $1
        union all select encode(sealed, 'escape') from reviews where mer_no = $1`,
      values: [merNo],
    }),
  )
  assert.doesNotMatch(stored, /%PDF|Example/)
})

test('only merchants that want it are notified when more information is needed', async () => {
  const payment = await inReview()
  await db.query({
    text: `insert into merchants (mer_no, name, state, timezone, notify_review, created_at)
      values ($1, 'Shop', 'active', 'UTC', true, now())`,
    values: [merNo],
  })
  await submit(payment)
  await askReview({ db, clock }, payment.tradeNo, 'Whose account is it?')
  const notifications = await notificationsOf(db, payment)
  assert.deepEqual(
    notifications.map(({ event, fields }) => [event, fields.code, fields.message]),
    [['review', '3', 'More information is needed: Whose account is it?']],
  )
})

test('a picked payment goes to review instead of success', async () => {
  const payment = await acceptedForReview(db, { merNo, needsReview: false })
  const { tradeNo } = payment
  await pickReview({ db, clock }, tradeNo)
  assert.equal((await findReview(db, vault, tradeNo)).review.state, 'picked')
  await assert.rejects(pickReview({ db, clock }, tradeNo), /reviewed anyway/)
  await assert.rejects(approveReview({ db, clock, rates }, tradeNo), /not in review/)
  await moneyCame(db, payment)
  assert.equal(await stateOf(db, payment), 24)
  assert.equal((await findReview(db, vault, tradeNo)).review.state, 'asked')
  await submit(payment)
  await approveReview({ db, clock, rates }, tradeNo)
  await assert.rejects(pickReview({ db, clock }, tradeNo), /only a processing order/)
  await assert.rejects(approveReview({ db, clock, rates }, tradeNo), /not in review/)
  const card = await acceptedForReview(db, { merNo, needsReview: false, method: 'card' })
  await assert.rejects(pickReview({ db, clock }, card.tradeNo), /method whose payments are reviewed/)
  await assert.rejects(pickReview({ db, clock }, makeId('T', merNo, new Date())), /not known/)
})

test("information is accepted only for the merchant's own order in the right state", async () => {
  const payment = await inReview()
  await assert.rejects(submit({ tradeNo: makeId('T', merNo, new Date()) }), { code: '10026' })
  await assert.rejects(submit(payment, [], merNo - 1), { code: '10026' })
  const waiting = await acceptedForReview(db, { merNo })
  await assert.rejects(submit(waiting), { code: '10102' })
  await submit(payment)
  await assert.rejects(submit(payment), { code: '10102' })
})

test("an order has at most six files, all of them the merchant's own", async () => {
  const [payment, other] = [await inReview(), await inReview()]
  const refused = (order: NewPayment, fileIds: string[]) =>
    assert.rejects(submit(order, fileIds), { code: '10106' })
  const files = await uploads(7)
  await refused(payment, files)
  await refused(payment, [files[0] ?? '', files[0] ?? ''])
  await refused(payment, ['no such file'])
  await refused(payment, [await upload(merNo + 1_000_000)])
  assert.equal(await stateOf(db, payment), 24)
  await submit(payment, files.slice(0, 5))
  await refused(other, files.slice(4, 6))
  await askReview({ db, clock }, payment.tradeNo, 'One more')
  await refused(payment, files.slice(5))
  await submit(payment, files.slice(4, 6))
  assert.equal((await findReview(db, vault, payment.tradeNo)).files.length, 6)
})

test('files that are not submitted are limited in number and deleted after seven days', async () => {
  const payment = await inReview()
  const [submitted = '', ...loose] = await uploads(4)
  await submit(payment, [submitted])
  const later = { now: () => new Date(Date.now() + 7 * 86_400_000 + 1000) }
  const soon = { now: () => new Date(Date.now() + 7 * 86_400_000 - 3_600_000) }
  assert.equal(await cleanFiles({ db, clock: soon }), 0)
  await cleanFiles({ db, clock: later })
  for (const fileId of loose) await assert.rejects(openFile(db, vault, fileId), /no file/)
  assert.deepEqual((await openFile(db, vault, submitted)).content, content)
  await uploads(8)
  for (let round = 0; round < 13; round++) await Promise.all([upload(), upload(), upload(), upload()])
  await assert.rejects(upload(), { code: '10106' })
})

test('of repeated submissions and of concurrent decisions one counts', async () => {
  const payment = await inReview()
  const twice = await Promise.allSettled([submit(payment), submit(payment), submit(payment)])
  assert.equal(twice.filter(({ status }) => status === 'fulfilled').length, 1)
  for (let round = 0; round < 10; round++) {
    const order = await orderInReview(db, { merNo: ++merNo })
    const { tradeNo } = order
    const words = await Promise.allSettled([
      approveReview({ db, clock, rates }, tradeNo),
      rejectReview({ db, clock }, tradeNo, { note: 'No', isReturned: true }),
      approveReview({ db, clock, rates }, tradeNo),
      submit(order),
    ])
    const decided = words.slice(0, 3).filter(({ status }) => status === 'fulfilled')
    assert.equal(decided.length, 1)
    const steps = (await stepsOf(db, order)).filter((step) => step !== 'review')
    assert.deepEqual(steps, [(await stateOf(db, order)) === 5 ? 'payment' : 'review-returned'])
  }
})

test('open reviews are counted', async () => {
  const before = await countReviews(db)
  const [one, two] = [await inReview(), await inReview()]
  await inReview()
  await submit(one)
  await rejectReview({ db, clock }, two.tradeNo, { note: 'No', isReturned: false })
  const after = await countReviews(db)
  assert.deepEqual(
    {
      open: after.open - before.open,
      submitted: after.submitted - before.submitted,
      returning: after.returning - before.returning,
    },
    { open: 3, submitted: 1, returning: 1 },
  )
})
