// Statements of a month beside those of its days: some banks send both.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Booking } from '../../../sandbox/sepa-files/book.ts'
import { type Version, writeStatement } from '../../../sandbox/sepa-files/write-camt.ts'
import { ACCOUNT, openSepaFiles, type SepaFiles, startSepa, timesPaid } from '../../../test/sepa-files.ts'

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

/** The bookings of three days, with those of the first day twice, and the statement of each day. */
async function threeDays(edit: Edit) {
  const [payment, other] = [await startSepa(given, cents), await startSepa(given, cents)]
  const days = [[payment, payment], [payment, other], [payment]]
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

// The key of the one comes before that of the last day, the key of the other after it.
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
      const { files, month, counted } = await threeDays(edit)
      for (const put of files) put()
      assert.equal(await given.work(), '')
      assert.deepEqual(await counted(), [4, 1])
      month(id, sequence)
      const raised = await given.work()
      assert.deepEqual(await counted(), [4, 1])
      assert.equal(raised, '')
      assert.equal(await check(), 'Both folders can be written.')
      given.again()
      assert.equal(await given.work(), '')
      assert.deepEqual(await counted(), [4, 1])
    })

test('a day whose statement did not come counts by that of the month, and once if it comes later', async () => {
  const { files, month, counted } = await threeDays(noRefs)
  files[0]?.()
  files[2]?.()
  assert.match(await given.work(), /a statement is missing between STMT-1 and STMT-3/)
  assert.deepEqual(await counted(), [3, 0])
  month('MONTH-1', 10)
  const raised = await given.work()
  assert.deepEqual(await counted(), [4, 1])
  assert.equal(raised, '')
  files[1]?.()
  assert.equal(await given.work(), '')
  assert.deepEqual(await counted(), [4, 1])
  assert.equal(await check(), 'Both folders can be written.')
})

test('equal entries of periods that overlap in part are for the operator, without references', async () => {
  const payment = await startSepa(given, cents)
  const bookings = given.bank.credit([payment.money])
  const state = (sequence: number, [from, to]: readonly [string, string]) => {
    const at = new Date(`${to}T12:00:00Z`)
    const options = { account: ACCOUNT, id: `STMT-${sequence}`, at, bookings, sequence, opening: 0n }
    given.bank.deliver('c53', (version) => openedOn(from)(noRefs(writeStatement({ ...options, version }))))
    return given.work()
  }
  assert.equal(await state(1, ['2026-09-28', '2026-10-31']), '')
  assert.match(await state(7, ['2026-10-03', '2026-11-02']), /may be .* counted/)
  assert.equal(await timesPaid(given, payment), 1)
})
