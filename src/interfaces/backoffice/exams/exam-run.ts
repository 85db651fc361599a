// Starts an exam from the back office as a run. A merchant can have only one such run at a time. Every start is
// recorded in the merchant's audit log.
import type { Actor } from '../../../platform/audit-log/entry.ts'
import type { Exercised } from '../../exam/exercise.ts'
import type { ExamReport, ExamWanted } from '../../exam/run-exam.ts'
import { type BegunRun, beginRun, type RunDeps } from '../runs/run.ts'

export type RunExam = (
  wanted: ExamWanted,
  report: (exercises: readonly Exercised[]) => void,
) => Promise<ExamReport>

export function examKind(merNo: number): string {
  return `exam:${merNo}`
}

export function beginExam(deps: RunDeps, run: RunExam, wanted: ExamWanted, by: Actor): Promise<BegunRun> {
  const { merNo, notifyUrl, stateUrl } = wanted
  const after = { notifyUrl: notifyUrl.href, ...(stateUrl !== undefined && { stateUrl: stateUrl.href }) }
  const start = { kind: examKind(merNo), by, audit: { merNo, action: 'exam.start', after } }
  return beginRun(deps, start, (report) => run(wanted, (exercises) => report({ exercises })))
}
