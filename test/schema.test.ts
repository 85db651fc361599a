import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { dumpSchema } from './harness/dump-schema.ts'
import { useDatabase } from './harness/harness.ts'

const database = useDatabase({ maxConnections: 1 })

test('the migrations produce exactly migrations/schema.sql', async () => {
  const committed = readFileSync(new URL('../migrations/schema.sql', import.meta.url), 'utf8')
  const made = await dumpSchema(database.db)
  const advice = 'a migration changed the schema: run "npm run schema" and commit what it writes'
  assert.deepEqual(made.split('\n'), committed.split('\n'), advice)
})

/** `broken` is SQL that finds violations of the rule. `finds` lists what it must find among the wrong tables below. */
const rules: readonly { readonly name: string; readonly broken: string; readonly finds: string[] }[] = [
  {
    name: 'every table has a primary key, which begins with mer_no if the table has it, so that tables can be spread by merchant',
    broken: `
      select t.relname as found from ours t
      left join pg_index i on i.indrelid = t.oid and i.indisprimary
      left join pg_attribute m on m.attrelid = t.oid and m.attname = 'mer_no'
      where t.relkind in ('r', 'p') and (i.indrelid is null or m.attnum <> i.indkey[0])`,
    finds: ['keyless', 'wrong'],
  },
  {
    name: 'the program creates ids: no sequence, serial or identity column',
    broken: `select relname as found from ours where relkind = 'S'`,
    finds: ['keyless_id_seq', 'keyless_no_seq'],
  },
  {
    name: 'every check, unique constraint and index has a name of ours that begins with its table',
    broken: `
      select c.conname as found from ours t join pg_constraint c on c.conrelid = t.oid
      where c.contype in ('u', 'x', 'c') and not ${isOurName('c.conname')}
      union select x.relname from ours t join pg_index i on i.indrelid = t.oid join pg_class x on x.oid = i.indexrelid
      where not i.indisprimary and not ${isOurName('x.relname')}`,
    finds: ['wrong_amount_check', 'wrong_at_idx'],
  },
  {
    name: 'money is bigint: no floats, and decimals only for rates and for fees without a currency',
    broken: `
      select name as found from columns where type in ('real', 'double precision', 'money')
      or (type ~ '^numeric' and attname !~ '(^|_)rate$' and relname not in ('fee_plans', 'named_plans'))
      or (attname ~ '^(amount|received|remainder|margin|used|debits|credits)$|_(fee|value|amount)$'
        and type not in ('bigint', 'bigint[]') and relname not in ('fee_plans', 'named_plans'))`,
    finds: ['wrong.amount', 'wrong.price'],
  },
  {
    name: 'every moment is stored with its time zone',
    broken: `select name as found from columns where type = 'timestamp without time zone'`,
    finds: ['wrong.at'],
  },
  {
    name: 'the schema has only what the dump can show: tables, their indexes, views, functions and triggers',
    broken: `
      select relname as found from ours where relkind not in ('r', 'p', 'i', 'I', 't', 'S', 'v')
      union all select typname from pg_type
      where typnamespace = current_schema()::regnamespace and typtype in ('e', 'd', 'r')
      union all select proname from pg_proc
      where pronamespace = current_schema()::regnamespace and prokind not in ('f', 'p')
      union all select name from columns where attgenerated <> ''`,
    finds: ['wrong.twice', 'wrong_view'],
  },
]

/** Returns an SQL condition that is true for a name that we chose, and false for one that PostgreSQL generated. */
function isOurName(name: string): string {
  return `(${name} like t.relname || '\\_%' and ${name} !~ '_(check|key|excl|idx)\\d*$')`
}

for (const { name, broken } of rules) {
  test(name, async () => assert.deepEqual(await breaches(broken), []))
}

test('each of these rules finds a violation', async () => {
  await database.db.query({ text: wrongTables })
  for (const { name, broken, finds } of rules) assert.deepEqual(await breaches(broken), finds, name)
})

const wrongTables = `
  create table keyless (id bigserial, no integer generated always as identity);
  create table wrong (id text, mer_no bigint, amount integer check (amount > 0), price real, at timestamp,
    twice integer generated always as (2) stored, primary key (id, mer_no));
  create index on wrong (at);
  create materialized view wrong_view as select 1 as one`

async function breaches(broken: string): Promise<string[]> {
  const rows = await database.db.query<{ found: string }>({ text: catalogue + broken })
  return rows.map((row) => row.found).sort()
}

const catalogue = `
  with ours as (
    select oid, relname, relkind from pg_class where relnamespace = current_schema()::regnamespace
  ), columns as (
    select t.relname, a.attname, t.relname || '.' || a.attname as name,
      format_type(a.atttypid, a.atttypmod) as type, a.attgenerated
    from ours t join pg_attribute a on a.attrelid = t.oid
    where t.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  )`
