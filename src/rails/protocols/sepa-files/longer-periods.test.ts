// Monthly statements beside daily statements: some banks send both.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Booking } from '../../../../sandbox/sepa-files/book.ts'
import { type Version, writeStatement } from '../../../../sandbox/sepa-files/write-camt.ts'
import {
  ACCOUNT,
  openSepaFiles,
  type SepaFiles,
  startSepa,
  timesPaid,
} from '../../../../test/counterparties/sepa-files.ts'

let now = new Date()
let given: SepaFiles
beforeEach(async () => {
  now = new Date('2026-10-05T12:00:00Z')
  given = await openSepaFiles({ clock: { now: () => now } })
})
afterEach(() => given.close())

type Edit = (xml: string) => string

const DAY_MS = 86_400_000
const cents = 24_00n
const same: Edit = (xml) => xml
const noRefs: Edit = (xml) => xml.replace(/<AcctSvcrRef>[^<]*<\/AcctSvcrRef>/g, '')
const noSequence: Edit = (xml) => xml.replace(/<ElctrncSeqNb>\d+<\/ElctrncSeqNb>/, '')
const withoutBoth: Edit = (xml) => noSequence(noRefs(xml))
const openedOn =
  (day: string): Edit =>
  (xml) =>
    xml.replace(/(<Cd>OPBD<\/Cd>.*?<Dt><Dt>)[^<]*/s, `$1${day}`)
const check = async () => (await given.connection.check(AbortSignal.timeout(1_000))).message

/**
 * Makes the bookings of four days, two equal ones on the first day, and the statement of each day. `month` delivers a
 * statement of all four days.
 */
async function fourDays(edit: Edit) {
  const [payment, other] = [await startSepa(given, cents), await startSepa(given, cents)]
  const days = [[payment, payment], [payment, other], [payment], [payment]]
  const bookings: Booking[] = []
  const files = []
  for (const paid of days) {
    for (const { text } of paid) bookings.push(...given.bank.credit([{ cents, text }]))
    const at = now
    files.push(given.bank.held(() => given.bank.change(edit, () => given.bank.state({ at }))))
    now = new Date(now.getTime() + DAY_MS)
  }
  now = new Date(now.getTime() - DAY_MS)
  const month = (id: string, sequence: number) => {
    const write = (version: Version) =>
      openedOn('2026-10-05')(
        edit(writeStatement({ account: ACCOUNT, version, id, at: now, bookings, sequence, opening: 0n })),
      )
    given.bank.deliver('c53', write)
  }
  const counted = async () => [await timesPaid(given, payment), await timesPaid(given, other)]
  return { files, month, counted }
}

// The key of MONTH-1 sorts before the key of the last day's statement. The key of STMT-MONTH sorts after it.
for (const [form, edit] of [
  ['the same references', same],
  ['no references', noRefs],
  ['neither references nor numbers', withoutBoth],
] as const)
  for (const [id, sequence] of [
    ['MONTH-1', 1],
    ['STMT-MONTH', 10],
  ] as const)
    test(`the bookings of a month and of its days with ${form} count once, without an alarm (${id})`, async () => {
      const { files, month, counted } = await fourDays(edit)
      for (const put of files) put()
      assert.equal(await given.work(), '')
      assert.deepEqual(await counted(), [5, 1])
      month(id, sequence)
      const raised = await given.work()
      assert.deepEqual(await counted(), [5, 1])
      assert.equal(raised, '')
      assert.equal(await check(), 'Both folders can be written.')
      given.again()
      assert.equal(await given.work(), '')
      assert.deepEqual(await counted(), [5, 1])
    })

test('a day whose statement did not come counts by that of the month, and once if it comes later', async () => {
  const { files, month, counted } = await fourDays(noRefs)
  files[0]?.()
  files[2]?.()
  files[3]?.()
  assert.match(await given.work(), /a statement is missing between STMT-1 and STMT-3/)
  assert.deepEqual(await counted(), [4, 0])
  month('MONTH-1', 10)
  const raised = await given.work()
  assert.deepEqual(await counted(), [5, 1])
  assert.equal(raised, '')
  files[1]?.()
  assert.equal(await given.work(), '')
  assert.deepEqual(await counted(), [5, 1])
  assert.equal(await check(), 'Both folders can be written.')
})

type Days = readonly [from: string, to: string]

/** Makes a payment with one booking. `write` and `state` deliver statements of given bookings without references. */
async function paidOnce() {
  const payment = await startSepa(given, cents)
  const [booking] = given.bank.credit([payment.money])
  assert.ok(booking)
  const taken: Booking = { ...booking, no: booking.no + 100, cents: -cents, text: 'Rent' }
  const write = (sequence: number, [from, to]: Days, opening: bigint, bookings: readonly Booking[]) => {
    const at = new Date(`${to}T12:00:00Z`)
    const options = { account: ACCOUNT, id: `STMT-${sequence}`, at, bookings, sequence, opening }
    given.bank.deliver('c53', (version) => openedOn(from)(noRefs(writeStatement({ ...options, version }))))
  }
  const state = (...args: Parameters<typeof write>) => {
    write(...args)
    return given.work()
  }
  return { payment, paid: booking, taken, write, state }
}

test('equal entries of periods that overlap in part are for the operator, without references', async () => {
  const { payment, paid, state } = await paidOnce()
  assert.equal(await state(1, ['2026-09-28', '2026-10-31'], 0n, [paid]), '')
  assert.match(await state(7, ['2026-10-03', '2026-11-02'], 0n, [paid]), /may be .* counted/)
  assert.equal(await timesPaid(given, payment), 1)
})

const FRIDAY = '2026-10-02'
const SATURDAY = '2026-10-03'
const MONDAY = '2026-10-05'

test('a second statement of a day that ends with the balance of the first drops no equal payment silently', async () => {
  const { payment, paid, taken, state } = await paidOnce()
  assert.equal(await state(1, [FRIDAY, MONDAY], 100_00n, [paid]), '')
  assert.match(
    await state(2, [MONDAY, MONDAY], 124_00n, [paid, taken]),
    /^\S+ 24\.00 EUR .* may be .* counted/,
  )
  assert.equal(await timesPaid(given, payment), 1)
})

for (const order of [
  [0, 1, 2],
  [2, 1, 0],
])
  test(`a payment that was sent back and paid again on one day is not dropped silently (${order})`, async () => {
    const { payment, paid, taken, state } = await paidOnce()
    const write = [
      () => state(1, [FRIDAY, MONDAY], 100_00n, [paid]),
      () => state(2, [MONDAY, MONDAY], 124_00n, [taken]),
      () => state(3, [MONDAY, MONDAY], 100_00n, [paid]),
    ]
    const raised = []
    for (const at of order) raised.push(await write[at]?.())
    assert.match(raised.join(), /24\.00 EUR .* may be .* counted/)
    assert.equal(await timesPaid(given, payment), 1)
  })

test('a statement that changes no balance makes no gap beside a longer one', async () => {
  const { paid, state } = await paidOnce()
  assert.equal(await state(1, ['2026-10-01', FRIDAY], 76_00n, [paid]), '')
  assert.equal(await state(2, [FRIDAY, MONDAY], 100_00n, [paid]), '')
  assert.equal(await state(3, [MONDAY, MONDAY], 124_00n, []), '', 'a second one of the day')
  assert.equal(await state(4, [MONDAY, '2026-10-06'], 124_00n, []), '')
  assert.equal(await state(5, [MONDAY, '2026-10-07'], 124_00n, [paid]), '', 'the 6th is a holiday')
  assert.equal(await state(6, ['2026-10-07', '2026-10-08'], 148_00n, []), '')
  assert.equal(await check(), 'Both folders can be written.')
})

for (const order of [
  [0, 1],
  [1, 0],
])
  test(`statements that follow each other from one business day on count both (${order})`, async () => {
    now = new Date(`${SATURDAY}T12:00:00Z`)
    const { payment, paid, state } = await paidOnce()
    const write = [
      () => state(1, [FRIDAY, SATURDAY], 100_00n, [paid]),
      () => state(2, [FRIDAY, MONDAY], 124_00n, [paid]),
    ]
    for (const at of order) assert.equal(await write[at]?.(), '')
    assert.equal(await timesPaid(given, payment), 2)
  })

test('a mark as a duplicate does not outweigh another number', async () => {
  const { payment, paid, write, state } = await paidOnce()
  assert.equal(await state(1, ['2026-09-28', '2026-10-31'], 0n, [paid]), '')
  const marked: Edit = (xml) => xml.replace('<Acct>', '<CpyDplctInd>CODU</CpyDplctInd><Acct>')
  given.bank.change(marked, () => write(7, ['2026-10-03', '2026-11-02'], 0n, [paid]))
  assert.match(await given.work(), /may be .* counted/)
  assert.equal(await timesPaid(given, payment), 1)
})

test('statements in another currency, of an account with the same IBAN, are no links between those in euros', async () => {
  const { payment, paid, write } = await paidOnce()
  const dollars: Edit = (xml) => xml.replaceAll('Ccy="EUR"', 'Ccy="USD"')
  for (const [at, day] of [FRIDAY, SATURDAY, MONDAY].entries()) {
    write(at + 1, [day, day], 24_00n * BigInt(at), [paid])
    given.bank.change(dollars, () => write(at + 7, [day, day], 500_00n, []))
    assert.equal(await given.work(), '', day)
  }
  assert.equal(await timesPaid(given, payment), 3)
  assert.equal(await check(), 'Both folders can be written.')
  write(4, [MONDAY, MONDAY], 0n, [])
  assert.match(await given.work(), /a statement is missing between STMT-3 and STMT-4/)
})
