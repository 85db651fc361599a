import { type Caller, isOperator, listedMerchant } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import {
  type AuditQuery,
  readAllEntries,
  readEntries,
  readEntry,
} from '../../../platform/audit-log/read-entries.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { writeCsv } from '../../../platform/base/csv.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { recordDownload } from '../audit-lines.ts'
import type { Call, Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { auditApi } from './api.ts'

export type AuditHandlerDeps = { readonly db: Db; readonly clock: Clock }

type Row = Awaited<ReturnType<typeof readEntries>>[number]
type Filters = Call<(typeof auditApi)['GET /audit.csv']>['query']

export function createAuditHandlers({ db, clock }: AuditHandlerDeps): Handlers<typeof auditApi> {
  return {
    async 'GET /audit'({ caller, query }) {
      const { after } = query
      const found = await readEntries(db, { ...queryOf(caller, query), after }, PAGE_ROWS + 1)
      return pageFrom(found.map(lineOf), ({ entryId }) => entryId)
    },

    async 'GET /audit/:entryId'({ caller, params }) {
      const row = await readEntry(db, isOperator(caller) ? undefined : caller.merNo, params.entryId)
      if (row === undefined) throw new Problem('not-found', 'There is no such line.')
      const { address, before = null, after = null } = row
      return { ...lineOf(row), address, before, after }
    },

    async 'GET /audit.csv'({ caller, query }) {
      const name = `audit-${clock.now().toISOString().slice(0, 10)}.csv`
      const asked = queryOf(caller, query)
      await recordDownload({ db, clock }, caller, {
        merNo: asked.merNo ?? PLATFORM,
        subject: name,
        holds: query,
      })
      return { name, type: 'text/csv; charset=utf-8', content: csvOf(db, asked) }
    },
  }
}

function queryOf(caller: Caller, { merNo, actor, action, subject, from, until }: Filters): AuditQuery {
  return {
    merNo: listedMerchant(caller, merNo),
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
  return writeCsv([row.at.toISOString(), String(row.mer_no), ...texts, ...changes, row.reason ?? ''])
}
