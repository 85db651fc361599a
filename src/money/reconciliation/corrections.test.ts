// Each line of money that arrived is booked once. A statement that lacks an earlier line takes the line's money out of
// suspense only if it is known to replace the earlier statement.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAttempt } from '../../../test/builders/builders.ts'
import { openCase, PRICE } from '../../../test/builders/deposits.ts'
import { assertMoneySound, paidOrder } from '../../../test/builders/paid-orders.ts'
import {
  kindsIn,
  migrateFingerprints,
  openChannels,
  statementsOf,
} from '../../../test/builders/statements.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { acceptSuspense } from '../payments/deposits/accept-suspense.ts'
import { listHeld } from '../suspense/book-suspense.ts'
import { returnSuspense } from '../suspense/release-suspense.ts'
import type { Report } from './reconcile.ts'
import { explainDifference, findStatement, listDifferences } from './statements.ts'

const database = useDatabase({
  before: ({ db }) => openChannels(db),
  after: ({ db }) => assertMoneySound(db),
})

const { clock, deps, days, imports, corrects, importAs, waiting, idOf, lateCase, paidCase } = statementsOf(
  () => database.db,
)

/** Returns the lines of earlier statements that the statement lacks. */
const notRepeated = ({ differences }: Report) =>
  differences
    .flatMap(({ kind, reference, listedBy }) =>
      kind === 'not repeated' ? [`${reference} of ${listedBy}`] : [],
    )
    .sort()

const differencesOf = ({ statementId }: Report) =>
  listDifferences(database.db, { statementId, isOpen: true, after: 0, limit: 100 })

const openOf = async (report: Report) =>
  (await differencesOf(report)).map(({ kind, reference }) => `${kind} ${reference}`)

test('a repeated reference with another amount, currency or day is new money, in one file and in several', async () => {
  const [day, next] = days()
  assert.equal((await imports(`INVOICE_1 12.34 USD ${day}`)).booked, 1)
  const later = await imports(`INVOICE_1 500.00 USD ${next}`, `INVOICE_1 900.00 EUR ${next}`)
  assert.deepEqual({ booked: later.booked, matched: later.matched }, { booked: 2, matched: 0 })
  assert.equal((await imports(`INVOICE_1 12.34 USD ${next}`)).booked, 1)
  assert.equal((await imports(`INVOICE_1 77.00 USD ${day}`)).booked, 1, 'another file of the same day')
  const all = ['1234 USD', '1234 USD', '50000 USD', '7700 USD', '90000 EUR']
  assert.deepEqual(await waiting('INVOICE 1'), all)
  const again = await imports(`INVOICE_1 500.00 USD ${next}`, `INVOICE_1 900.00 EUR ${next}`)
  assert.deepEqual({ booked: again.booked, withdrawn: again.withdrawn.length }, { booked: 0, withdrawn: 0 })
  const overlap = await imports(`INVOICE_1 12.34 USD ${day}`, `INVOICE_1 500.00 USD ${next}`)
  assert.deepEqual(
    { booked: overlap.booked, withdrawn: overlap.withdrawn.length },
    { booked: 0, withdrawn: 0 },
  )
  assert.deepEqual(await waiting('INVOICE 1'), all)
})

test('equal lines of one statement are several payments, and the same file again adds nothing', async () => {
  const [day] = days()
  const lines = Array.from({ length: 3 }, () => `RENT 5.00 USD ${day}`)
  assert.equal((await imports(...lines)).booked, 3)
  assert.equal((await imports(...lines)).booked, 0)
  assert.equal((await imports(...lines, `RENT 5.00 USD ${day}`)).booked, 1)
})

test('an open difference about a reference stays open when another line repeats the reference', async () => {
  const [day, next] = days()
  const first = await imports(`GIFT 1.00 USD ${day}`)
  const second = await imports(`GIFT 2.00 USD ${next}`)
  const openOf = async ({ statementId }: Report) => (await findStatement(database.db, statementId))?.open
  assert.deepEqual({ first: await openOf(first), second: await openOf(second) }, { first: 1, second: 1 })
  await imports(`GIFT 1.00 USD ${day}`)
  assert.deepEqual(
    { first: await openOf(first), second: await openOf(second) },
    { first: 0, second: 1 },
    'the later import replaces its own',
  )
})

test('the differences of a statement are read in pages', async () => {
  const [day] = days()
  const { statementId } = await imports(...[1, 2, 3].map((no) => `PAGED_${no} ${no}.00 USD ${day}`))
  const page = (after: number) =>
    listDifferences(database.db, { statementId, isOpen: undefined, after, limit: 2 })
  const first = await page(0)
  const second = await page(first.at(-1)?.no ?? 0)
  assert.deepEqual(
    [first, second].map((some) => some.map(({ reference }) => reference)),
    [['PAGED 1', 'PAGED 2'], ['PAGED 3']],
  )
})

test('a line with a known id is the same line on another day, under another amount or reference', async () => {
  const [day, next] = days()
  await imports(`DEAR_SIRS 100.00 USD ${day} 0 id-1`)
  assert.deepEqual(await waiting('DEAR SIRS'), ['10000 USD'])
  assert.equal((await imports(`DEAR_SIRS 100.00 USD ${next} 0 id-1`)).booked, 0)
  assert.deepEqual(await waiting('DEAR SIRS'), ['10000 USD'])
  await imports(`DEAR_SIRS 97.00 USD ${next} 0 id-1`)
  assert.deepEqual(await waiting('DEAR SIRS'), ['9700 USD'])
  await imports(`DEAR_MADAM 97.00 USD ${next} 0 id-1`)
  assert.deepEqual(await waiting('DEAR SIRS'), [])
  assert.deepEqual(await waiting('DEAR MADAM'), ['9700 USD'])
  assert.equal((await imports(`DEAR_MADAM 97.00 USD ${next} 0 id-2`)).booked, 1, 'another id is other money')
  await imports(`DEAR_MADAM 90.00 EUR ${next} 0 id-2`)
  assert.deepEqual(await waiting('DEAR MADAM'), ['9000 EUR', '9700 USD'])
  await assert.rejects(
    imports(`A 1.00 USD ${day} 0 x`, `B 1.00 USD ${day} 0 x`),
    /line 3: an earlier line has the id x/,
  )
})

test('a line that gets an id later is still the same line', async () => {
  const [day, next] = days()
  await imports(`NO_NAME 8.00 USD ${day}`)
  assert.equal((await imports(`NO_NAME 8.00 USD ${day} 0 n-1`)).booked, 0)
  assert.equal((await imports(`NO_NAME 8.00 USD ${next} 0 n-1`)).booked, 0)
})

test('a payment of ours that is re-dated under its id, or listed net after gross, brings no surplus', async () => {
  const [day, next] = days()
  const one = await paidCase()
  await imports(`${one.reference} 50.00 EUR ${day} 0 o-1`)
  assert.equal((await imports(`${one.reference} 50.00 EUR ${next} 0 o-1`)).booked, 0)
  const other = await paidCase()
  assert.equal((await imports(`${other.reference} 50.00 EUR ${day}`)).matched, 1)
  const net = await imports(`${other.reference} 47.50 EUR ${day} 2.50`)
  assert.deepEqual({ booked: net.booked, matched: net.matched }, { booked: 0, matched: 1 })
  const first = await paidCase()
  assert.equal((await imports(`${first.reference} 47.50 EUR ${next} 2.50`)).matched, 1)
  assert.deepEqual((await imports(`${first.reference} 50.00 EUR ${next}`)).booked, 0)
  for (const { held } of [one, other, first]) assert.deepEqual(await held(), [])
})

test('net and gross of unknown money are one line', async () => {
  const [day] = days()
  await imports(`SALARY 100.00 USD ${day}`)
  assert.equal((await imports(`SALARY 97.50 USD ${day} 2.50`)).booked, 0)
  assert.deepEqual(await waiting('SALARY'), ['10000 USD'])
})

test('a corrected line of ours replaces the earlier one, and what was credited becomes a difference', async () => {
  const [day] = days()
  const paid = await paidCase()
  const first = await imports(`${paid.reference} 50.00 EUR ${day}`)
  assert.deepEqual(kindsIn(await corrects(first, `${paid.reference} 45.00 EUR ${day}`)), ['differs'])
  assert.deepEqual(await paid.held(), [])
  const [other] = days()
  const late = await lateCase()
  const stated = await imports(`${late.reference} 50.00 EUR ${other}`)
  const report = await corrects(stated, `${late.reference} 45.00 EUR ${other}`)
  assert.deepEqual({ booked: report.booked, withdrawn: report.withdrawn.length }, { booked: 0, withdrawn: 1 })
  assert.deepEqual(await late.held(), [4_500n])
})

test('a corrected statement withdraws what it no longer lists, if nobody has decided on it', async () => {
  const [day] = days()
  const late = await lateCase()
  const all = [`KEPT 1.00 USD ${day}`, `KEPT_TOO 2.00 USD ${day}`, `STAYS 3.00 USD ${day}`]
  const gone = [`GONE 4.00 USD ${day}`, `DECIDED 5.00 USD ${day}`, `${late.reference} 50.00 EUR ${day}`]
  const first = await imports(...all, ...gone)
  assert.equal(first.booked, 6)
  await returnSuspense(deps(), await idOf('DECIDED'))
  const report = await corrects(first, ...all)
  assert.equal(report.withdrawn.length, 2)
  assert.deepEqual(kindsIn(report), ['missing here', 'missing here', 'missing here', 'withdrawn'])
  assert.equal(report.differences.at(-1)?.reference, 'DECIDED')
  assert.deepEqual({ gone: await waiting('GONE'), late: await late.held() }, { gone: [], late: [] })
  assert.equal((await findStatement(database.db, report.statementId))?.withdrawn, 2)
  const open = await listDifferences(database.db, {
    statementId: first.statementId,
    isOpen: true,
    after: 0,
    limit: 10,
  })
  const references = open.map(({ reference }) => reference)
  assert.deepEqual(references, ['DECIDED'], 'nobody can decide on withdrawn money')
  assert.equal((await imports(...all, ...gone)).booked, 2, 'the last word counts')
  assert.deepEqual(await waiting('DECIDED'), [], 'returned money is not booked again')
  await assertMoneySound(database.db)
})

test('a statement whose import was interrupted is corrected like any other once it is imported again', async () => {
  const [day] = days()
  const lines = ['CUT_1', 'CUT_2', 'CUT_3'].map((name, at) => `${name} ${10 + at}.00 EUR ${day}`)
  let transactions = 0
  const dying: Db = {
    ...database.db,
    // The first transaction looks the references up, and the second one books. The third one would find the movements
    // that the statement lacks, and the fourth one store the statement.
    transaction: (work, options) =>
      ++transactions > 2
        ? Promise.reject(new Error('the process was killed'))
        : database.db.transaction(work, options),
  }
  await assert.rejects(importAs({ channel: 'sepa', fileName: 'table.csv', db: dying }, ...lines), /killed/)
  assert.deepEqual(await waiting('CUT'), ['1000 EUR', '1100 EUR', '1200 EUR'])
  const again = await imports(...lines)
  assert.deepEqual({ booked: again.booked, different: again.different }, { booked: 0, different: 3 })
  const corrected = await corrects(again, ...lines.slice(1))
  assert.equal(corrected.withdrawn.length, 1)
  assert.deepEqual(await waiting('CUT'), ['1100 EUR', '1200 EUR'])
})

test('another table of the same days adds its lines, and lines that it lacks are open differences', async () => {
  const [day] = days()
  const page = (name: string) => [1, 2, 3].map((no) => `${name}_${no} ${no}.00 USD ${day}`)
  const left = await imports(...page('LEFT'))
  const right = await imports(...page('RIGHT'))
  assert.deepEqual({ booked: right.booked, withdrawn: right.withdrawn.length }, { booked: 3, withdrawn: 0 })
  assert.deepEqual(
    notRepeated(right),
    [1, 2, 3].map((no) => `LEFT ${no} of ${left.statementId}`),
  )
  const all = await imports(...page('LEFT'), ...page('RIGHT'))
  assert.deepEqual({ booked: all.booked, withdrawn: all.withdrawn.length }, { booked: 0, withdrawn: 0 })
  assert.deepEqual(notRepeated(all), [])
  assert.deepEqual(await openOf(right), [], 'the last table lists all lines of these days')
})

test('a file without some lines of an earlier one takes no money out of suspense unless it replaces that one', async () => {
  const [day] = days()
  const [a, b, c] = ['A', 'B', 'C'].map((name, at) => `SHORTER_${name} ${1 + at}.00 USD ${day}`)
  const first = await imports(a ?? '', b ?? '', c ?? '')
  const shorter = await imports(a ?? '', b ?? '')
  assert.equal(shorter.withdrawn.length, 0)
  assert.deepEqual(await waiting('SHORTER'), ['100 USD', '200 USD', '300 USD'])
  assert.deepEqual(notRepeated(shorter), [`SHORTER C of ${first.statementId}`])
  assert.ok((await openOf(shorter)).includes('not repeated SHORTER C'))
  const one = await imports(a ?? '')
  assert.equal(one.withdrawn.length, 0)
  assert.deepEqual(
    notRepeated(one),
    [`SHORTER B of ${shorter.statementId}`, `SHORTER C of ${first.statementId}`].sort(),
  )
  const corrected = await corrects(first, a ?? '', b ?? '')
  assert.deepEqual(
    { withdrawn: corrected.withdrawn.length, notRepeated: notRepeated(corrected) },
    { withdrawn: 1, notRepeated: [] },
  )
  assert.deepEqual(await waiting('SHORTER'), ['100 USD', '200 USD'])
  for (const earlier of [first, shorter, one])
    assert.deepEqual(
      (await openOf(earlier)).filter((text) => text.startsWith('not repeated')),
      [],
    )
})

test('a file lacks a line only if an earlier one of its channel lists the line on one of its own days', async () => {
  const [day, next, last] = days()
  const all = await imports(`DAYS_1 1.00 USD ${day}`, `DAYS_2 2.00 USD ${next}`, `DAYS_3 3.00 USD ${last}`)
  const [one, three] = [await imports(`ONLY_1 1.00 USD ${day}`), await imports(`ONLY_3 3.00 USD ${last}`)]
  await importAs({ channel: 'card', fileName: 'table.csv' }, `CARD_2 2.00 USD ${next}`)
  const inTheMiddle = `DAYS 2 of ${all.statementId}`
  assert.deepEqual(notRepeated(await imports(`NEW_2 4.00 USD ${next}`)), [inTheMiddle])
  const early = notRepeated(await imports(`NEW_1 4.00 USD ${day}`))
  assert.deepEqual(early, [`DAYS 1 of ${all.statementId}`, `ONLY 1 of ${one.statementId}`])
  const late = notRepeated(await imports(`NEW_3 4.00 USD ${last}`))
  assert.deepEqual(late, [`DAYS 3 of ${all.statementId}`, `ONLY 3 of ${three.statementId}`])
})

test('a difference about a line that a file lacks is listed once, and stays explained', async () => {
  const [day] = days()
  const [kept, gone] = [`ONCE_KEPT 1.00 USD ${day}`, `ONCE_GONE 2.00 USD ${day}`]
  await imports(kept, gone)
  const first = await imports(kept)
  const second = await imports(kept)
  assert.deepEqual(
    { open: await openOf(first), notRepeated: notRepeated(second).length },
    { open: [], notRepeated: 1 },
  )
  const { no } = (await differencesOf(second)).find(({ kind }) => kind === 'not repeated') ?? { no: 0 }
  const actor = { kind: 'user', name: 'Ada' } as const
  const note = 'It is on the other table'
  await explainDifference({ db: database.db, clock }, { statementId: second.statementId, no, note, actor })
  const third = await imports(kept)
  assert.deepEqual(
    (await openOf(third)).filter((text) => text.startsWith('not repeated')),
    [],
  )
})

test('a correction may move or drop the line of its first or last day', async () => {
  const [day, next] = days()
  const first = await imports(`MOVED 100.00 USD ${day}`)
  const moved = await corrects(first, `MOVED 100.00 USD ${next}`)
  assert.equal(moved.withdrawn.length, 1)
  assert.deepEqual(await waiting('MOVED'), ['10000 USD'])
  const two = await imports(`EDGE_1 1.00 USD ${day}`, `EDGE_2 2.00 USD ${next}`)
  await corrects(two, `EDGE_1 1.00 USD ${day}`)
  assert.deepEqual(await waiting('EDGE'), ['100 USD'])
})

test('only a statement of the same channel can be replaced', async () => {
  const [day] = days()
  const line = `OWN_CHANNEL 1.00 USD ${day}`
  const { statementId } = await imports(line)
  const others = { channel: 'card', fileName: 'table.csv', replaces: statementId }
  await assert.rejects(importAs(others, line), new RegExp(`card has no statement ${statementId}`))
  const unknown = { channel: 'sepa', fileName: 'table.csv', replaces: 'I0' }
  const newest = `sepa has no statement I0; its newest are ${statementId} \\(table.csv, ${day} to ${day}\\), `
  await assert.rejects(importAs(unknown, line), new RegExp(newest))
})

test('a line that a later statement lists, too, stays when the earlier one is replaced', async () => {
  const [day, next] = days()
  const [both, gone] = [`BOTH_LIST 1.00 USD ${day}`, `BOTH_GONE 2.00 USD ${day}`]
  const first = await imports(both, gone)
  await imports(both, `BOTH_NEXT 3.00 USD ${next}`)
  assert.equal((await corrects(first, `BOTH_NEW 4.00 USD ${day}`)).withdrawn.length, 1)
  assert.deepEqual(await waiting('BOTH'), ['100 USD', '300 USD', '400 USD'])
})

test('a statement that is fetched again replaces all that the earlier fetch of the day said', async () => {
  const [day] = days()
  const fetched = { channel: 'sepa', fileName: `sepa ${day}`, day }
  await importAs(fetched, `FETCHED 9.00 USD ${day}`)
  assert.equal((await importAs(fetched, `OTHER 7.00 USD ${day}`)).withdrawn.length, 1)
  assert.equal((await importAs(fetched)).withdrawn.length, 1)
  assert.deepEqual([...(await waiting('FETCHED')), ...(await waiting('OTHER'))], [])
})

test('an empty statement that is fetched for a day lists what is missing there', async () => {
  const day = '2024-07-03'
  const at = new Date(`${day}T12:00:00Z`)
  const attempt = anAttempt(at, { channel: 'sepa' })
  const order = await paidOrder(database.db, { merNo: 58_000_001, at, attempt })
  const report = await importAs({ channel: 'sepa', fileName: `sepa ${day}`, day })
  assert.deepEqual(
    report.differences.map(({ kind, tradeNo }) => [kind, tradeNo]),
    [['missing there', order.tradeNo]],
  )
  assert.deepEqual(report.days, { first: day, last: day })
})

test('a fetched statement withdraws nothing that a file lists, too', async () => {
  const [day] = days()
  const file = await imports(`FILE_AND_FETCH 2.50 USD ${day}`)
  const fetched = { channel: 'sepa', fileName: `sepa ${day}`, day }
  await importAs(fetched, `FILE_AND_FETCH 2.50 USD ${day}`)
  const again = await importAs(fetched, `FETCH_AGAIN 3.50 USD ${day}`)
  assert.deepEqual(again.withdrawn, [])
  assert.deepEqual(notRepeated(again), [`FILE AND FETCH of ${file.statementId}`])
  assert.deepEqual(await waiting('FILE AND FETCH'), ['250 USD'])
})

test('a fetched statement withdraws nothing that only a file lists', async () => {
  const [day] = days()
  const file = await imports(`FILE_ONLY 1.00 USD ${day}`)
  const fetched = await importAs({ channel: 'sepa', fileName: `sepa ${day}`, day }, `FETCH 2.00 USD ${day}`)
  assert.deepEqual(notRepeated(fetched), [`FILE ONLY of ${file.statementId}`])
  assert.deepEqual(await waiting('FILE ONLY'), ['100 USD'])
})

test('a line that is found to be a deposit of ours leaves the suspense of nobody', async () => {
  const [day] = days()
  const one = await openCase(database.db)
  const depositRef = one.depositRef(0)
  await imports(`${depositRef} 50.00 EUR ${day}`)
  assert.deepEqual(await waiting(depositRef), ['5000 EUR'])
  await one.comes(PRICE)
  const report = await imports(`${depositRef} 50.00 EUR ${day}`)
  assert.deepEqual(
    { matched: report.matched, withdrawn: report.withdrawn.length },
    { matched: 1, withdrawn: 1 },
  )
  assert.deepEqual(await waiting(depositRef), [])
})

test('the file of an earlier version adds nothing when it is imported again, and later lines are new money', async () => {
  const [day, next] = days()
  await imports(`OLD 6.00 USD ${day}`)
  // Migration 0057 leaves the line in this state.
  await database.db.query({
    text: `update statement_lines set statement_id = null, is_day_unknown = true where reference = 'OLD'`,
  })
  await migrateFingerprints(database.db)
  assert.equal((await imports(`OLD 6.00 USD ${next}`)).booked, 1, 'it cannot be of a later day')
  assert.equal((await imports(`OLD 6.00 USD ${day}`)).booked, 0)
  assert.equal((await imports(`OLD 9.00 USD ${day}`)).booked, 1, 'money that was booked nowhere')
})

test('money that an operator returns while a correction drops its line leaves suspense once', async () => {
  const [day] = days()
  const kept = `KEPT_THEN 1.00 USD ${day}`
  const first = await imports(kept, `DROPPED_THEN 2.00 USD ${day}`)
  const suspenseId = await idOf('DROPPED THEN')
  const { correcting } = await database.db.transaction(async (tx) => {
    await returnSuspense({ ...deps(), db: { transaction: (work) => work(tx) } }, suspenseId)
    const correcting = corrects(first, kept)
    await waitUntilSomebodyWaits(database.db)
    return { correcting }
  })
  const report = await correcting
  assert.deepEqual(
    { withdrawn: report.withdrawn, kinds: kindsIn(report) },
    { withdrawn: [], kinds: ['missing here', 'withdrawn'] },
  )
  await assertMoneySound(database.db)
})

test('concurrent imports, deposits and decisions book and withdraw each line once', async () => {
  const [day] = days()
  const late = await lateCase()
  const lines = [`RACE 1.00 USD ${day}`, `RACE 1.00 USD ${day}`, `${late.reference} 50.00 EUR ${day}`]
  await Promise.all([imports(...lines), imports(...lines), late.comes(PRICE)])
  const last = await imports(...lines)
  assert.deepEqual(
    { race: await waiting('RACE'), late: await late.held() },
    { race: ['100 USD', '100 USD'], late: [PRICE] },
  )
  const decide = returnSuspense(deps(), await idOf('RACE')).then(
    () => 1,
    () => 0,
  )
  const corrected = [`${late.reference} 50.00 EUR ${day}`, `RACE 1.00 USD ${day}`]
  const [decided] = await Promise.all([decide, corrects(last, ...corrected), corrects(last, ...corrected)])
  const left = await waiting('RACE')
  assert.ok(left.length === 1 || (decided === 1 && left.length === 0), `${decided} decided, ${left}`)
  await acceptSuspense(deps(), (await listHeld(database.db, late.order.merNo, 1))[0]?.suspenseId ?? '')
  await assertMoneySound(database.db)
})
