import { fetchStatement, importStatement } from '../../../money/reconciliation/import-statement.ts'
import { requireStatement, requireUsed } from '../../../money/reconciliation/reconcile.ts'
import { isDay, readStatement, type StatementLine } from '../../../money/reconciliation/statement-line.ts'
import {
  explainDifference,
  findStatement,
  listDifferences,
  listStatements,
} from '../../../money/reconciliation/statements.ts'
import { actorOf } from '../../../people/roles/caller.ts'
import type { Actor } from '../../../platform/audit-log/entry.ts'
import { CsvError } from '../../../platform/base/csv.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { domainText } from '../../../platform/errors/page-texts.ts'
import { atField, Problem } from '../../../platform/errors/problem.ts'
import type { Connection } from '../../../rails/contract/protocol.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import { type RunDeps, startRun } from '../runs/run.ts'
import { selectRuns } from '../runs/sql.ts'
import { describeRun } from '../runs/wire.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import { MOST_FILE_BYTES, type reconciliationApi } from './api.ts'

export type ReconciliationDeps = RunDeps & {
  readonly connectionOf: (channel: string) => Pick<Connection, 'statement'> | undefined
}

const RUNS_SHOWN = 5

type Wanted = {
  readonly channel: string
  readonly fileName: string
  readonly by: Actor
  readonly reason: string | undefined
  readonly replaces: string | undefined
  /** The day of the statement. Set if the statement is fetched from the channel. */
  readonly day?: string
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

  async function needStatement(channel: string, statementId: string | undefined): Promise<void> {
    if (statementId === undefined) return
    await requireStatement(db, channel, statementId).catch((error: unknown) => {
      throw error instanceof OperatorRefusal ? atField('replaces', 'Choose from the list.') : error
    })
  }

  async function compare(wanted: Wanted, read: () => Promise<readonly StatementLine[]>): Promise<string> {
    const { channel, fileName, by, reason, day, replaces } = wanted
    await needStatement(channel, replaces)
    const after = { ...wanted.after, ...(replaces !== undefined && { replaces }) }
    const audit = { action: 'reconcile', after, ...(reason !== undefined && { reason }) }
    return startRun(deps, { kind: 'reconcile', by, audit }, async (report) => {
      const lines = await read()
      const progress = (done: number) => report({ done, total: lines.length })
      const from = { channel, fileName, by: by.name, day, replaces, progress }
      const made = await importStatement({ db, clock }, from, lines)
      const { statementId, matched, different, booked } = made
      const withdrawn = made.withdrawn.length
      return { statementId, channel, fileName, lines: lines.length, matched, different, booked, withdrawn }
    })
  }

  return {
    async 'GET /reconciliation/statements'({ query: { channel, after } }) {
      const found = await listStatements(db, { channel, after, limit: PAGE_ROWS + 1 })
      return pageFrom(found.map(toStatement), ({ statementId }) => statementId)
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
      return pageFrom(found.map(toDifference), ({ no }) => String(no))
    },

    async 'GET /reconciliation/imports'() {
      return { runs: (await selectRuns(db, 'reconcile', RUNS_SHOWN)).map(describeRun) }
    },

    async 'POST /reconciliation/imports'({ caller, body }) {
      const { channel, fileName, content, replaces, reason } = body
      await needUsed(channel)
      const lines = await readLines(content)
      const after = { channel, file: fileName, lines: lines.length }
      const by = actorOf(caller)
      return { runId: await compare({ channel, fileName, by, reason, replaces, after }, async () => lines) }
    },

    async 'POST /reconciliation/fetches'({ caller, body }) {
      const { channel, day, replaces, reason } = body
      await needUsed(channel)
      const connection = deps.connectionOf(channel)
      if (connection?.statement === undefined)
        throw atField('channel', 'This channel sends no statements. Import a file.')
      if (!isDay(day)) throw atField('day', 'Choose a day such as 2026-01-31.')
      const wanted = { channel, fileName: `${channel} ${day}`, by: actorOf(caller), reason, replaces, day }
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
  const { listedBy, closedBy, closedAt, note } = difference
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
    ...(listedBy !== undefined && { listedBy }),
    ...(closedBy !== undefined && { closedBy }),
    ...(closedAt && { closedAt: closedAt.toISOString() }),
    ...(note !== undefined && { note }),
  }
}
