import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOrder, aPayment } from '../../../test/builders/builders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import type { PlannedChange } from './change.ts'
import { chargesOf } from './fees.ts'
import { State } from './order.ts'
import { statementsOf } from './write-changes.ts'

const database = useDatabase()

const MERCHANTS = 50
let made = 0

const nextPayment = () => {
  const merNo = 43_000_000 + (made++ % MERCHANTS)
  return aPayment({ merNo, merOrderNo: `B1-${String(made).padStart(9, '0')}` })
}

/** Returns the change with the smallest statement (the order stays open) and the most frequent change (a success). */
function someChanges(): PlannedChange[] {
  const order = anOrder()
  const at = new Date()
  const attempt = { state: 'unknown', askAt: at } as const
  const charges = chargesOf(order.money, order.terms)
  return [
    { order, at, state: order.state, message: '', attempt },
    { order, at, state: State.succeeded, message: '', attempt, received: order.money.amount, charges },
  ]
}

/**
 * Returns the indexes that a statement uses. The statement is prepared, because PostgreSQL 15 cannot explain a
 * statement with `$1`. A plan by key does not depend on the values, so nulls suffice.
 */
async function indexesOf(text: string): Promise<string[]> {
  const parameters = new Set(text.match(/\$\d+/g)).size
  const nulls = Array.from({ length: parameters }, () => 'null').join(', ')
  const rows = await database.db.transaction(
    async (tx) => {
      await tx.query({ text: `prepare probe as ${text}` })
      const plan = await tx.query<{ 'QUERY PLAN': string }>({ text: `explain execute probe (${nulls})` })
      await tx.query({ text: 'deallocate probe' })
      return plan
    },
    { byKey: true },
  )
  return rows.flatMap((row) => /using (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? [])
}

/** The expected index by the name of a statement, without the number of its parts. */
const indexes = new Map([
  ['orders.expand', 'orders_pkey'],
  ['orders.update', 'orders_pkey'],
  ['orders.update-attempts', 'attempt_rows_pkey'],
])

test('outcomes find orders and attempts by key, even if the plan is made while the tables are small', async () => {
  const sent = someChanges().flatMap((change) => statementsOf([change]))
  const texts = new Map(sent.map(({ name = '', text }) => [name.replace(/-\d+$/, ''), text]))
  for (const size of [1, 64, 128, 192, 256]) {
    const missing = Array.from({ length: size - made }, nextPayment)
    await acceptPayments(database.db, missing)
    for (const [name, index] of indexes) {
      const used = new Set(await indexesOf(texts.get(name) ?? ''))
      assert.deepEqual([...used], [index], `${name} among ${size}`)
    }
  }
})
