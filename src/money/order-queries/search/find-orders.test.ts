// Compares the result of many searches with a scan of all orders, and bounds the number of orders that a search reads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDecline, anAttempt, aPayment, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { acceptPayments } from '../../payments/accept-payments.ts'
import { recordOutcomes } from '../../payments/record-outcomes.ts'
import { countOrders, findOrders, type OrderFilter } from './find-orders.ts'
import { createIndexer } from './index-orders.ts'

const merNo = 62_000_001
const otherNo = 62_000_002
const busyNo = 62_000_100
const BUSY = 40
const ORDERS_OF_BUSY = 120
const start = Date.parse('2026-03-01T00:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000)

/** The argument for all merchants. Without the argument, the first merchant is searched. */
const ALL = null

type Made = {
  readonly payment: NewPayment
  readonly state: 1 | 5 | 6
  readonly email: string
  readonly name: string
  readonly card: string
  readonly reference: string | undefined
}
const made: Made[] = []

const pick = <One>(list: readonly One[], index: number) => list[index % list.length] as One

const database = useDatabase({
  async before() {
    for (let index = 0; index < 400; index++) {
      const createdAt = at(index)
      const email = `payer${index % 17}@example.com`
      const name = `${pick(['Ada', 'Grace', 'Alan'], index)} ${pick(['Lovelace', 'Hopper', 'Turing', 'Liskov'], index)}`
      const card = pick(['4242', '4444', '0002'], Math.floor(index / 5))
      const [billingFirstName, billingLastName] = name.split(' ')
      const payment = aPayment({
        merNo: pick([merNo, merNo, otherNo], index),
        createdAt,
        method: pick(['card', 'card', 'card', 'pix'], index),
        money: { amount: BigInt(100 * (index % 9) + 500), currency: pick(['USD', 'EUR'], index) },
        details: { billingEmail: email, billingFirstName, billingLastName },
        attempt: anAttempt(createdAt, {
          card: { first6: '424242', last4: card, brand: 'visa', fingerprint: 'f' },
        }),
      })
      const state = pick([5, 5, 6, 1] as const, index)
      made.push({ payment, state, email, name, card, reference: state === 5 ? `ref-${index}` : undefined })
    }
    await acceptPayments(
      database.db,
      made.map(({ payment }) => payment),
    )
    const reports = made
      .filter(({ state }) => state !== 1)
      .map(({ payment, state, reference }) => {
        if (state === 6) return { ...aDecline(payment), at: payment.createdAt }
        const outcome = { kind: 'succeeded', money: payment.money, channelRef: reference ?? '' } as const
        return aSuccess(payment, { at: payment.createdAt, outcome })
      })
    await recordOutcomes({ db: database.db, rates: noRates }, reports)
    const names = [merNo, otherNo, ...Array.from({ length: BUSY }, (_, index) => busyNo + index)]
    for (const of of names)
      await database.db.query({
        text: `insert into merchants (mer_no, name, state, created_at) values ($1, 'Shop', 'active', now())`,
        values: [of],
      })
    const indexer = createIndexer(database.db)
    while (await indexer.step(at(500)));
  },
})

function byHand(filter: OrderFilter, of: number | null = merNo): string[] {
  const words = filter.name?.toLowerCase().split(' ')
  const kept = made.filter(({ payment, state, email, name, card, reference }) => {
    const { money, createdAt, method } = payment
    return (
      (of === null || payment.merNo === of) &&
      (filter.email === undefined || filter.email.toLowerCase() === email) &&
      (words === undefined || words.every((word) => name.toLowerCase().split(' ').includes(word))) &&
      (filter.card === undefined || filter.card === card) &&
      (filter.reference === undefined || filter.reference === reference) &&
      (filter.amount === undefined || money.amount === BigInt(Math.round(Number(filter.amount) * 100))) &&
      (filter.states === undefined || filter.states.includes(state)) &&
      (filter.methods === undefined || filter.methods.includes(method)) &&
      (filter.currency === undefined || filter.currency === money.currency) &&
      (filter.least === undefined || money.amount >= filter.least) &&
      (filter.most === undefined || money.amount <= filter.most) &&
      (filter.from === undefined || createdAt >= filter.from) &&
      (filter.until === undefined || createdAt < filter.until)
    )
  })
  return kept.map(({ payment }) => payment.tradeNo).reverse()
}

async function byPages(filter: OrderFilter, limit: number, of: number | null = merNo): Promise<string[]> {
  const found: string[] = []
  for (let position: Parameters<typeof findOrders>[3]; ; ) {
    const page = await findOrders(database.db, of ?? undefined, filter, position, limit)
    assert.ok(page.orders.length <= limit)
    found.push(...page.orders.map(({ tradeNo }) => tradeNo))
    if (page.next === undefined) return found
    position = page.next
  }
}

const searches: readonly OrderFilter[] = [
  {},
  { email: 'Payer3@Example.com' },
  { name: 'lovelace' },
  { name: 'Ada Turing' },
  { card: '4444' },
  { amount: '7' },
  { amount: '7.00', currency: 'EUR' },
  { reference: 'ref-40' },
  { states: [6] },
  { states: [5, 1], methods: ['pix'] },
  { methods: ['card', 'pix'], card: '0002', states: [6] },
  { email: 'payer5@example.com', name: 'grace', states: [5] },
  { least: 600n, most: 900n, currency: 'USD' },
  { from: at(100), until: at(250) },
  { from: at(100), until: at(250), states: [5], name: 'hopper' },
  { email: 'nobody@example.com' },
]

for (const filter of searches)
  test(`finds exactly the orders of ${JSON.stringify(filter, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`, async () => {
    for (const limit of [7, 50, 1000]) assert.deepEqual(await byPages(filter, limit), byHand(filter))
    for (const limit of [3, 50, 1000])
      assert.deepEqual(await byPages(filter, limit, ALL), byHand(filter, ALL), 'of all merchants')
    const told = await Promise.all(
      [merNo, ALL].map((of) => countOrders(database.db, of ?? undefined, filter)),
    )
    assert.deepEqual(
      told,
      [merNo, ALL].map((of) => ({ count: byHand(filter, of).length, isExact: true })),
    )
  })

test('an order is found by either of its numbers, and by nobody else', async () => {
  const { payment } = pick(made, 7)
  for (const number of [payment.tradeNo, payment.merOrderNo, ` ${payment.merOrderNo} `]) {
    const { orders } = await findOrders(database.db, merNo, { number }, undefined, 50)
    assert.deepEqual(
      orders.map(({ tradeNo }) => tradeNo),
      [payment.tradeNo],
    )
  }
  const other = await findOrders(database.db, merNo + 1, { number: payment.tradeNo }, undefined, 50)
  assert.deepEqual(other.orders, [])
})

test('with a number, every other filter still applies', async () => {
  const { payment, email, card } = pick(made, 40)
  const number = payment.merOrderNo
  const { createdAt } = payment
  const currency = payment.money.currency
  const found = (filter: OrderFilter) => byPages({ number, ...filter }, 50)
  const fits: readonly OrderFilter[] = [
    { email, card, name: 'lovelace', amount: '9', reference: 'ref-40', states: [5], methods: ['card'] },
    { currency, least: 900n, most: 900n, from: createdAt, until: at(41) },
  ]
  for (const filter of fits) assert.deepEqual(await found(filter), [payment.tradeNo])
  const excludes: readonly OrderFilter[] = [
    { email: 'nobody@example.com' },
    { name: 'hopper' },
    { card: '9999' },
    { amount: '9.01' },
    { reference: 'ref-41' },
    { states: [6] },
    { methods: ['pix'] },
    { currency: 'JPY' },
    { currency, least: 901n },
    { currency, most: 899n },
    { from: at(41) },
    { until: createdAt },
  ]
  for (const filter of excludes) assert.deepEqual(await found(filter), [], Object.keys(filter).join())
})

test('a row shows the payer, the card and the reference', async () => {
  const { payment, email, name, card, reference } = pick(made, 0)
  const { orders } = await findOrders(database.db, merNo, { number: payment.tradeNo }, undefined, 1)
  const [row] = orders
  assert.deepEqual(
    {
      email: row?.email,
      payerName: row?.payerName,
      cardLast4: row?.cardLast4,
      reference: row?.reference,
      state: row?.state,
    },
    { email, payerName: name, cardLast4: card, reference, state: 5 },
  )
})

test('chosen orders are found by their trade numbers, page by page, with the other filters', async () => {
  const chosen = [3, 8, 50, 51, 52].map((index) => pick(made, index))
  const tradeNos = chosen.map(({ payment }) => payment.tradeNo)
  const of = (isWanted: (one: Made) => boolean) =>
    chosen
      .filter(isWanted)
      .map(({ payment }) => payment.tradeNo)
      .reverse()
  assert.deepEqual(
    await byPages({ tradeNos }, 2, ALL),
    of(() => true),
  )
  assert.deepEqual(
    await byPages({ tradeNos }, 2),
    of(({ payment }) => payment.merNo === merNo),
  )
  assert.deepEqual(
    await byPages({ tradeNos, states: [6] }, 2, ALL),
    of(({ state }) => state === 6),
  )
})

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Returns the number of rows that the statements of a search read from tables. */
async function readBy(ask: (db: Db) => Promise<unknown>): Promise<number> {
  let read = 0
  const visit = (plan: Plan) => {
    const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
    if (plan['Relation Name'] !== undefined) read += rows * plan['Actual Loops']
    for (const below of plan.Plans ?? []) visit(below)
  }
  const explained = (tx: Tx): Tx => ({
    ...tx,
    async query(statement) {
      if (/^\s*(with|select)/.test(statement.text)) {
        const text = `explain (analyze, format json) ${statement.text}`
        const [row] = await tx.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
          ...statement,
          text,
        })
        const plan = row?.['QUERY PLAN'][0]?.Plan
        assert.ok(plan)
        visit(plan)
      }
      return tx.query(statement)
    },
  })
  await ask({ ...database.db, transaction: (work) => database.db.transaction((tx) => work(explained(tx))) })
  return read
}

test('a page and a count of all merchants read few orders, however many there are', async () => {
  const at = new Date('2026-04-01T00:00:00Z')
  for (let index = 0; index < BUSY; index++) {
    const payments = Array.from({ length: ORDERS_OF_BUSY }, (_, second) =>
      aPayment({ merNo: busyNo + index, createdAt: new Date(at.getTime() + second * 1000 + index) }),
    )
    await acceptPayments(database.db, payments)
  }
  await database.db.query({ text: 'analyze orders' })
  const merchants = BUSY + 2
  const limit = 20
  const page = await readBy((db) => findOrders(db, undefined, {}, undefined, limit))
  // Two rows are read for each merchant: its own row and its newest order. The orders of the page are read a few times.
  assert.ok(page < 2 * merchants + 6 * (limit + 1), `${page} rows were read for ${limit} orders`)
  const all = await countOrders(database.db, undefined, {})
  assert.deepEqual(all, { count: made.length + BUSY * ORDERS_OF_BUSY, isExact: true })
})
