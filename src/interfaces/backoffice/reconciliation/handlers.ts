import type { Actor } from '../../audit-log/entry.ts'
import { CsvError } from '../../base/csv.ts'
import type { Connection } from '../../channels/protocol.ts'
import { OperatorRefusal } from '../../errors/catalogue.ts'
import { explainDifference } from '../../reconciliation/close-differences.ts'
import { fetchStatement } from '../../reconciliation/fetch-statement.ts'
import { importStatement } from '../../reconciliation/import-statement.ts'
import { findStatement, listDifferences, listStatements } from '../../reconciliation/list-statements.ts'
import { requireUsed } from '../../reconciliation/reconcile.ts'
import { isDay, readStatement, type StatementLine } from '../../reconciliation/statement-line.ts'
import { actorOf } from '../caller.ts'
import { domainText } from '../field-texts.ts'
import { toMoney } from '../money.ts'
import { atField, Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import { type RunDeps, startRun } from '../runs/run.ts'
import { describeRun } from '../runs/runs.ts'
import { selectRuns } from '../runs/sql.ts'
import { PAGE_ROWS } from '../schemas.ts'
import { MOST_FILE_BYTES, type reconciliationApi } from './api.ts'

export type ReconciliationDeps = RunDeps & {
  /** Undefined if there is no such channel. */
  readonly connectionOf: (channel: string) => Pick<Connection, 'statement'> | undefined
}

const RUNS_SHOWN = 5

type Wanted = {
  readonly channel: string
  readonly fileName: string
  readonly by: Actor
  readonly reason: string | undefined
  /** For the audit log. */
  readonly after: Readonly<Record<string, unknown>>
}

type Listed = Awaited<ReturnType<typeof listStatements>>[number]
type Stored = Awaited<ReturnType<typeof listDifferences>>[number]

export function createReconciliationHandlers(deps: ReconciliationDeps): Handlers<typeof reconciliationApi> {
  const { db, clock } = deps

  async function needUsed(channel: string): Promise<void> {
    await requireUsed(db, channel).catch((error: unknown) => {
      if (!(error instanceof OperatorRefusal)) throw error
      throw atField('channel', 'No money has ever passed through this channel. Check its name.')
    })
  }

  function compare(wanted: Wanted, read: () => Promise<readonly StatementLine[]>): Promise<string> {
    const { channel, fileName, by, reason, after } = wanted
    const audit = { action: 'reconcile', after, ...(reason !== undefined && { reason }) }
    return startRun(deps, { kind: 'reconcile', by, audit }, async (report) => {
      const lines = await read()
      const progress = (done: number) => report({ done, total: lines.length })
      const from = { channel, fileName, by: by.name, progress }
      const { statementId, matched, different, booked } = await importStatement({ db, clock }, from, lines)
      return { statementId, channel, fileName, lines: lines.length, matched, different, booked }
    })
  }

  return {
    async 'GET /reconciliation/statements'({ query: { channel, after } }) {
      const found = await listStatements(db, { channel, after, limit: PAGE_ROWS + 1 })
      const rows = found.slice(0, PAGE_ROWS).map(toStatement)
      const last = rows.at(-1)
      return { rows, ...(found.length > PAGE_ROWS && last && { next: last.statementId }) }
    },

    async 'GET /reconciliation/statements/:statementId'({ params }) {
      const found = await findStatement(db, params.statementId)
      if (found === undefined) throw new Problem('not-found', 'There is no such statement.')
      return { statement: toStatement(found) }
    },

    async 'GET /reconciliation/statements/:statementId/differences'({ params, query }) {
      const { state, after } = query
      const found = await listDifferences(db, {
        statementId: params.statementId,
        isOpen: state === undefined ? undefined : state === 'open',
        after: Number(after ?? 0) || 0,
        limit: PAGE_ROWS + 1,
      })
      const rows = found.slice(0, PAGE_ROWS).map(toDifference)
      const last = rows.at(-1)
      return { rows, ...(found.length > PAGE_ROWS && last && { next: String(last.no) }) }
    },

    async 'GET /reconciliation/imports'() {
      return { runs: (await selectRuns(db, 'reconcile', RUNS_SHOWN)).map(describeRun) }
    },

    async 'POST /reconciliation/imports'({ caller, body: { channel, fileName, content, reason } }) {
      await needUsed(channel)
      const lines = await readLines(content)
      const after = { channel, file: fileName, lines: lines.length }
      const by = actorOf(caller)
      return { runId: await compare({ channel, fileName, by, reason, after }, async () => lines) }
    },

    async 'POST /reconciliation/fetches'({ caller, body: { channel, day, reason } }) {
      await needUsed(channel)
      const connection = deps.connectionOf(channel)
      if (connection?.statement === undefined)
        throw atField('channel', 'This channel sends no statements. Import a file.')
      if (!isDay(day)) throw atField('day', 'Choose a day such as 2026-01-31.')
      const wanted = { channel, fileName: `${channel} ${day}`, by: actorOf(caller), reason }
      const fetch = () => fetchStatement(connection, channel, day)
      return { runId: await compare({ ...wanted, after: { channel, day } }, fetch) }
    },

    async 'POST /reconciliation/statements/:statementId/differences/:no/explain'({ caller, params, body }) {
      await explainDifference({ db, clock }, { ...params, note: body.reason, actor: actorOf(caller) })
      return {}
    },
  }
}

async function readLines(content: string): Promise<StatementLine[]> {
  if (Buffer.byteLength(content) > MOST_FILE_BYTES)
    throw atField('content', 'The file has more than 8 MiB. Import it by the command line, or split it.')
  try {
    return await readStatement(pieces(content))
  } catch (error) {
    if (!(error instanceof OperatorRefusal || error instanceof CsvError)) throw error
    throw atField('content', domainText(error.message))
  }
}

async function* pieces(content: string): AsyncGenerator<string> {
  yield content
}

function toStatement({ days, fees, importedAt, ...rest }: Listed) {
  return {
    ...rest,
    from: days?.first ?? null,
    to: days?.last ?? null,
    fees: Object.entries(fees).map(([currency, amount]) => ({ amount, currency })),
    importedAt: importedAt.toISOString(),
  }
}

function toDifference(difference: Stored) {
  const { no, kind, type, reference, line, tradeNo, theirs, ours, suspenseId, state } = difference
  const { closedBy, closedAt, note } = difference
  return {
    no,
    kind,
    type,
    reference,
    state,
    ...(line !== undefined && { line }),
    ...(tradeNo !== undefined && { tradeNo }),
    ...(theirs && { theirs: toMoney(theirs) }),
    ...(ours && { ours: toMoney(ours) }),
    ...(suspenseId !== undefined && { suspenseId }),
    ...(closedBy !== undefined && { closedBy }),
    ...(closedAt && { closedAt: closedAt.toISOString() }),
    ...(note !== undefined && { note }),
  }
}
