import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { addEntry } from '../../../money/risk/change-lists.ts'
import { createRule, findRule } from '../../../money/risk/change-rules.ts'
import type { Conditions } from '../../../money/risk/rule.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { tryRule } from './try-rule.ts'

const HOUR_MS = 3_600_000
const merNo = 7
const ORDERS = 24

const database = useDatabase({
  async before({ db }) {
    // One payer pays every 20 hours.
    for (let no = 0; no < ORDERS; no++)
      await paidOrder(db, {
        merNo,
        at: new Date(Date.now() - (ORDERS - no) * 20 * HOUR_MS),
        details: { billingEmail: 'often@shop.example' },
      })
  },
})

async function tried(conditions: Conditions, mostUses: number) {
  const { db } = database
  const content = { name: 'Tried', action: 'refuse', conditions } as const
  const rule = await createRule(db, { merNo, content, by: 'test', at: new Date() })
  const bins = { find: () => undefined }
  const found = await tryRule({ db, clock: systemClock, bins, mostUses }, rule, () => {})
  assert.deepEqual((await findRule(db, rule.ruleId))?.tried, found, 'it is stored with the rule')
  return found
}

const velocity = (hours: number) => {
  return { velocity: { per: 'email', minutes: hours * 60, mostPayments: 2 } } as const
}

test('a trial forgets what its rule no longer counts, and so covers the month with little memory', async () => {
  const { covers, orders, hits, usd } = await tried(velocity(50), 3)
  assert.deepEqual(
    { covers, orders, hits, usd },
    { covers: undefined, orders: ORDERS, hits: ORDERS - 2, usd: '220.00' },
  )
})

test('a trial that has too much to count stops, and says what it covers', async () => {
  const { covers, orders, hits } = await tried(velocity(30 * 24), 3)
  assert.deepEqual(
    { orders, hits },
    { orders: 7, hits: 5 },
    'twice as many as it may keep, and the one that did not fit',
  )
  const days = (from = '', until = '') => (Date.parse(until) - Date.parse(from)) / (24 * HOUR_MS)
  const end = 30 - ((ORDERS - 6) * 20) / 24
  assert.ok(Math.abs(days(covers?.from, covers?.until) - end) < 0.1)
})

test('an order with several attempts counts once', async () => {
  await database.db.query({
    text: `insert into attempt_rows (mer_no, trade_no, attempt_no, channel, state, created_at, decided_at)
      select mer_no, trade_no, no, channel, 'failed', created_at + no * interval '1 minute', decided_at
      from attempts, generate_series(2, 3) no where mer_no = $1`,
    values: [merNo],
  })
  const { orders, hits } = await tried({ above: '1.00' }, 3)
  assert.deepEqual({ orders, hits }, { orders: ORDERS, hits: ORDERS })
})

test('an entry of the allow list that has expired exempts no payment', async () => {
  const { db } = database
  const email = 'often@shop.example'
  const [at, expiresAt] = [2, 1].map((hours) => new Date(Date.now() - hours * HOUR_MS))
  assert.ok(at)
  const named = { kind: 'email', value: email, shown: email } as const
  await addEntry(db, { merNo, list: 'allow', named, reason: 'test', expiresAt, by: 'test', at })
  const { hits } = await tried({ above: '1.00' }, 3)
  assert.equal(hits, ORDERS)
})
