// The schema of a run in replies.
import { Type } from 'typebox'
import { Moment } from '../schemas.ts'
import type { RunRow } from './sql.ts'

export const Run = Type.Object({
  runId: Type.String(),
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  startedBy: Type.String(),
  startedAt: Moment,
  endedAt: Type.Union([Moment, Type.Null()]),
  progress: Type.Record(Type.String(), Type.Unknown()),
  result: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
})

export function describeRun(row: RunRow) {
  return {
    runId: row.run_id,
    state: row.state,
    startedBy: row.started_by,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    progress: { ...row.progress },
    result: row.result === null ? null : { ...row.result },
  }
}
