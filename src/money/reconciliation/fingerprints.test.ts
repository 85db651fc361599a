import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRICE } from '../../../test/builders/deposits.ts'
import { assertMoneySound } from '../../../test/builders/paid-orders.ts'
import { migrateFingerprints, openChannels, statementsOf } from '../../../test/builders/statements.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { verifyBooks } from '../audit/verify-books.ts'
import { reconcile } from './reconcile.ts'

const database = useDatabase({
  before: ({ db }) => openChannels(db),
  after: ({ db }) => assertMoneySound(db),
})

const { clock, days, imports, corrects, importAs, paidCase } = statementsOf(() => database.db)

const stored = () =>
  database.db.query<{ fingerprint: bigint; lines_fingerprint: bigint }>({
    text: 'select statement_id, fingerprint, lines_fingerprint from channel_statements order by statement_id',
  })

test('the migration computes the fingerprints that imports keep while lines change hands', async () => {
  const [day, next] = days()
  const paid = await paidCase()
  const about = { channel: 'sepa', fileName: `sepa ${day}`, day }
  const file = await imports(
    `MOVED 1.00 EUR ${day}`,
    `KEPT 2.00 EUR ${next}`,
    `${paid.reference} 50.00 EUR ${day}`,
  )
  await imports(`MOVED 1.00 EUR ${day}`, `OTHER 3.00 EUR ${next}`)
  await corrects(file, `KEPT 2.50 EUR ${next}`)
  await importAs(about, `FETCHED 4.00 EUR ${day}`, `MOVED 1.00 EUR ${day}`)
  await importAs(about, `MOVED 1.00 EUR ${day}`)
  const kept = await stored()
  assert.ok(kept.some((one) => one.lines_fingerprint !== 0n) && kept.every((one) => one.fingerprint !== 0n))
  await migrateFingerprints(database.db)
  assert.deepEqual(await stored(), kept)
})

test('lines of an interrupted import are taken over by the next one', async () => {
  const [day] = days()
  const money = { amount: PRICE, currency: 'EUR' }
  const line = { line: 2, type: 'payment', reference: 'CUT', money, fee: 0n, day } as const
  await reconcile({ db: database.db, clock }, 'sepa', [line])
  await assertMoneySound(database.db)
  assert.equal((await imports(`CUT 50.00 EUR ${day}`)).booked, 0)
  await assertMoneySound(database.db)
})

test('the audit names a statement whose line was lost, and an import that was lost', async () => {
  const [day] = days()
  const { statementId } = await imports(`LOST 5.00 EUR ${day}`)
  await imports(`LAST 6.00 EUR ${day}`)
  const namedWithout = async (table: string) => {
    const where = `where statement_id = '${statementId}'`
    await database.db.query({
      text: `create table kept as select * from ${table} ${where}; delete from ${table} ${where}`,
    })
    const { findings } = await verifyBooks({ db: database.db, clock: systemClock })
    await database.db.query({ text: `insert into ${table} select * from kept; drop table kept` })
    return findings.filter(({ subject }) => subject.includes(statementId)).map(({ check }) => check)
  }
  assert.ok((await namedWithout('statement_lines')).includes('statement-lines'))
  assert.ok((await namedWithout('channel_statements')).includes('statement-numbers'))
})
