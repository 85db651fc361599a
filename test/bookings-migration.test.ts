// Migration 0048 turns rows of ledger entries into bookings, with the names that the program gives them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Entry, postEntries } from '../src/money/ledger/post-entries.ts'
import {
  type Moved,
  openChargeback,
  type Position,
  releaseMargin,
  returnRefund,
  settle,
  takeBackRefund,
  takeRefund,
  winChargeback,
} from '../src/money/orders/position.ts'
import { cameBackEntries, returnedEntries, sentEntries, takenEntries } from '../src/money/payouts/money.ts'
import type { Money, Rate } from '../src/platform/base/money.ts'
import type { Queryable } from '../src/platform/postgres/db.ts'
import { useDatabase } from './harness/harness.ts'

const database = useDatabase({ maxConnections: 1 })

const migration = readFileSync(new URL('../migrations/0048_bookings.sql', import.meta.url), 'utf8')
const merNo = 54_400_001
let moment = Date.parse('2026-11-01T12:00:00Z')
function next(): Date {
  moment += 1_000
  return new Date(moment)
}

const position: Position = {
  ...{ amount: 1000n, currency: 'EUR', settleCurrency: 'EUR', rate: undefined },
  ...{ margin: 100n, marginHeld: 100n, marginDisputed: 0n, marginReleased: false },
  ...{ remainder: 900n, settled: false, settledSource: 0n, refunded: 0n, chargedBack: 0n, exceptionFees: 0n },
}

/** Everything that can happen to the money of an order after its success. */
function* eventsOf(subject: string, start: Position): Generator<Entry[]> {
  let last = start
  const entries = (...moves: ((position: Position) => Moved)[]): Entry[] => {
    const at = next()
    return moves.flatMap((move) => {
      const { position: after, transfers } = move(last)
      last = after
      return transfers.map((transfer) => ({ merNo, subject, at, ...transfer }))
    })
  }
  const returnSteps = { back: 'refund-returned:R3', cost: 'return-cost:R3', kept: 'return-kept:R3' }
  const take = { amount: 300n, fee: 15n, available: 20n, channel: 'rail:card' }
  yield entries((one) => takeRefund(one, 100n, 3n, 'refund:R1'))
  yield entries((one) => settle(one, 'settle'))
  yield entries(
    (one) => takeRefund(one, 100n, 3n, 'refund:R2'),
    (one) => takeRefund(one, 50n, 3n, 'refund:R3'),
  )
  yield entries((one) => returnRefund(one, 100n, 3n, 'refund-failed:R2'))
  yield entries((one) => takeBackRefund(one, { amount: 50n, cost: 0n, channel: 'rail:card' }, returnSteps))
  yield entries((one) => openChargeback(one, take, 'chargeback:C1'))
  yield entries((one) => winChargeback(one, 300n, 'rail:card', 'chargeback-won:C1'))
  yield entries((one) => releaseMargin(one, 'margin-release'))
}

function payment(subject: string): Entry[] {
  const at = next()
  const one = (step: string, debit: string, credit: string, amount: bigint): Entry => {
    return { merNo, subject, booking: 'payment', step, debit, credit, money: { amount, currency: 'EUR' }, at }
  }
  return [
    one('payment', 'rail:card', 'merchant:unsettled', 1000n),
    one('handling-fee', 'merchant:unsettled', 'platform:fees', 29n),
    one('margin', 'merchant:unsettled', 'merchant:margin', 100n),
  ]
}

function* payoutsOf(tradeNo: string, currency: string, rate: Rate | undefined): Generator<Entry[]> {
  const money: Money = { amount: 500n, currency: 'EUR' }
  const payout = { merNo, tradeNo, money, fee: 5n, funding: { amount: 556n, currency, rate }, rail: 'bank' }
  yield takenEntries(payout, next())
  const at = next()
  yield [...sentEntries(payout, at), ...cameBackEntries(payout, money.amount, at)]
  yield takenEntries({ ...payout, tradeNo: `${tradeNo}-failed` }, next())
  yield returnedEntries({ ...payout, tradeNo: `${tradeNo}-failed` }, next())
}

const rate: Rate = { digits: 11n, scale: 1 }
const others: readonly Entry[] = ['correction', 'suspense:S1', 'opening-EUR', 'review'].map((step) => {
  const money = { amount: 9n, currency: 'EUR' }
  return { merNo, subject: 'K1', step, debit: 'rail:card', credit: 'transit:review', money, at: next() }
})

/** Returns the bookings with their legs sorted by step, because the migration writes the legs in another order. */
function bookings(db: Queryable, schema: string): Promise<unknown[]> {
  return db.query({
    text: `
      select b.mer_no, b.subject, b.step, b.currency, b.at,
        array_agg(concat_ws(' ', leg.step, debit, credit, amount) order by leg.step) as legs
      from ${schema}.bookings b, unnest(steps, debited, credited, amounts) as leg (step, debit, credit, amount)
      group by b.mer_no, b.subject, b.step, b.currency, b.at order by b.subject, b.step`,
  })
}

const asBefore = (entries: string) => `
  create schema earlier;
  set local search_path = earlier, public;
  create table ledger_entries as ${entries};
  alter table ledger_entries add primary key (mer_no, subject, step)`

test('rows of every event become the bookings that the program writes', async () => {
  const calls = [
    payment('T1'),
    ...eventsOf('T1', position),
    ...eventsOf('T2', { ...position, rate, settleCurrency: 'USD' }),
    ...payoutsOf('P1', 'EUR', undefined),
    ...payoutsOf('P2', 'USD', rate),
    others,
  ]
  await database.db.transaction(async (tx) => {
    for (const entries of calls) await postEntries(tx, entries)
    await tx.query({ text: asBefore('select * from public.ledger_entries') })
    await tx.query({ text: migration })
    const migrated = await bookings(tx, 'earlier')
    assert.ok(migrated.length > 30)
    assert.deepEqual(migrated, await bookings(tx, 'public'))
    const differences = `
      (table ledger_entries except table public.ledger_entries)
      union all (table public.ledger_entries except table ledger_entries)`
    assert.deepEqual(await tx.query({ text: differences }), [])
    const times = await tx.query<{ at: Date }>({ text: 'select at from bookings order by ctid' })
    const placed = times.map(({ at }) => at.getTime())
    assert.deepEqual(placed, placed.toSorted(), 'the index by time needs rows in order of time')
    const [first] = await tx.query({ text: `select steps from bookings where step = 'payment'` })
    assert.deepEqual(first, { steps: ['payment', 'handling-fee', 'margin'] })
    await tx.query({ text: 'drop schema earlier cascade' })
  })
})

test('an entry of another time or currency than its booking stays alone', async () => {
  const rows = `select 1::bigint as mer_no, 'T1' as subject, step, 'a' as debit, 'b' as credit, currency, 5::bigint as amount,
      '2026-11-01Z'::timestamptz + make_interval(secs => second) as at
    from (values ('payment', 'EUR', 1), ('margin', 'EUR', 0), ('handling-fee', 'USD', 1), ('processing-fee', 'EUR', 1),
      ('refund:R1', 'EUR', 3), ('refund:R1:fee', 'EUR', 2)) as given (step, currency, second)`
  await database.db.transaction(async (tx) => {
    await tx.query({ text: asBefore(rows) })
    await tx.query({ text: migration })
    const found = await tx.query<{ found: string }>({
      text: `select step || ': ' || array_to_string(steps, ' ') as found from bookings order by step`,
    })
    assert.deepEqual(
      found.map((one) => one.found),
      [
        'handling-fee: handling-fee',
        'margin: margin',
        'payment: payment processing-fee',
        'refund:R1: refund:R1',
        'refund:R1:fee: refund:R1:fee',
      ],
    )
    await tx.query({ text: 'drop schema earlier cascade' })
  })
})
