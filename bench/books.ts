// Checks a gateway's database after a run: every payment that was answered with success is booked once and has one
// notification, and each balance in the ledger is the sum of its entries.

import type { Db } from '../src/platform/postgres/db.ts'
import { ledgerTools } from './checkout.ts'

export type Books = {
  readonly db: Db
  /** Notes the number of payments under this prefix that were answered with success. */
  expect(prefix: string, payments: number): void
  /** Returns one sentence per error. */
  audit(): Promise<string[]>
  deadlocks(): Promise<number>
}

type Found = { prefix: string; orders: number; booked: number }

export function openBooks(name: string, db: Db, checkout: string): Books {
  const expected = new Map<string, number>()
  return {
    db,
    expect: (prefix, payments) => void expected.set(prefix, (expected.get(prefix) ?? 0) + payments),
    async audit() {
      const wrong = [...(await compare(db, expected)), ...(await ledgerDifferences(db, checkout))]
      return wrong.map((sentence) => `${name}: ${sentence}`)
    },
    async deadlocks() {
      const [row] = await db.query<{ deadlocks: bigint }>({
        text: 'select deadlocks from pg_stat_database where datname = current_database()',
      })
      return Number(row?.deadlocks ?? 0)
    },
  }
}

async function compare(db: Db, expected: ReadonlyMap<string, number>): Promise<string[]> {
  const wrong: string[] = []
  for (const [prefix, payments] of expected) {
    const [found] = await db.query<Found>({ text: foundText, values: [prefix] })
    const { orders = 0, booked = 0 } = found ?? {}
    if (orders !== payments || booked !== payments) {
      wrong.push(
        `${prefix}: ${payments} payments answered, ${orders} orders, ${booked} booked and notified once`,
      )
    }
  }
  return wrong
}

// Counts the orders whose number begins with the prefix, and those of them that are booked and notified once.
const foundText = `
  select count(*)::int as orders,
    count(*) filter (where o.state = 5 and booked.times = 1 and notified.times = 1)::int as booked
  from orders o,
    lateral (
      select count(*) as times from ledger_entries e
      where e.mer_no = o.mer_no and e.subject = o.trade_no and e.step = 'payment' and e.amount = o.amount) booked,
    lateral (
      select count(*) as times from notifications n
      where n.mer_no = o.mer_no and n.trade_no = o.trade_no and n.event = 'payment') notified
  where o.mer_no in (select mer_no from merchants) and starts_with(o.mer_order_no, $1)`

async function ledgerDifferences(db: Db, checkout: string): Promise<string[]> {
  const { verifyLedger } = await ledgerTools(checkout)
  const { differences } = await verifyLedger(db)
  return differences.map((one) => `the ledger differs at ${one.merNo} ${one.account} ${one.currency}`)
}
