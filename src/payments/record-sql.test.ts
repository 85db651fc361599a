import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment } from '../../test/builders.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { acceptPayments } from './accept-payments.ts'
import { openOrderOf } from './new-payment.ts'
import { type Change, changesOf } from './record-sql.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

const MERCHANTS = 50
let made = 0

const nextPayment = () => {
  const merNo = 43_000_000 + (made++ % MERCHANTS)
  return aPayment({ merNo, merOrderNo: `B1-${String(made).padStart(9, '0')}` })
}

function aChange(): Change {
  const payment = aPayment()
  assert.ok(payment.attempt !== undefined)
  const order = openOrderOf(payment, payment.attempt)
  const written = { attemptState: 'unknown', orderState: order.state, message: '' } as const
  const nothing = { channelRef: undefined, action: undefined, charges: undefined, dues: undefined }
  return { order, at: payment.createdAt, askAt: payment.createdAt, ...written, ...nothing }
}

/** Connections by key plan without looking at the values, so that any will do. PostgreSQL 15 explains no text with `$1`. */
async function indexesOf(text: string): Promise<string[]> {
  const parameters = new Set(text.match(/\$\d+/g)).size
  const nothing = Array.from({ length: parameters }, () => 'null').join(', ')
  const rows = await database.db.transaction(
    async (tx) => {
      await tx.query({ text: `prepare probe as ${text}` })
      const plan = await tx.query<{ 'QUERY PLAN': string }>({ text: `explain execute probe (${nothing})` })
      await tx.query({ text: 'deallocate probe' })
      return plan
    },
    { byKey: true },
  )
  return rows.flatMap((row) => /using (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? [])
}

test('outcomes find orders and attempts by their keys, however few there are when the plan is made', async () => {
  const [orders, attempts] = changesOf([aChange()])
  for (const size of [1, 64, 128, 192, 256]) {
    const missing = Array.from({ length: size - made }, nextPayment)
    await acceptPayments(database.db, missing)
    assert.deepEqual(await indexesOf(orders?.text ?? ''), ['orders_pkey'], `among ${size}`)
    assert.deepEqual(await indexesOf(attempts?.text ?? ''), ['attempts_pkey'], `among ${size}`)
  }
})
