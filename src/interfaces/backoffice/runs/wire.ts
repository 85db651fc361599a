// The schema of a run in replies.
import { Type } from 'typebox'
import { Moment, oneOf, orNull } from '../schemas.ts'
import type { RunRow } from './sql.ts'

export const Run = Type.Object({
  runId: Type.String(),
  state: oneOf('running', 'done', 'failed'),
  startedBy: Type.String(),
  startedAt: Moment,
  endedAt: orNull(Moment),
  progress: Type.Record(Type.String(), Type.Unknown()),
  result: orNull(Type.Record(Type.String(), Type.Unknown())),
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
