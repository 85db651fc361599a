import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDecline, aHosted, anAttempt, aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { assertMoneySound } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { type PaidChange, planMove } from '../orders/change.ts'
import { foldTotals } from '../orders/daily-totals.ts'
import { lockPaidOrders } from '../orders/lock-orders.ts'
import type { NewPayment } from '../orders/new-order.ts'
import type { PaidOrder } from '../orders/order.ts'
import { State, type StateNumber, wasPaid } from '../orders/order.ts'
import { openChargeback, returnRefund, settle, takeRefund, winChargeback } from '../orders/position.ts'
import { changeOrders } from '../orders/write-changes.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { closeOrders } from '../payments/cancel-payment.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { queryTotals, type TotalsFilter } from './sum-totals.ts'

const database = useDatabase()

/** Returns deterministic random numbers, so that a failure can be reproduced. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

type Scanned = {
  readonly state: StateNumber
  readonly day: string
  readonly currency: string
  readonly settleCurrency: string
  readonly settled: boolean
  readonly merOrderNo: string
  readonly amount: bigint
  readonly settleAmount: bigint | null
}

function scan(merNo: number): Promise<Scanned[]> {
  return database.db.query<Scanned>({
    text: `select state, local_day::text as day, currency, settle_currency as "settleCurrency",
        settled_at is not null as settled, mer_order_no as "merOrderNo", amount, settle_amount as "settleAmount"
      from orders where mer_no = $1`,
    values: [merNo],
  })
}

/** Returns the expected sums, from a scan of every order. */
function byHand(orders: readonly Scanned[], filter: TotalsFilter) {
  const has = <Value>(list: readonly Value[], value: Value) => list.length === 0 || list.includes(value)
  const matching = orders.filter(
    (order) =>
      has(filter.states, order.state) &&
      has(filter.currencies, order.currency) &&
      has(filter.settleCurrencies, order.settleCurrency) &&
      has(filter.merOrderNos, order.merOrderNo) &&
      (filter.settled.length === 0 || (wasPaid(order.state) && filter.settled.includes(order.settled))) &&
      order.day >= (filter.firstDay ?? '') &&
      order.day <= (filter.lastDay ?? '9'),
  )
  return {
    source: sumBy(matching.map((order) => [order.currency, order.amount])),
    settle: sumBy(matching.map((order) => [order.settleCurrency, order.settleAmount ?? 0n])),
  }
}

function sumBy(parts: readonly (readonly [string, bigint])[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const [currency, amount] of parts) sums[currency] = (sums[currency] ?? 0n) + amount
  return sums
}

const all = { states: [], currencies: [], settleCurrencies: [], settled: [], merOrderNos: [] }
const anyDay = { firstDay: undefined, lastDay: undefined }

async function assertAgrees(merNo: number, roll: (sides: number) => number): Promise<void> {
  const orders = await scan(merNo)
  const some = <Value>(values: readonly Value[]): Value[] =>
    roll(2) === 0 ? [] : values.filter(() => roll(2) === 0)
  const filters: TotalsFilter[] = [{ merNo, ...all, ...anyDay }]
  for (let count = 0; count < 4; count++)
    filters.push({
      merNo,
      firstDay: roll(2) === 0 ? undefined : days[roll(days.length)],
      lastDay: roll(2) === 0 ? undefined : days[roll(days.length)],
      states: some(Object.values(State)),
      currencies: some(['USD', 'EUR', 'VND']),
      settleCurrencies: some(['USD', 'EUR', 'VND']),
      settled: some([true, false]),
      merOrderNos: roll(3) === 0 ? some(orders.map((order) => order.merOrderNo)) : [],
    })
  for (const filter of filters) {
    const { source, settle } = await queryTotals(database.db, filter)
    const found = { source: Object.fromEntries(source), settle: Object.fromEntries(settle) }
    assert.deepEqual(found, byHand(orders, filter), JSON.stringify(filter))
  }
}

const days = ['2026-06-01', '2026-06-02', '2026-06-03'] as const
const EUR_IN_USD = { digits: 11n, scale: 1 }

function someOrder(merNo: number, roll: (sides: number) => number): NewPayment {
  const kinds = [
    { currency: 'USD', settleCurrency: 'USD', settleRate: undefined },
    { currency: 'EUR', settleCurrency: 'USD', settleRate: EUR_IN_USD },
    { currency: 'VND', settleCurrency: 'VND', settleRate: undefined },
  ] as const
  const { currency, settleCurrency, settleRate } = kinds[roll(3)] ?? kinds[0]
  const localDay = days[roll(3)] ?? days[0]
  const money = { amount: BigInt(1_000 + roll(9_000)), currency }
  const { terms } = aPayment()
  return aPayment({
    merNo,
    money,
    localDay,
    createdAt: new Date(`${localDay}T12:00:00Z`),
    terms: { ...terms, feeBps: 290, marginBps: 500, settleCurrency, settleRate },
  })
}

/** Returns the next event of a paid order, chosen by a number. Undefined if that event is impossible. */
function nextEvent(order: PaidOrder, what: number, step: string, at: Date): PaidChange | undefined {
  const { position, refundsOpen, chargeback } = order.paid
  const change = { order, why: step, at }
  const left = position.amount - position.refunded
  if (what === 0 && !position.settled) return { ...change, moved: settle(position, step) }
  if (what === 1 && chargeback === undefined && left > 1n)
    return { ...change, moved: takeRefund(position, left / 2n, 0n, step), refundsOpen: refundsOpen + 1 }
  if (what === 2 && refundsOpen > 0)
    return { ...change, moved: { position, transfers: [] }, refundsOpen: refundsOpen - 1 }
  if (what === 3 && refundsOpen > 0 && position.refunded > 0n)
    return { ...change, moved: returnRefund(position, 1n, 0n, step), refundsOpen: refundsOpen - 1 }
  const take = { amount: position.amount, fee: 5n, available: 0n, channel: 'rail:card' }
  if (what === 4 && chargeback === undefined)
    return { ...change, moved: openChargeback(position, take, step), chargeback: 'open' }
  if (what === 5 && chargeback === 'open')
    return {
      ...change,
      moved: winChargeback(position, position.chargedBack, 'rail:card', step),
      chargeback: 'won',
    }
  if (what === 6 && chargeback === 'open')
    return { ...change, moved: { position, transfers: [] }, chargeback: 'lost' }
  return undefined
}

for (const seed of [1, 2, 3]) {
  test(`after every change the totals agree with a scan of the orders, run ${seed}`, async () => {
    const merNo = 52_000_000 + seed
    const roll = dice(seed)
    const orders: NewPayment[] = []
    for (let step = 0; step < 60; step++) {
      const what = roll(12)
      const order = orders[roll(orders.length || 1)]
      if (what >= 9 || order === undefined) {
        const made = someOrder(merNo, roll)
        await acceptPayments(database.db, [made])
        orders.push(made)
      } else if (what >= 7) {
        const report = roll(3) === 0 ? aDecline(order) : aSuccess(order)
        await recordOutcomes({ db: database.db, rates: noRates }, [report])
      } else {
        await database.db.transaction(async (tx) => {
          const paid = (await lockPaidOrders(tx, [order])).get(order.tradeNo)
          const change = paid && nextEvent(paid, what, `step-${step}`, new Date('2026-06-04'))
          if (change !== undefined) await changeOrders(tx, [planMove(change)])
        })
      }
      if (roll(5) === 0) await foldTotals(database.db, 1 + roll(10))
      await assertAgrees(merNo, roll)
    }
    const states = new Set((await scan(merNo)).map((order) => order.state))
    assert.ok(states.size >= 4, `the run met only the states ${[...states].join()}`)
    await foldTotals(database.db, 10_000)
    await assertAgrees(merNo, roll)
    await assertMoneySound(database.db, ['order-parts', 'order-entries', 'daily-totals'])
  })
}

test('merchants of one batch have totals of their own, folded or not', async () => {
  const merchants = [52_000_020, 52_000_021, 52_000_022]
  const orders = merchants.flatMap((merNo, at) =>
    Array.from({ length: at + 1 }, () => someOrder(merNo, () => 0)),
  )
  await acceptPayments(database.db, orders)
  const successes = orders.map((order) => aSuccess(order))
  await recordOutcomes({ db: database.db, rates: noRates }, successes)
  const [row] = await database.db.query<{ shared: number }>({
    text: 'select count(*)::int as shared from order_total_deltas where mer_nos @> $1::bigint[]',
    values: [merchants],
  })
  assert.equal(row?.shared, 1)
  for (let time = 0; time < 2; time++) {
    for (const merNo of merchants) await assertAgrees(merNo, dice(merNo))
    await foldTotals(database.db, 100)
  }
})

test('a currency without matching orders is not in the result', async () => {
  const merNo = 52_000_010
  const [paid, open] = [someOrder(merNo, () => 0), someOrder(merNo, () => 1)]
  await acceptPayments(database.db, [paid, open])
  await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(paid)])
  const states = [State.processing]
  const { source, settle } = await queryTotals(database.db, { merNo, ...all, ...anyDay, states })
  assert.deepEqual([...source], [['EUR', open.money.amount]])
  assert.deepEqual([...settle], [['USD', 0n]])
})

test('orders without an attempt and orders in review count as open', async () => {
  const merNo = 10_000_077
  const hosted = aHosted({ merNo })
  const reviewed = aPayment({ merNo, needsReview: true })
  const both = aHosted({ merNo, attempt: anAttempt(new Date()) })
  await acceptPayments(database.db, [hosted, reviewed, both])
  await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(reviewed)])
  const sumOf = async (...states: StateNumber[]) => {
    const { source } = await queryTotals(database.db, { merNo, ...anyDay, ...all, states })
    return source.get('USD') ?? 0n
  }
  assert.equal(await sumOf(State.processing), 2000n, 'one with an attempt and one without')
  assert.equal(await sumOf(State.informationAsked), 1000n)
  assert.equal(await closeOrders(database.db, [hosted], { message: 'Nobody paid', at: new Date() }), 1)
  await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(both)])
  assert.deepEqual(
    {
      processing: await sumOf(State.processing),
      cancelled: await sumOf(State.cancelled),
      succeeded: await sumOf(State.succeeded),
      all: await sumOf(),
    },
    { processing: 0n, cancelled: 1000n, succeeded: 1000n, all: 3000n },
  )
})
