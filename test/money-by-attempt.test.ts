// The migration assigns older suspense money to its attempt.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from './harness.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase(1)
})
after(() => database.drop())

const migration = readFileSync(new URL('../migrations/0020_money_by_attempt.sql', import.meta.url), 'utf8')

/** The tables that the migration reads, besides those that it created. */
const before0021 = `
  create schema earlier;
  set local search_path = earlier;
  create table attempts (mer_no bigint, trade_no text, attempt_no smallint, channel text, channel_ref text);
  create table deposits (
    mer_no bigint, trade_no text, deposit_ref text, attempt_no smallint, came_at timestamptz);
  create table suspense (
    mer_no bigint, suspense_id text, channel text, reference text, trade_no text, booked_at timestamptz);
  insert into attempts values
    (1, 'TX', 1, 'sepa', 'c1'), (1, 'TX', 2, 'pix', 'c2'), (1, 'TX', 3, 'pix', null), (2, 'TY', 1, 'sepa', 'c1');
  insert into deposits values
    (1, 'TX', 'd1', 1, '2026-01-01'), (1, 'TX', 'd2', 2, '2026-01-02'), (2, 'TY', 'd1', 1, '2026-01-03');
  insert into suspense (mer_no, suspense_id, channel, reference, trade_no) values
    (1, 'S1', 'sepa', 'd1', 'TX'), (1, 'S2', 'pix', 'surplus of d2', 'TX'), (1, 'S3', 'sepa', 'AX1', 'TX'),
    (1, 'S4', 'pix', 'AX2#2', 'TX'), (1, 'S5', 'pix', 'surplus of AX2', 'TX'), (1, 'S6', 'sepa', 'c1', 'TX'),
    (1, 'S7', 'sepa', 'surplus of S1', 'TX'), (1, 'S8', 'pix', 'lost name', 'TX'), (0, 'S9', 'pix', 'stray', null)`

test('suspense money is assigned by its reference, else by the channel that has the money', async () => {
  await database.db.transaction(async (tx) => {
    await tx.query({ text: before0021 })
    await tx.query({ text: migration })
    const rows = await tx.query<{ suspense_id: string; attempt_no: number | null; origin: string }>({
      text: 'select suspense_id, attempt_no, origin from suspense order by suspense_id',
    })
    assert.deepEqual(
      rows.map((row) => `${row.suspense_id} ${row.attempt_no} ${row.origin}`),
      [
        'S1 1 channel',
        'S2 2 channel',
        'S3 1 statement',
        'S4 2 statement',
        'S5 2 statement',
        'S6 1 channel',
        'S7 1 split',
        'S8 3 channel',
        'S9 null statement',
      ],
    )
    const owners = await tx.query<{ deposit_ref: string; reference: string }>({
      text: 'select deposit_ref, reference from deposit_owners order by deposit_ref',
    })
    assert.deepEqual(
      owners.map((row) => `${row.deposit_ref} ${row.reference}`),
      ['d1 AX1', 'd2 AX2'],
    )
    await tx.query({ text: 'drop schema earlier cascade' })
  })
})
