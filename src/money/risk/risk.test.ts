import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openPayments } from '../../../test/builders/payments.ts'
import { scriptedChannel } from '../../../test/counterparties/scripted-channel.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { openDb } from '../../platform/postgres/db.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { State } from '../orders/order.ts'
import { addEntry, type NewEntry, removeEntry } from './change-lists.ts'
import { createRule, recordTrial, switchRule } from './change-rules.ts'
import { hitsOf } from './hits.ts'
import { openRisk } from './risk.ts'
import { deleteOldRisk, EXPIRED_KEPT_DAYS, HITS_KEPT_DAYS } from './worker.ts'

const database = useDatabase({ maxConnections: 30 })

/** Opens a node with its own connections, like another process. */
async function aNode() {
  const db = openDb({ connection: database.connection, maxConnections: 5 })
  const risk = await openRisk({ db, clock: systemClock, maxQueue: 100 })
  const channel = scriptedChannel('card')
  const close = async () => {
    risk.close()
    await db.close()
  }
  return { db, risk, channel, payments: openPayments(db, [channel], risk), close }
}

const by = () => ({ by: 'test', at: new Date() })

function anEntry(email: string): NewEntry {
  const named = { kind: 'email', value: email, shown: email } as const
  return { merNo: 0, list: 'block', named, reason: 'test', expiresAt: undefined, ...by() }
}

test('a blocked payer on our page is declined without a call, and may try another way', async () => {
  const { db, risk, channel, payments, close } = await aNode()
  const payment = await payments.hosted({ details: { billingEmail: 'thief@shop.example' } })
  assert.equal(risk.concerns(payment.merNo), false, 'nothing is checked while there is nothing')
  const { entryId } = await addEntry(db, anEntry('thief@shop.example'))
  assert.ok(await eventually(() => risk.concerns(payment.merNo)))
  const started = await payments.start(payment)
  assert.equal(started.kind === 'started' && started.recorded.attemptState, 'failed')
  assert.equal(channel.started.length, 0)
  const order = await findPayment(db, payment)
  assert.deepEqual(
    { state: order?.state, message: order?.message },
    { state: State.processing, message: 'Declined' },
  )
  const [hit, ...others] = await hitsOf(db, payment.merNo, payment.tradeNo)
  assert.deepEqual(
    { sourceId: hit?.sourceId, attemptNo: hit?.attemptNo, others: others.length },
    { sourceId: entryId, attemptNo: 1, others: 0 },
  )

  await removeEntry(db, entryId)
  assert.ok(await eventually(() => !risk.concerns(payment.merNo)))
  await payments.start(payment, { attempts: 1 })
  assert.equal((await findPayment(db, payment))?.state, State.succeeded)
  await close()
})

test('nodes share what velocity rules count', async () => {
  const [one, other] = [await aNode(), await aNode()]
  const { db } = one
  const velocity = { per: 'email', minutes: 10, mostPayments: 3 } as const
  const content = { name: 'Often', action: 'refuse', conditions: { velocity } } as const
  const { ruleId, version } = await createRule(db, { merNo: 0, content, ...by() })
  const found = { days: 30, orders: 0, hits: 0, usd: '0.00', outcomes: [], examples: [] }
  await recordTrial(db, { ruleId, version, found, at: new Date() })
  await switchRule(db, { ruleId, version, seen: 'draft', state: 'on', ...by() })
  assert.ok(await eventually(() => one.risk.concerns(1) && other.risk.concerns(1)))
  const pay = async ({ payments }: typeof one) => {
    const payment = await payments.hosted({
      merOrderNo: randomUUID(),
      details: { email: 'often@shop.example' },
    })
    const started = await payments.start(payment)
    return started.kind === 'started' && started.recorded.attemptState
  }
  const states = [await pay(one), await pay(other), await pay(one), await pay(other), await pay(one)]
  assert.deepEqual(states, ['succeeded', 'succeeded', 'succeeded', 'failed', 'failed'])
  await one.close()
  await other.close()
})

test('of two people who add the same entry one is refused', async () => {
  const { db } = database
  const added = await Promise.allSettled([1, 2, 3, 4].map(() => addEntry(db, anEntry('same@shop.example'))))
  assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('expired entries leave room for others, and are deleted in the end', async () => {
  const { db } = database
  await db.query({
    text: `insert into risk_entries (mer_no, entry_id, list, kind, value, shown, reason, created_at, created_by, expires_at)
      select 8, 'Z' || n, 'block', 'card', 'fingerprint ' || n, '', '', $1, 'card network', $1
      from generate_series(1, 100000) n`,
    values: [new Date(Date.now() - (EXPIRED_KEPT_DAYS + 1) * 86_400_000)],
  })
  const { entryId } = await addEntry(db, anEntry('next@shop.example'))
  await deleteOldRisk({ db, clock: systemClock })
  const left = await db.query<{ entry_id: string }>({
    text: 'select entry_id from risk_entries where mer_no = 8 or entry_id = $1',
    values: [entryId],
  })
  assert.deepEqual(left, [{ entry_id: entryId }])
})

test('hits are deleted when their payments can no longer be disputed', async () => {
  const { db } = database
  const days = (count: number) => new Date(Date.now() - count * 86_400_000)
  const insert = (tradeNo: string, at: Date) =>
    db.query({
      text: `insert into risk_hits (mer_no, trade_no, attempt_no, source_id, name, action, watched, at)
        values (7, $1, 1, 'Z1', 'Rule', 'refuse', false, $2)`,
      values: [tradeNo, at],
    })
  await insert('T-old', days(HITS_KEPT_DAYS + 1))
  await insert('T-new', days(HITS_KEPT_DAYS - 1))
  await deleteOldRisk({ db, clock: systemClock })
  assert.deepEqual(
    { old: (await hitsOf(db, 7, 'T-old')).length, young: (await hitsOf(db, 7, 'T-new')).length },
    { old: 0, young: 1 },
  )
})
