// Writes the schema as readable SQL from PostgreSQL's catalogue: the same text on every version from 16 on. It leaves
// out named not-null constraints, which newer versions list, because every column has its own `not null`.
import type { Queryable } from '../../src/platform/postgres/db.ts'

type Table = { readonly name: string; readonly lines: string[]; readonly indexes: string[] | null }

const heading = `-- The result of all migrations, table by table. Written by "npm run schema", checked by a test, and for reading only:
-- never edit it by hand, and never load it.
`

export async function dumpSchema(db: Queryable): Promise<string> {
  const tables = await db.query<Table>({ text: tablesText })
  const views = await db.query<{ name: string; text: string }>({ text: viewsText })
  const functions = await db.query<{ text: string }>({ text: functionsText })
  const triggers = await db.query<{ text: string }>({ text: triggersText })
  const parts = [
    ...tables.map(writeTable),
    ...views.map(({ name, text }) => lowered(`create view ${name} as\n${text.trim()}\n`)),
    ...functions.map(({ text }) => ended(text)),
    ...triggers.map(({ text }) => ended(lowered(text))),
  ]
  return [heading, ...parts].join('\n')
}

function writeTable({ name, lines, indexes }: Table): string {
  const table = `create table ${name} (\n  ${lines.join(',\n  ')}\n)`
  return [table, ...(indexes ?? [])].map((text) => ended(lowered(text))).join('')
}

/** Converts SQL to lower case, except quoted text. */
function lowered(text: string): string {
  return text.replace(/'[^']*'|"[^"]*"|[A-Z]+/g, (part) => (/^[A-Z]/.test(part) ? part.toLowerCase() : part))
}

function ended(text: string): string {
  return `${text.trim()};\n`
}

// Constraints are sorted: the primary key first, then unique constraints, foreign keys and checks. Only indexes without
// a constraint are listed.
const tablesText = `
  select t.relname as name,
    array(
      select concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then 'not null' end,
        'default ' || pg_get_expr(d.adbin, d.adrelid))
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      order by a.attnum
    ) || array(
      select format('constraint %s %s', c.conname, pg_get_constraintdef(c.oid, true))
      from pg_constraint c
      where c.conrelid = t.oid and c.contype in ('p', 'u', 'x', 'f', 'c')
      order by array_position(array['p', 'u', 'x', 'f', 'c'], c.contype::text), c.conname collate "C"
    ) as lines,
    (
      select array_agg(pg_get_indexdef(i.indexrelid, 0, true) order by x.relname collate "C")
      from pg_index i join pg_class x on x.oid = i.indexrelid
      where i.indrelid = t.oid and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    ) as indexes
  from pg_class t
  where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
  order by t.relname collate "C"`

const viewsText = `
  select v.relname as name, pg_get_viewdef(v.oid, true) as text
  from pg_class v
  where v.relnamespace = current_schema()::regnamespace and v.relkind = 'v'
  order by v.relname collate "C"`

const functionsText = `
  select pg_get_functiondef(p.oid) as text
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.prokind in ('f', 'p')
  order by p.proname collate "C", p.oid::regprocedure::text collate "C"`

const triggersText = `
  select pg_get_triggerdef(g.oid, true) as text
  from pg_trigger g join pg_class t on t.oid = g.tgrelid
  where t.relnamespace = current_schema()::regnamespace and not g.tgisinternal
  order by t.relname collate "C", g.tgname collate "C"`
