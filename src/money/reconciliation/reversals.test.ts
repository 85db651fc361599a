// A reversal on a statement takes back money once. Money that comes again later is booked once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRICE } from '../../../test/builders/deposits.ts'
import { assertMoneySound, balancesOf } from '../../../test/builders/paid-orders.ts'
import { kindsIn, openChannels, statementsOf } from '../../../test/builders/statements.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { assignSuspense } from '../payments/deposits/accept-suspense.ts'
import { bookSuspense } from '../suspense/book-suspense.ts'
import { returnSuspense } from '../suspense/release-suspense.ts'

const database = useDatabase({
  before: ({ db }) => openChannels(db),
  after: ({ db }) => assertMoneySound(db),
})

const { deps, days, imports, corrects, waiting, idOf, lateCase, paidCase } = statementsOf(() => database.db)

test('a reversal takes back what is in suspense, whole or in part, in either order', async () => {
  const [day, next, last] = days()
  await imports(`BACK 10.00 USD ${day}`, `BACK 30.00 USD ${day}`)
  const report = await imports(`BACK -30.00 USD ${next}`)
  assert.deepEqual(
    { matched: report.matched, withdrawn: report.withdrawn.length },
    { matched: 1, withdrawn: 1 },
  )
  assert.deepEqual(await waiting('BACK'), ['1000 USD'])
  assert.equal((await imports(`BACK -30.00 USD ${next}`)).matched, 1)
  await imports(`BACK -4.00 USD ${last}`)
  assert.deepEqual(await waiting('BACK'), ['600 USD'])
  const early = await imports(`EARLY -3.00 USD ${next}`)
  assert.deepEqual(kindsIn(early), ['reversed'], 'there is nothing to take back yet')
  assert.equal((await imports(`EARLY 3.00 USD ${day}`)).matched, 1)
  assert.deepEqual(await waiting('EARLY'), [])
  await imports(`ID_1 3.00 USD ${day} 0 r-1`, `ID_1 3.00 USD ${day} 0 r-2`)
  assert.equal((await imports(`REVERSAL -3.00 USD ${next} 0 r-2`)).matched, 1)
  assert.deepEqual(await waiting('ID 1'), ['300 USD'])
})

test('two parts of a line may be reversed under its id, on several days or in one file', async () => {
  const [day, next, last] = days()
  await imports(`PARTS 100.00 USD ${day} 0 p-1`)
  await imports(`PARTS -30.00 USD ${next} 0 p-1`)
  await imports(`PARTS -20.00 USD ${last} 0 p-1`)
  assert.deepEqual(await waiting('PARTS'), ['5000 USD'])
  await imports(`PARTS -30.00 USD ${next} 0 p-1`, `PARTS -20.00 USD ${last} 0 p-1`)
  assert.deepEqual(await waiting('PARTS'), ['5000 USD'], 'these are the known reversals')
  const late = await lateCase()
  await imports(`${late.reference} 50.00 EUR ${day} 0 p-2`)
  const both = [`${late.reference} -10.00 EUR ${next} 0 p-2`, `${late.reference} -10.00 EUR ${next} 0 p-2`]
  await imports(...both)
  assert.deepEqual(await late.held(), [3_000n])
  await imports(...both)
  assert.deepEqual(await late.held(), [3_000n])
})

test('a line of one cent may be reversed under its id on another day', async () => {
  const [day, next] = days()
  await imports(`CENT 0.01 USD ${day} 0 c-1`)
  assert.equal((await imports(`REVERSAL -0.01 USD ${next} 0 c-1`)).matched, 1)
  assert.deepEqual(await waiting('CENT'), [])
})

test('a reversal with an id of its own is known by it on another day', async () => {
  const [day, next, last] = days()
  await imports(`OWN_ID 100.00 USD ${day} 0 q-1`)
  await imports(`OWN_ID -30.00 USD ${next} 0 q-2`)
  assert.equal((await imports(`OWN_ID -30.00 USD ${last} 0 q-2`)).withdrawn.length, 0)
  assert.deepEqual(await waiting('OWN ID'), ['7000 USD'])
  const twice = [`OWN_ID -1.00 USD ${last} 0 q-3`, `OWN_ID -2.00 USD ${last} 0 q-3`]
  await assert.rejects(imports(...twice), /line 3: an earlier line has the id q-3/)
})

test('money that comes again after a reversal is booked once, by statement and by callback', async () => {
  const [day, next, last] = days()
  const late = await lateCase()
  await late.comes(PRICE)
  await imports(`${late.reference} 50.00 EUR ${day}`, `${late.reference} -50.00 EUR ${next}`)
  assert.deepEqual(await late.held(), [])
  assert.equal((await imports(`${late.reference} 50.00 EUR ${last}`)).booked, 1)
  await late.comes(PRICE)
  assert.deepEqual(await late.held(), [PRICE])
  const part = await lateCase()
  await part.comes(PRICE)
  await imports(`${part.reference} 50.00 EUR ${day}`, `${part.reference} -20.00 EUR ${next}`)
  assert.deepEqual(await part.held(), [3_000n])
  await imports(`${part.reference} 20.00 EUR ${last}`)
  await part.comes(2_000n)
  assert.deepEqual((await part.held()).sort(), [2_000n, 3_000n])
})

test('the surplus of a paid order that comes again after its reversal is booked once', async () => {
  const [day, next, last] = days()
  const paid = await paidCase()
  await paid.comes(PRICE)
  const one = `${paid.reference} 50.00 EUR ${day}`
  await imports(one, one, `${paid.reference} -50.00 EUR ${next}`)
  assert.deepEqual(await paid.held(), [])
  await imports(`${paid.reference} 50.00 EUR ${last}`)
  await paid.comes(PRICE)
  assert.deepEqual(await paid.held(), [PRICE])
})

test('a reversal takes back money once, whatever the order of statement and callback', async () => {
  const [day, next] = days()
  const late = await lateCase()
  await late.comes(3_000n)
  await late.comes(4_000n)
  const lines = [`${late.reference} 30.00 EUR ${day}`, `${late.reference} -30.00 EUR ${next}`]
  await imports(...lines)
  const sum = (await late.held()).reduce((total, amount) => total + amount)
  assert.equal(sum, 4_000n)
  assert.equal(
    (await imports(...lines)).withdrawn.length,
    0,
    'the known reversal takes back no further money',
  )
  const first = await lateCase()
  await imports(`${first.reference} 50.00 EUR ${day}`)
  await first.comes(PRICE)
  assert.equal((await imports(`${first.reference} -50.00 EUR ${next}`)).withdrawn.length, 1)
  assert.deepEqual(await first.held(), [])
})

test('money whose reversal a corrected statement no longer lists is back in suspense, and is booked once', async () => {
  const [day, next] = days()
  const late = await lateCase()
  await late.comes(PRICE)
  const stated = await imports(`${late.reference} 50.00 EUR ${day}`, `${late.reference} -50.00 EUR ${next}`)
  await corrects(stated, `${late.reference} 50.00 EUR ${day}`)
  assert.deepEqual(await late.held(), [PRICE])
  await late.comes(2_000n)
  assert.deepEqual((await late.held()).sort(), [2_000n, PRICE])
})

test('a reversal of money that is credited, returned or accepted is a difference, and nothing is booked', async () => {
  const [day, next] = days()
  const paid = await paidCase()
  await imports(`${paid.reference} 50.00 EUR ${day}`)
  assert.deepEqual(kindsIn(await imports(`${paid.reference} -50.00 EUR ${next}`)), ['reversed'])
  assert.equal((await balancesOf(database.db, paid.order.merNo))['merchant:unsettled EUR'], PRICE)
  const late = await lateCase()
  await imports(`${late.reference} 50.00 EUR ${day}`)
  await late.accept()
  assert.deepEqual(kindsIn(await imports(`${late.reference} -50.00 EUR ${next}`)), ['reversed'])
  const reported = await lateCase()
  await reported.comes(PRICE)
  await reported.accept()
  await imports(`${reported.reference} 50.00 EUR ${day}`)
  const reversal = await imports(`${reported.reference} -50.00 EUR ${next}`)
  assert.deepEqual(kindsIn(reversal), ['reversed'])
  assert.equal(
    (await corrects(reversal, `OTHER 1.00 USD ${next}`)).booked,
    1,
    'only the other line is new money',
  )
  assert.deepEqual(await reported.held(), [])
  await imports(`SENT 5.00 USD ${day}`)
  await returnSuspense(deps(), await idOf('SENT'))
  assert.deepEqual(kindsIn(await imports(`SENT -5.00 USD ${next}`)), ['reversed'])
})

test('a reversal also takes back late money that the channel reported, and money that was assigned', async () => {
  const [day, next] = days()
  const late = await lateCase()
  await late.comes(PRICE)
  await imports(`${late.reference} 50.00 EUR ${day}`)
  assert.equal((await imports(`${late.reference} -50.00 EUR ${next}`)).withdrawn.length, 1)
  assert.deepEqual(await late.held(), [])
  assert.equal((await imports(`${late.reference} -50.00 EUR ${next}`)).matched, 1)
  const other = await lateCase()
  await imports(`FOR_SHOP 50.00 EUR ${day}`)
  await assignSuspense(deps(), await idOf('FOR SHOP'), other.order.tradeNo)
  assert.equal((await imports(`${other.reference} 1.00 EUR ${day}`)).withdrawn.length, 0)
  assert.deepEqual((await other.held()).sort(), [100n, 5_000n])
  await imports(`FOR_SHOP -50.00 EUR ${next}`)
  assert.deepEqual(await other.held(), [100n])
})

test('money of a returned refund that was assigned to an order is no money of its statements and deposits', async () => {
  const [day] = days()
  const late = await lateCase()
  const { merNo, tradeNo } = late.order
  const [returned] = await database.db.transaction((tx) =>
    bookSuspense(tx, [
      {
        merNo,
        channel: 'sepa',
        reference: 'surplus of R1',
        origin: 'channel',
        money: { amount: 300n, currency: 'EUR' },
        why: 'surplus',
        at: deps().clock.now(),
      },
    ]),
  )
  assert.ok(returned)
  await assignSuspense(deps(), returned.suspenseId, tradeNo)
  const report = await imports(`${late.reference} 50.00 EUR ${day}`)
  assert.deepEqual({ booked: report.booked, withdrawn: report.withdrawn.length }, { booked: 1, withdrawn: 0 })
  assert.deepEqual((await late.held()).sort(), [300n, PRICE])
  await late.comes(PRICE)
  await late.comes(100n)
  assert.deepEqual(
    (await late.held()).sort(),
    [100n, 300n, PRICE],
    'only what no statement has listed is new',
  )
})
