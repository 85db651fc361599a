import { type AuditQuery, readAllEntries, readEntries, readEntry } from '../../audit-log/read-entries.ts'
import type { Clock } from '../../base/clock.ts'
import { writeCsv } from '../../base/csv.ts'
import type { Db } from '../../postgres/db.ts'
import { type Caller, isOperator, merchantOf } from '../caller.ts'
import { Problem } from '../problem.ts'
import type { Call, Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { auditApi } from './api.ts'

export type AuditHandlerDeps = { readonly db: Db; readonly clock: Clock }

type Row = Awaited<ReturnType<typeof readEntries>>[number]
type Filters = Call<(typeof auditApi)['GET /audit.csv']>['query']

export function createAuditHandlers({ db, clock }: AuditHandlerDeps): Handlers<typeof auditApi> {
  return {
    async 'GET /audit'({ caller, query }) {
      const { after } = query
      const found = await readEntries(db, { ...queryOf(caller, query), after }, PAGE_ROWS + 1)
      const rows = found.slice(0, PAGE_ROWS).map(lineOf)
      const last = rows.at(-1)
      return found.length > PAGE_ROWS && last !== undefined ? { rows, next: last.entryId } : { rows }
    },

    async 'GET /audit/:entryId'({ caller, params }) {
      const row = await readEntry(db, isOperator(caller) ? undefined : caller.merNo, params.entryId)
      if (row === undefined) throw new Problem('not-found', 'There is no such line.')
      const { address, before = null, after = null } = row
      return { ...lineOf(row), address, before, after }
    },

    async 'GET /audit.csv'({ caller, query }) {
      const day = clock.now().toISOString().slice(0, 10)
      return {
        name: `audit-${day}.csv`,
        type: 'text/csv; charset=utf-8',
        content: csvOf(db, queryOf(caller, query)),
      }
    },
  }
}

function queryOf(caller: Caller, { merNo, actor, action, subject, from, until }: Filters): AuditQuery {
  return {
    merNo: isOperator(caller) ? merNo : merchantOf(caller, merNo),
    actor,
    action,
    subject,
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
  }
}

function lineOf(row: Row) {
  return {
    entryId: row.entry_id,
    merNo: Number(row.mer_no),
    at: row.at.toISOString(),
    actorKind: row.actor_kind,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    reason: row.reason,
  }
}

const head = [
  'time',
  'merchant',
  'kind of actor',
  'actor',
  'address',
  'action',
  'subject',
  'before',
  'after',
  'reason',
]

async function* csvOf(db: Db, query: AuditQuery): AsyncGenerator<string> {
  yield writeCsv(head)
  for await (const rows of readAllEntries(db, query)) yield rows.map(csvLine).join('')
}

function csvLine(row: Row): string {
  const texts = [row.actor_kind, row.actor, row.address ?? '', row.action, row.subject]
  const changes = [row.before, row.after].map((change) => (change ? JSON.stringify(change) : ''))
  const cells = [...texts, ...changes, row.reason ?? ''].map(asText)
  return writeCsv([row.at.toISOString(), String(row.mer_no), ...cells])
}

/** Spreadsheets run cells that begin like a formula; an apostrophe makes them text. */
function asText(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}
