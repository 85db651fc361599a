// Migration 0020 assigns older suspense money to its attempt. Migration 0057 gives money of no known order a line of a
// statement.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { useDatabase } from './harness/harness.ts'

const database = useDatabase({ maxConnections: 1 })

const migration = readFileSync(new URL('../migrations/0020_money_by_attempt.sql', import.meta.url), 'utf8')

/** The tables that migration 0020 reads, as they were before it. */
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

const lines = readFileSync(
  new URL('../migrations/0057_statement_lines_by_identity.sql', import.meta.url),
  'utf8',
)

const before0058 = `
  create schema earlier;
  set local search_path = earlier;
  create table channel_statements (channel text, first_day date, last_day date);
  create table statement_lines (
    mer_no bigint not null, trade_no text not null, attempt_no smallint not null, day date not null,
    currency text not null, amount bigint not null, occurrence integer not null, line integer not null,
    constraint statement_lines_pkey primary key (mer_no, trade_no, attempt_no, day, currency, amount, occurrence),
    constraint statement_lines_above_zero check (amount > 0));
  create table suspense (
    mer_no bigint, suspense_id text, channel text, reference text, trade_no text, attempt_no smallint, origin text,
    currency text, amount bigint, state text, booked_at timestamptz,
    constraint suspense_once unique (mer_no, channel, reference),
    constraint suspense_state_known check (state in ('held', 'accepted', 'returned', 'assigned')));
  insert into statement_lines values (1, 'TX', 1, '2026-01-02', 'USD', 500, 1, 2);
  insert into suspense values
    (0, 'S1', 'sepa', 'INVOICE 1', null, null, 'statement', 'USD', 1234, 'held', '2026-01-05 12:00Z'),
    (0, 'S2', 'sepa', 'INVOICE 1#2', null, null, 'statement', 'USD', 500, 'assigned', '2026-01-05 12:00Z'),
    (0, 'S3', 'pix', 'ROOM #7', null, null, 'statement', 'BRL', 9, 'returned', '2026-01-05 12:00Z'),
    (1, 'S4', 'sepa', 'assigned:S2', 'TX', 1, 'statement', 'USD', 500, 'held', '2026-01-06 12:00Z'),
    (1, 'S5', 'sepa', 'd1', 'TX', 1, 'channel', 'USD', 1, 'held', '2026-01-06 12:00Z')`

test('older money of no known order is found again by its reference, whatever its place in the file was', async () => {
  await database.db.transaction(async (tx) => {
    await tx.query({ text: before0058 })
    await tx.query({ text: lines })
    const rows = await tx.query<{ name: string }>({
      text: `
        select concat_ws(' ', s.suspense_id, l.channel, l.reference, l.day::text, l.is_day_unknown, l.currency, l.amount) as name
        from suspense s left join statement_lines l using (line_no) order by s.suspense_id`,
    })
    assert.deepEqual(
      rows.map(({ name }) => name),
      [
        'S1 sepa INVOICE 1 2026-01-05 t USD 1234',
        'S2 sepa INVOICE 1 2026-01-05 t USD 500',
        'S3 pix ROOM #7 2026-01-05 t BRL 9',
        'S4 sepa INVOICE 1 2026-01-05 t USD 500',
        'S5',
      ],
    )
    const [own] = await tx.query<{ count: number }>({
      text: 'select count(*)::int as count from statement_lines where trade_no is not null and not is_day_unknown',
    })
    assert.equal(own?.count, 1)
    await tx.query({ text: 'drop schema earlier cascade' })
  })
})
