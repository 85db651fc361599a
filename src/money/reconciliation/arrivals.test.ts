// A channel, its statement and an operator may report the same money in any order: it is booked once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAttempt } from '../../../test/builders/builders.ts'
import { type Case, openCase, PRICE } from '../../../test/builders/deposits.ts'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { listHeld } from '../suspense/book-suspense.ts'

const database = useDatabase({
  async before({ db }) {
    // Each channel needs a booking, because a statement of a channel without any bookings is refused.
    for (const channel of ['sepa', 'pix'])
      await paidOrder(db, { merNo: 57_000_000, attempt: anAttempt(new Date(), { channel }) })
  },
})

const aCase = () => openCase(database.db)

type Row = {
  readonly name: string
  readonly act: (one: Case) => Promise<unknown>
  /** The money that payers sent, minus what was returned to them. */
  readonly came: bigint
  /** The amounts of the suspense rows that wait for the operator. */
  readonly held?: readonly bigint[]
  readonly paid?: boolean
}

const rows: readonly Row[] = [
  {
    name: 'paid, then listed',
    act: async ({ comes, lists }) => {
      await comes(PRICE)
      assert.equal((await lists([PRICE])).matched, 1)
    },
    came: PRICE,
    paid: true,
  },
  {
    name: 'listed while the order is open, then reported and listed again',
    act: async ({ comes, lists }) => {
      assert.equal((await lists([PRICE])).differences[0]?.kind, 'open here')
      await comes(PRICE)
      assert.equal((await lists([PRICE])).matched, 1)
    },
    came: PRICE,
    paid: true,
  },
  {
    name: 'reported late, then listed',
    act: async ({ expires, comes, lists }) => {
      await expires()
      await comes(PRICE)
      const report = await lists([PRICE])
      assert.deepEqual({ matched: report.matched, booked: report.booked }, { matched: 1, booked: 0 })
    },
    came: PRICE,
    held: [PRICE],
  },
  {
    name: 'reported late, accepted, then listed',
    act: async ({ expires, comes, accept, lists }) => {
      await expires()
      await comes(PRICE)
      await accept()
      assert.equal((await lists([PRICE])).matched, 1)
    },
    came: PRICE,
    paid: true,
  },
  {
    name: 'reported late, listed, then accepted: the merchant gets it once',
    act: async ({ expires, comes, accept, lists }) => {
      await expires()
      await comes(PRICE)
      await lists([PRICE])
      await accept()
    },
    came: PRICE,
    paid: true,
  },
  {
    name: 'reported late, returned, then listed',
    act: async ({ expires, comes, giveBack, lists }) => {
      await expires()
      await comes(PRICE)
      await giveBack()
      assert.equal((await lists([PRICE])).matched, 1)
    },
    came: 0n,
  },
  {
    name: 'listed late, then reported',
    act: async ({ expires, comes, lists }) => {
      await expires()
      assert.equal((await lists([PRICE])).booked, 1)
      await comes(PRICE)
    },
    came: PRICE,
    held: [PRICE],
  },
  {
    name: 'listed late with less than arrived, then reported together with a second transfer',
    act: async ({ expires, comeTogether, lists }) => {
      await expires()
      await lists([1_000n])
      await comeTogether(3_000n, 700n)
    },
    came: 3_700n,
    held: [1_000n, 2_000n, 700n],
  },
  {
    name: 'listed late and then reported: no difference is left',
    act: async ({ expires, comes, lists }) => {
      await expires()
      await lists([PRICE])
      assert.equal((await lists([PRICE])).different, 1)
      await comes(PRICE)
      assert.equal((await lists([PRICE])).different, 0)
    },
    came: PRICE,
    held: [PRICE],
  },
  {
    name: 'listed late, accepted, then reported and reported again',
    act: async ({ expires, comes, accept, lists }) => {
      await expires()
      await lists([PRICE])
      await accept()
      await comes(PRICE)
      await comes(1n)
    },
    came: PRICE + 1n,
    held: [1n],
    paid: true,
  },
  {
    name: 'listed late, returned, then reported',
    act: async ({ expires, comes, giveBack, lists }) => {
      await expires()
      await lists([PRICE])
      await giveBack()
      await comes(PRICE)
    },
    came: 0n,
  },
  {
    name: 'a success reported late, then listed; and the other way round',
    act: async (one) => {
      await one.expires()
      await one.lateSuccess()
      await one.lists([PRICE])
      const other = await aCase()
      await other.expires()
      await other.lists([PRICE])
      await other.lateSuccess()
      await other.lateSuccess()
      await assertCase(other, { came: PRICE, held: [PRICE] })
    },
    came: PRICE,
    held: [PRICE],
  },
  {
    name: 'short at expiry, the rest on the statement of another day, in either order of import',
    act: async (one) => {
      await one.comes(2_000n)
      await one.expires()
      assert.equal((await one.lists([2_000n])).matched, 1)
      assert.equal((await one.lists([3_000n], { day: '2026-09-05' })).booked, 1)
      const other = await aCase()
      await other.comes(2_000n)
      await other.expires()
      await other.lists([3_000n], { day: '2026-09-05' })
      await other.lists([2_000n])
      await assertCase(other, { came: PRICE, held: [2_000n, 1_000n, 2_000n] })
    },
    came: PRICE,
    held: [2_000n, 3_000n],
  },
  {
    name: 'the rest is listed, then reported: accepted together',
    act: async ({ comes, expires, lists, accept }) => {
      await comes(2_000n)
      await expires()
      await lists([2_000n, 3_000n])
      await comes(3_000n)
      await accept()
    },
    came: PRICE,
    paid: true,
  },
  {
    name: 'paid in parts that are on statements of different days',
    act: async ({ comes, lists }) => {
      await comes(2_000n)
      await comes(3_000n)
      assert.equal((await lists([2_000n])).matched, 1)
      assert.equal((await lists([3_000n], { day: '2026-09-03' })).matched, 1)
      assert.equal((await lists([2_000n])).matched, 1)
    },
    came: PRICE,
    paid: true,
  },
  {
    name: 'more than asked in one transfer, then listed',
    act: async ({ comes, lists }) => {
      await comes(6_000n)
      assert.equal((await lists([6_000n])).matched, 1)
    },
    came: 6_000n,
    held: [1_000n],
    paid: true,
  },
  {
    name: 'a second transfer in surplus, listed before and after it is reported',
    act: async ({ comes, lists }) => {
      await comes(PRICE)
      const report = await lists([PRICE, 700n])
      assert.deepEqual({ matched: report.matched, booked: report.booked }, { matched: 1, booked: 1 })
      await comes(700n)
      assert.deepEqual(await lists([PRICE, 700n]).then(({ matched, booked }) => [matched, booked]), [2, 0])
    },
    came: PRICE + 700n,
    held: [700n],
    paid: true,
  },
  {
    name: 'two equal lines for one reference are two payments; the same file again brings nothing',
    act: async ({ comes, lists }) => {
      await comes(PRICE)
      assert.equal((await lists([PRICE, PRICE])).differences[0]?.kind, 'twice')
      assert.equal((await lists([PRICE, PRICE])).booked, 0)
    },
    came: 2n * PRICE,
    held: [PRICE],
    paid: true,
  },
  {
    name: 'the second payment comes on the statement of the next day',
    act: async ({ comes, lists }) => {
      await comes(PRICE)
      await lists([PRICE])
      assert.equal((await lists([PRICE], { day: '2026-09-03' })).booked, 1)
      assert.equal((await lists([PRICE], { day: '2026-09-03' })).booked, 0)
    },
    came: 2n * PRICE,
    held: [PRICE],
    paid: true,
  },
  {
    name: "a file under another channel's name is its order's, and so is the same file again under the right one",
    act: async ({ expires, comes, lists }) => {
      await expires()
      await comes(PRICE)
      const report = await lists([PRICE], { channel: 'pix' })
      assert.deepEqual({ matched: report.matched, booked: report.booked }, { matched: 1, booked: 0 })
      assert.deepEqual([...report.otherChannels], [['sepa', 1]])
      assert.equal((await lists([PRICE])).otherChannels.size, 0)
    },
    came: PRICE,
    held: [PRICE],
  },
  {
    name: "unknown money in a file under another channel's name is booked to its order's channel, once",
    act: async ({ expires, lists }) => {
      await expires()
      assert.equal((await lists([PRICE], { channel: 'pix' })).booked, 1)
      assert.equal((await lists([PRICE])).booked, 0)
    },
    came: PRICE,
    held: [PRICE],
  },
  {
    name: "a statement that lists the deposit's reference instead of the attempt's means the same money",
    act: async ({ expires, comes, lists, depositRef }) => {
      await expires()
      await comes(PRICE)
      assert.equal((await lists([PRICE], { reference: depositRef(0) })).matched, 1)
    },
    came: PRICE,
    held: [PRICE],
  },
  {
    name: 'listed with less than arrived: a difference, and nothing is booked',
    act: async ({ expires, comes, lists }) => {
      await expires()
      await comes(PRICE)
      assert.deepEqual(
        (await lists([4_000n])).differences.map(({ kind }) => kind),
        ['differs'],
      )
    },
    came: PRICE,
    held: [PRICE],
  },
]

async function assertCase({ order }: Case, { came, held = [], paid = false }: Omit<Row, 'name' | 'act'>) {
  const balances = await balancesOf(database.db, order.merNo)
  const items = await listHeld(database.db, order.merNo, 10)
  assert.deepEqual(items.map(({ money }) => money.amount).sort(), [...held].sort())
  assert.ok(items.every(({ tradeNo }) => tradeNo === order.tradeNo))
  assert.equal(-(balances['rail:sepa EUR'] ?? 0n), came, 'the channel owes what came')
  assert.equal(balances['merchant:unsettled EUR'] ?? 0n, paid ? PRICE : 0n)
  assert.equal(await stateOf(database.db, order), paid ? 5 : 7)
}

for (const row of rows) {
  test(row.name, async () => {
    const one = await aCase()
    await row.act(one)
    await assertCase(one, row)
    assert.deepEqual(await listHeld(database.db, 0, 1), [], 'nothing is booked to nobody')
    await assertMoneySound(database.db)
  })
}

test('money in another currency is also assigned to its attempt', async () => {
  const one = await aCase()
  await one.comes(PRICE, 'USD')
  await one.expires()
  const report = await one.lists([PRICE], { currency: 'USD' })
  assert.deepEqual({ matched: report.matched, booked: report.booked }, { matched: 1, booked: 0 })
  assert.equal((await balancesOf(database.db, one.order.merNo))['rail:sepa USD'], -PRICE)
})

test('money that the channel and several imports report concurrently is booked once', async () => {
  const cases = await Promise.all(Array.from({ length: 6 }, aCase))
  for (const one of cases) await one.expires()
  await Promise.all(
    cases.flatMap((one) => [one.lists([PRICE]), one.comes(PRICE), one.lists([PRICE], { channel: 'pix' })]),
  )
  for (const one of cases) await assertCase(one, { came: PRICE, held: [PRICE] })
})
