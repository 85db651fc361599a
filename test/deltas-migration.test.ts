// Migration 0054 converts waiting deltas to lists of merchants.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { useDatabase } from './harness/harness.ts'

const database = useDatabase({ maxConnections: 1 })

const read = (name: string) => readFileSync(new URL(`../migrations/${name}`, import.meta.url), 'utf8')
const MOST = 2n ** 63n - 1n

/** Both merchants have a delta of the same id. The sum of the first merchant does not fit into a bigint any more. */
const asBefore = `
  create schema earlier;
  set local search_path = earlier, public;
  create table balance_sums (like public.balance_sums);
  create table balance_deltas (
    mer_no bigint not null, delta_id text not null, currency text not null, accounts text[] not null,
    debits bigint[] not null, credits bigint[] not null,
    constraint balance_deltas_pkey primary key (mer_no, delta_id));
  create table order_total_deltas (
    mer_no bigint not null, delta_id text not null, local_day date not null, state smallint not null,
    currency text not null, settle_currency text not null, settled boolean not null, orders bigint not null,
    source_amount bigint not null, settle_amount bigint not null,
    constraint order_total_deltas_pkey primary key (mer_no, delta_id));
  create view balances as select 1 as nothing;
  ${read('0019_exact_balances.sql')}
  insert into balance_sums values (1, 'b', 'USD', 0, ${MOST});
  insert into balance_deltas values
    (1, 'D1', 'USD', '{a,b}', '{5,0}', '{0,5}'), (2, 'D1', 'USD', '{a,b}', '{7,1}', '{0,8}'),
    (2, 'D2', 'EUR', '{b,a}', '{3,0}', '{0,3}');
  insert into order_total_deltas values
    (1, 'D1', '2026-11-01', 5, 'USD', 'EUR', false, 2, 10, 20), (2, 'D1', '2026-11-01', 5, 'USD', 'EUR', true, -1, -3, -4)`

test('what waits is the same for every merchant, even if its sum no longer fits', async () => {
  await database.db.transaction(async (tx) => {
    await tx.query({ text: asBefore })
    const balances = () =>
      tx.query({ text: 'select * from exact_balances order by mer_no, account, currency' })
    const earlier = await balances()
    assert.equal(earlier.length, 6)
    await tx.query({ text: read('0054_deltas_of_batches.sql') })
    assert.deepEqual(await balances(), earlier)
    const totals = await tx.query({
      text: `select mer_nos, local_day::text, state, currency, settle_currency, settled, orders, source_amounts, settle_amounts
        from order_total_deltas order by mer_nos`,
    })
    const cell = { local_day: '2026-11-01', state: 5, currency: 'USD', settle_currency: 'EUR' }
    assert.deepEqual(totals, [
      {
        ...cell,
        mer_nos: ['1'],
        settled: false,
        orders: ['2'],
        source_amounts: ['10'],
        settle_amounts: ['20'],
      },
      {
        ...cell,
        mer_nos: ['2'],
        settled: true,
        orders: ['-1'],
        source_amounts: ['-3'],
        settle_amounts: ['-4'],
      },
    ])
    await tx.query({ text: 'drop schema earlier cascade' })
  })
})
