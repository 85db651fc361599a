// Owns the tables risk_entries and risk_rules.

import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { containsAnyCase } from '../../platform/postgres/texts.ts'
import type { Entry } from './entry.ts'
import type { Rule, Trial } from './rule.ts'

type EntryRow = Omit<Entry, 'expiresAt'> & { readonly expiresAt: Date | null }

const entryColumns = `mer_no::float8 as "merNo", entry_id as "entryId", list, kind, value, shown, reason,
  created_at as "createdAt", created_by as "createdBy", expires_at as "expiresAt"`

function toEntry(row: EntryRow): Entry {
  return { ...row, expiresAt: row.expiresAt ?? undefined }
}

export async function selectCurrentEntries(db: Queryable, now: Date): Promise<Entry[]> {
  const rows = await db.query<EntryRow>({
    text: `select ${entryColumns} from risk_entries where expires_at is null or expires_at > $1`,
    values: [now],
  })
  return rows.map(toEntry)
}

export type EntryFilter = {
  readonly merNo: number | undefined
  readonly list: string | undefined
  readonly kind: string | undefined
  /** A part of the shown value. */
  readonly search: string | undefined
  /** The last id of the previous page. */
  readonly after: string | undefined
}

/** Selects entries, newest first. */
export async function selectEntries(db: Queryable, filter: EntryFilter, limit: number): Promise<Entry[]> {
  const { merNo, list, kind, search, after } = filter
  const rows = await db.query<EntryRow>({
    text: `
      select ${entryColumns} from risk_entries
      where ($1::bigint is null or mer_no = $1) and ($2::text is null or list = $2)
        and ($3::text is null or kind = $3) and ($4::text is null or shown ~ $4)
        and ($5::text is null or entry_id < $5)
      order by entry_id desc limit $6`,
    values: [
      merNo ?? null,
      list ?? null,
      kind ?? null,
      search === undefined ? null : containsAnyCase(search),
      after ?? null,
      limit,
    ],
  })
  return rows.map(toEntry)
}

/** Counts the entries that have not expired. Payments are checked against these entries. */
export async function countEntries(tx: Tx, now: Date): Promise<number> {
  const [row] = await tx.query<{ entries: number }>({
    text: 'select count(*)::int as entries from risk_entries where expires_at is null or expires_at > $1',
    values: [now],
  })
  return row?.entries ?? 0
}

/** Inserts an entry. Returns false if the list already has the entry. */
export async function insertEntry(tx: Tx, entry: Entry): Promise<boolean> {
  const rows = await tx.query({
    text: `insert into risk_entries
        (mer_no, entry_id, list, kind, value, shown, reason, created_at, created_by, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (mer_no, list, kind, value) do nothing returning entry_id`,
    values: [
      entry.merNo,
      entry.entryId,
      entry.list,
      entry.kind,
      entry.value,
      entry.shown,
      entry.reason,
      entry.createdAt,
      entry.createdBy,
      entry.expiresAt ?? null,
    ],
  })
  return rows.length > 0
}

/** Deletes the expired entry with the same subject as a new entry. */
export async function deleteExpired(tx: Tx, { merNo, list, kind, value, createdAt }: Entry): Promise<void> {
  await tx.query({
    text: `delete from risk_entries
      where mer_no = $1 and list = $2 and kind = $3 and value = $4 and expires_at <= $5`,
    values: [merNo, list, kind, value, createdAt],
  })
}

/** Deletes entries that have expired. Returns true if there may be more. */
export async function deleteEntriesExpired(db: Queryable, before: Date, limit: number): Promise<boolean> {
  const rows = await db.query({
    text: `delete from risk_entries where ctid in (select ctid from risk_entries where expires_at < $1 limit $2)
      returning 1 as done`,
    values: [before, limit],
  })
  return rows.length === limit
}

export async function selectEntry(db: Queryable, merNo: number, entryId: string): Promise<Entry | undefined> {
  const [row] = await db.query<EntryRow>({
    text: `select ${entryColumns} from risk_entries where mer_no = $1 and entry_id = $2`,
    values: [merNo, entryId],
  })
  return row && toEntry(row)
}

/** Deletes an entry. Returns false if there is no such entry. */
export async function deleteEntry(tx: Tx, merNo: number, entryId: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from risk_entries where mer_no = $1 and entry_id = $2 returning entry_id',
    values: [merNo, entryId],
  })
  return rows.length > 0
}

type RuleRow = Omit<Rule, 'triedAt' | 'tried'> & {
  readonly triedAt: Date | null
  readonly tried: Trial | null
}

const ruleColumns = `mer_no::float8 as "merNo", rule_id as "ruleId", name, action, conditions, state, version,
  created_at as "createdAt", created_by as "createdBy", changed_at as "changedAt", changed_by as "changedBy",
  tried_at as "triedAt", tried`

function toRule(row: RuleRow): Rule {
  return { ...row, triedAt: row.triedAt ?? undefined, tried: row.tried ?? undefined }
}

export async function selectActiveRules(db: Queryable): Promise<Rule[]> {
  const rows = await db.query<RuleRow>({
    text: `select ${ruleColumns} from risk_rules where state in ('watching', 'on') order by mer_no, rule_id`,
  })
  return rows.map(toRule)
}

/** Selects rules, newest first. */
export async function selectRules(db: Queryable, limit: number): Promise<Rule[]> {
  const rows = await db.query<RuleRow>({
    text: `select ${ruleColumns} from risk_rules order by rule_id desc limit $1`,
    values: [limit],
  })
  return rows.map(toRule)
}

export async function selectRule(
  db: Queryable,
  merNo: number,
  ruleId: string,
  lock: '' | 'for update' = '',
): Promise<Rule | undefined> {
  const [row] = await db.query<RuleRow>({
    text: `select ${ruleColumns} from risk_rules where mer_no = $1 and rule_id = $2 ${lock}`,
    values: [merNo, ruleId],
  })
  return row && toRule(row)
}

/** Inserts the rule, or replaces its earlier version. */
export async function saveRule(tx: Tx, rule: Rule): Promise<void> {
  await tx.query({
    text: `insert into risk_rules (mer_no, rule_id, name, action, conditions, state, version, created_at, created_by,
        changed_at, changed_by, tried_at, tried)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      on conflict (mer_no, rule_id) do update set name = excluded.name, action = excluded.action,
        conditions = excluded.conditions, state = excluded.state, version = excluded.version,
        changed_at = excluded.changed_at, changed_by = excluded.changed_by, tried_at = excluded.tried_at,
        tried = excluded.tried`,
    values: [
      rule.merNo,
      rule.ruleId,
      rule.name,
      rule.action,
      JSON.stringify(rule.conditions),
      rule.state,
      rule.version,
      rule.createdAt,
      rule.createdBy,
      rule.changedAt,
      rule.changedBy,
      rule.triedAt ?? null,
      rule.tried === undefined ? null : JSON.stringify(rule.tried),
    ],
  })
}

/** Announces a change to every node when the transaction commits. */
export async function announceRisk(tx: Tx): Promise<void> {
  await tx.query({ text: `select pg_notify('risk', '')` })
}
