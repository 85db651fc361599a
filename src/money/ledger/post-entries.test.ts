import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Rate } from '../../platform/base/money.ts'
import type { Queryable, Statement } from '../../platform/postgres/db.ts'
import { openChargeback, type Position, settle, type Transfer, takeRefund } from '../orders/position.ts'
import { AVAILABLE, FEES, MARGIN, UNSETTLED } from './account.ts'
import { browseEntries, entriesOf } from './browse.ts'
import { type Entry, postEntries } from './post-entries.ts'
import { verifyLedger } from './verify-ledger.ts'

const database = useDatabase()

const merNo = 54_300_001
const at = new Date()

const post = (entries: readonly Entry[]) => database.db.transaction((tx) => postEntries(tx, entries))
const postFor = (subject: string, transfers: readonly Transfer[]) =>
  post(transfers.map((transfer) => ({ merNo, subject, at, ...transfer })))

function payment(subject: string, amounts: readonly bigint[], by = merNo): Entry[] {
  const [amount = 0n, fee = 0n, margin = 0n] = amounts
  const own = { merNo: by, subject, booking: 'payment', at }
  const eur = (cents: bigint) => ({ amount: cents, currency: 'EUR' })
  return [
    { ...own, step: 'payment', debit: 'rail:card', credit: UNSETTLED, money: eur(amount) },
    { ...own, step: 'handling-fee', debit: UNSETTLED, credit: FEES, money: eur(fee) },
    { ...own, step: 'margin', debit: UNSETTLED, credit: MARGIN, money: eur(margin) },
  ]
}

function bookingsOf(subject: string): Promise<{ step: string; steps: string[]; currency: string }[]> {
  return database.db.query({
    text: 'select step, currency, steps from bookings where mer_no = $1 and subject = $2 order by step',
    values: [merNo, subject],
  })
}

const again = { code: '23505' }

const position: Position = {
  amount: 1000n,
  currency: 'EUR',
  settleCurrency: 'EUR',
  rate: undefined,
  margin: 100n,
  marginHeld: 100n,
  marginDisputed: 0n,
  marginReleased: false,
  remainder: 900n,
  settled: false,
  settledSource: 0n,
  refunded: 0n,
  chargedBack: 0n,
  exceptionFees: 0n,
}

test('the entries of a booking are one row, without those of zero, and the view shows each', async () => {
  await post([...payment('T1', [1000n, 30n, 100n]), ...payment('T2', [500n, 0n, 50n])])
  assert.deepEqual(await bookingsOf('T1'), [
    { step: 'payment', currency: 'EUR', steps: ['payment', 'handling-fee', 'margin'] },
  ])
  const shown = await entriesOf(database.db, merNo, 'T2')
  assert.deepEqual(
    shown.map(({ step, debit, credit, amount }) => [step, debit, credit, amount]),
    [
      ['margin', UNSETTLED, MARGIN, 50n],
      ['payment', 'rail:card', UNSETTLED, 500n],
    ],
  )
  const { entries, differences } = await verifyLedger(database.db)
  assert.deepEqual({ entries, differences }, { entries: 5, differences: [] })
})

test('bookings of several forms in one call keep their own steps, accounts and amounts', async () => {
  const named = (rail: string, entries: Entry[]) =>
    entries.map((entry) => (entry.step === 'payment' ? { ...entry, debit: rail } : entry))
  const posted = [
    named('rail:a b', payment('F1', [10n, 1n, 2n])),
    named('rail:a', payment('F2', [20n, 0n, 3n])),
    named('rail:a b', payment('F3', [30n, 4n, 5n])),
    named('rail:{"odd", name}', payment('F4', [40n, 6n, 0n])),
    named('rail:a', payment('F5', [50n, 0n, 7n])),
    named('rail:a', payment('F6', [60n])),
    named('rail:b', payment('F7', [70n])),
  ].flat()
  await post(posted)
  const shown = await database.db.query<{ found: string }>({
    text: `select concat_ws('|', subject, step, debit, credit, amount) as found from ledger_entries
      where mer_no = $1 and starts_with(subject, 'F') order by 1`,
    values: [merNo],
  })
  const expected = posted.map(({ subject, step, debit, credit, money }) => {
    return [subject, step, debit, credit, money.amount].join('|')
  })
  assert.deepEqual(
    shown.map(({ found }) => found),
    expected.filter((one) => !one.endsWith('|0')).sort(),
  )
})

test('a booking is refused a second time, whichever of its entries are zero', async () => {
  await assert.rejects(post(payment('T1', [1000n, 30n, 100n])), again)
  await assert.rejects(post(payment('T1', [0n, 30n])), again)
  await assert.rejects(post(payment('T1', [0n, 0n, 100n])), again)
})

test('a refund is refused a second time, also if it freed margin only once', async () => {
  const refund = takeRefund(position, 500n, 0n, 'refund:R1')
  assert.equal(refund.transfers[0]?.step, 'refund:R1:margin')
  await postFor('T3', refund.transfers)
  const released = takeRefund({ ...position, marginReleased: true }, 500n, 0n, 'refund:R1')
  assert.equal(released.transfers[0]?.step, 'refund:R1')
  await assert.rejects(postFor('T3', released.transfers), again)
})

test('two refunds that are booked at once are each refused a second time', async () => {
  const first = takeRefund(position, 100n, 1n, 'refund:R1')
  const second = takeRefund(first.position, 100n, 1n, 'refund:R2')
  await postFor('T4', [...first.transfers, ...second.transfers])
  assert.deepEqual(
    (await bookingsOf('T4')).map(({ step }) => step),
    ['refund:R1', 'refund:R2'],
  )
  for (const { transfers } of [first, second]) await assert.rejects(postFor('T4', transfers), again)
})

test('entries in a second currency are a booking of their own', async () => {
  const rate: Rate = { digits: 11n, scale: 1 }
  const settled = settle({ ...position, rate, settleCurrency: 'USD' }, 'settle')
  const take = { amount: 1000n, fee: 15n, available: 100n, channel: 'rail:card' }
  const taken = openChargeback(settled.position, take, 'chargeback:C1')
  await postFor('T5', [...settled.transfers, ...taken.transfers])
  const source = [
    'chargeback:C1:available',
    'chargeback:C1:margin',
    'chargeback:C1:below',
    'chargeback:C1',
    'chargeback:C1:fee',
  ]
  const exchanged = ['chargeback:C1:available:exchanged', 'chargeback:C1:below:exchanged']
  assert.deepEqual(await bookingsOf('T5'), [
    { step: 'chargeback:C1', currency: 'EUR', steps: source },
    { step: 'chargeback:C1:exchanged', currency: 'USD', steps: exchanged },
    { step: 'settle', currency: 'EUR', steps: ['settle'] },
    { step: 'settle:exchanged', currency: 'USD', steps: ['settle:exchanged'] },
  ])
  await assert.rejects(postFor('T5', taken.transfers), again)
})

test('an entry from an account to itself is refused, and the table refuses amounts and lists that are wrong', async () => {
  const [entry] = payment('T6', [5n])
  assert.ok(entry)
  await assert.rejects(post([{ ...entry, credit: entry.debit }]), /between two accounts/)
  await assert.rejects(post([{ ...entry, money: { amount: -5n, currency: 'EUR' } }]), /bookings_above_zero/)
  for (const lists of [
    `'{a,b}', '{x}', '{y}', '{1}'`,
    `'{a}', '{x}', '{y}', '{1,2}'`,
    `'{}', '{}', '{}', '{}'`,
  ])
    await assert.rejects(
      database.db.query({ text: `insert into bookings values (1, 'T', 'a', 'EUR', now(), ${lists})` }),
      /bookings_have_legs/,
    )
})

test('the database refuses a payment that makes money of a channel available at once', async () => {
  const [entry] = payment('T7', [5n])
  assert.ok(entry)
  const forged = { ...entry, debit: 'rail:card', credit: AVAILABLE }
  await assert.rejects(post([forged]), /bookings_available_was_settled/)
  const second = { ...forged, step: 'fee', booking: entry.step }
  await assert.rejects(post([entry, second]), /bookings_available_was_settled/)
  for (const [index, step] of [
    'correction',
    'payout:came-back',
    'refund-returned:R1',
    'opening-EUR',
  ].entries())
    await post([{ ...forged, subject: `T8-${index}`, step, booking: step }])
})

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Returns the number of bookings that a statement reads. */
async function readBy(ask: (db: Queryable) => Promise<unknown>): Promise<number> {
  let read = 0
  const visit = (plan: Plan) => {
    const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
    if (plan['Relation Name'] === 'bookings') read += rows * plan['Actual Loops']
    for (const below of plan.Plans ?? []) visit(below)
  }
  const query = async ({ text, values = [] }: Statement) => {
    const statement = { text: `explain (analyze, format json) ${text}`, values }
    const [row] = await database.db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(statement)
    const plan = row?.['QUERY PLAN'][0]?.Plan
    assert.ok(plan)
    visit(plan)
    return []
  }
  await ask({ query })
  return read
}

test('pages of the books show every entry of the range once, and a page reads only its own bookings', async () => {
  const owner = merNo + 1
  const subjects = Array.from({ length: 3_000 }, (_, place) => `T${String(place).padStart(5, '0')}`)
  const outside = ['S99999', 'U00000']
  await post([...subjects, ...outside].flatMap((subject) => payment(subject, [100n, 2n, 10n], owner)))
  await database.db.query({ text: 'analyze bookings' })
  const range = { merNo: owner, first: 'T', last: 'U' }
  const seen: string[] = []
  let last: { readonly subject: string; readonly step: string } | undefined
  do {
    const page = await browseEntries(database.db, { ...range, after: last }, 1_000)
    seen.push(...page.map(({ subject, step }) => `${subject} ${step}`))
    last = page.at(-1)
  } while (last !== undefined)
  const steps = ['payment', 'margin', 'handling-fee']
  assert.deepEqual(
    seen,
    subjects.toReversed().flatMap((subject) => steps.map((step) => `${subject} ${step}`)),
  )
  const inTheMiddle = { subject: 'T01500', step: 'margin' }
  const read = await readBy((db) => browseEntries(db, { ...range, after: inTheMiddle }, 20))
  assert.ok(read < 50, `${read} bookings were read for 20 entries`)
})

test('pages of all merchants show every entry of the range once, and read few bookings of each merchant', async () => {
  const owners = [merNo + 2, merNo + 3, merNo + 4]
  // Each of the three merchants has every third subject.
  const subjects = Array.from({ length: 600 }, (_, place) => `V${String(place).padStart(5, '0')}`)
  await post(
    subjects.flatMap((subject, place) => payment(subject, [100n, 2n, 10n], owners[place % 3] ?? merNo)),
  )
  await post(['U99999', 'W00000'].flatMap((subject) => payment(subject, [100n, 2n, 10n], merNo + 2)))
  await database.db.query({ text: 'analyze bookings' })
  const range = { merNo: undefined, first: 'V', last: 'W' }
  const seen: string[] = []
  let last: { readonly subject: string; readonly step: string } | undefined
  do {
    const page = await browseEntries(database.db, { ...range, after: last }, 100)
    seen.push(...page.map((entry) => `${entry.merNo} ${entry.subject} ${entry.step}`))
    last = page.at(-1)
  } while (last !== undefined)
  const steps = ['payment', 'margin', 'handling-fee']
  const expected = subjects.flatMap((subject, place) =>
    steps.toReversed().map((step) => `${owners[place % 3]} ${subject} ${step}`),
  )
  assert.deepEqual(seen, expected.toReversed())
  const read = await readBy((db) => browseEntries(db, { ...range, after: undefined }, 20))
  assert.ok(read < 100, `${read} bookings were read for 20 entries`)
})

test('a correction of the available balance is a booking of one leg', async () => {
  const money = { amount: 7n, currency: 'USD' }
  await post([{ merNo, subject: 'K1', step: 'correction', debit: AVAILABLE, credit: FEES, money, at }])
  assert.deepEqual(await bookingsOf('K1'), [{ step: 'correction', currency: 'USD', steps: ['correction'] }])
})
