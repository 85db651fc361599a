import type { Merchant } from '../../../money/merchants/merchant.ts'
import { actorOf, type Caller, merchantOf } from '../../../people/roles/caller.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import { countEvents } from '../../../platform/http/server/rate-limit.ts'
import { EXERCISES, ONLY_IN_SANDBOX } from '../../exam/run-exam.ts'
import { needMerchant } from '../merchant-of-call.ts'
import type { Call, Handlers } from '../route.ts'
import { isSilent, type RunDeps } from '../runs/run.ts'
import { type RunRow, selectRuns } from '../runs/sql.ts'
import { describeRun } from '../runs/wire.ts'
import type { examsApi } from './api.ts'
import { beginExam, examKind, type RunExam } from './exam-run.ts'

export type ExamsDeps = RunDeps & {
  readonly mode: 'sandbox' | 'live'
  readonly runExam: RunExam
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

/** The number of exams in a reply. The number is low, because an exam contains all its requests and responses. */
const RUNS_SHOWN = 1
const HOUR_MS = 3_600_000
const EXAMS_PER_HOUR = 60

type Body = Call<(typeof examsApi)['POST /exams']>['body']

export function createExamsHandlers(deps: ExamsDeps): Handlers<typeof examsApi> {
  const { db, clock, log, mode } = deps
  const begun = countEvents(HOUR_MS, clock)

  async function begin(caller: Caller, merNo: number, { notifyUrl, stateUrl, orderNos }: Body) {
    if (mode !== 'sandbox') throw new Problem('refused', ONLY_IN_SANDBOX)
    const wanted = {
      merNo,
      notifyUrl: readUrl('notifyUrl', notifyUrl),
      stateUrl: stateUrl === undefined ? undefined : readUrl('stateUrl', stateUrl),
      orderNos,
    }
    if (begun.add(String(merNo)) > EXAMS_PER_HOUR) {
      const seconds = Math.max(1, Math.ceil(begun.msLeft(String(merNo)) / 1000))
      throw new Problem('too-many', `Wait ${seconds} s and try again.`, undefined, seconds)
    }
    const { runId, ended } = await beginExam(deps, deps.runExam, wanted, actorOf(caller))
    ended.catch((err: unknown) => log.error({ err, runId }, 'the end of an exam could not be written'))
    return { runId }
  }

  return {
    async 'GET /exams'({ caller, query }) {
      const rows = await selectRuns(db, examKind(merchantOf(caller, query.merNo)), RUNS_SHOWN)
      const runs = rows.map((row) => describeRun(isSilent(row, clock.now()) ? brokenOff(row) : row))
      return { open: mode === 'sandbox', exercises: EXERCISES, runs }
    },

    'POST /exams': ({ caller, body }) => begin(caller, merchantOf(caller, undefined), body),

    async 'POST /merchants/:merNo/exams'({ caller, params, body }) {
      const { merNo } = await needMerchant(deps, params.merNo)
      return begin(caller, merNo, body)
    },
  }
}

function readUrl(field: string, text: string): URL {
  const url = URL.parse(text.trim())
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url
  const advice = 'Enter a whole address that begins with https:// or http://.'
  throw new Problem('invalid', advice, { [field]: advice })
}

/** Returns the run as failed. The run's node has stopped, so it can no longer write the end of the run. */
function brokenOff(row: RunRow): RunRow {
  const error = 'It was broken off: the program that ran it stopped. Start it again.'
  return { ...row, state: 'failed', result: { ...row.progress, error } }
}
