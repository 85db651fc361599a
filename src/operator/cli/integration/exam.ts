import { beginExam, type RunExam } from '../../../interfaces/backoffice/exams/exam-run.ts'
import type { CheckItem } from '../../../interfaces/exam/checklist.ts'
import type { Exercised } from '../../../interfaces/exam/exercise.ts'
import {
  type ExamDeps,
  type ExamReport,
  type ExamWanted,
  ONLY_IN_SANDBOX,
  runExam,
} from '../../../interfaces/exam/run-exam.ts'
import { openPlatformKey } from '../../../money/merchants/platform-key.ts'
import { openSender } from '../../../money/notifications/send.ts'
import type { Rates } from '../../../money/rates/rates.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Call, Command, Result, Tools } from '../command.ts'
import { commandActor, withRates } from '../shared/actor.ts'
import { demoMerchant } from '../shared/demo-merchant.ts'
import { plain } from '../shared/print.ts'
import { findMerchant, givenMerNo } from '../shared/show-merchant.ts'

const exam: Command = {
  name: 'exam',
  summary: "Test a merchant's own server against a hostile world, in the running sandbox",
  options: {
    'notify-url': { value: 'URL', required: true, help: "where the merchant's server takes notifications" },
    'state-url': {
      value: 'URL',
      help: 'where it tells its view of an order (default: effects are not checked)',
    },
    orders: { value: 'A,B,…', help: 'order numbers that the shop knows (default: the exam makes them up)' },
    'mer-no': { value: 'MERNO', help: 'the merchant (default: the demo merchant)' },
    url: { value: 'URL', help: "the gateway's address (default: TOLLGATE_BASE_URL)" },
  },
  run: examine,
}

async function examine({ given, tools }: Call): Promise<Result> {
  const { mode } = tools.config()
  if (mode !== 'sandbox') throw new OperatorRefusal(ONLY_IN_SANDBOX)
  const stateUrl = given.text('state-url')
  const wanted: ExamWanted = {
    merNo: givenMerNo(given) ?? (await demoMerchant(tools)).merNo,
    notifyUrl: readUrl('--notify-url', given.text('notify-url') ?? ''),
    stateUrl: stateUrl === undefined ? undefined : readUrl('--state-url', stateUrl),
    orderNos: given.text('orders')?.split(','),
  }
  await findMerchant(await tools.database(), tools, wanted.merNo)
  const gatewayUrl = readUrl('--url', given.text('url') ?? tools.config().baseUrl).href.replace(/\/$/, '')
  const { checklist, ...report } = await withRates(tools, async ({ rates }) =>
    follow(tools, wanted, await depsOf(tools, rates, gatewayUrl)),
  )
  const text = [`\n${summary(report)}`, '\nBefore you go live:', ...checklist.map(checkLine)].join('\n')
  return { json: { ...report, checklist }, text, status: report.passed ? 0 : 1 }
}

function readUrl(option: string, text: string): URL {
  const url = URL.parse(text)
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url
  throw new OperatorRefusal(`${option} must be an http or https address`)
}

async function follow(tools: Tools, wanted: ExamWanted, deps: ExamDeps): Promise<ExamReport> {
  const printed: Promise<void>[] = []
  let exam: Promise<ExamReport> | undefined
  const runReported: RunExam = (of, report) => {
    exam = runExam(deps, of, (exercises) => {
      const latest = exercises.at(-1)
      if (latest !== undefined && !tools.asJson) printed.push(tools.print(linesOf(latest)))
      report(exercises)
    })
    return exam
  }
  const log = { error: (_: object, message: string) => tools.say(message) }
  const { ended } = await beginExam({ ...deps, log }, runReported, wanted, commandActor())
  await ended
  await Promise.all(printed)
  if (exam === undefined) throw new Error('the exam did not begin')
  return exam
}

async function depsOf(tools: Tools, rates: Rates, gatewayUrl: string): Promise<ExamDeps> {
  const db = await tools.database()
  const vault = await tools.vault()
  const config = tools.config()
  const { privateKey } = await openPlatformKey(db, vault, tools.clock.now())
  return {
    db,
    vault,
    clock: tools.clock,
    rates,
    mode: config.mode,
    platformKey: privateKey,
    gatewayUrl,
    findMerchant: (merNo) => findMerchant(db, tools, merNo),
    openSender: (pace) => openSender(config, pace),
  }
}

const marks = { passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const

function linesOf({ name, title, teaches, state, found, todo }: Exercised): string {
  const lines = [
    ...found.map(plain),
    ...(todo === null ? [] : [teaches, `→ ${todo}`, `docs/guides/exam.md#${name}`]),
  ]
  return [`${marks[state]}  ${title}`, ...lines.map((line) => `         ${line}`), ''].join('\n')
}

function summary({ exercises, passed }: Pick<ExamReport, 'exercises' | 'passed'>): string {
  const count = (state: Exercised['state']) => exercises.filter((one) => one.state === state).length
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} not run`
  return `${passed ? 'Passed' : 'Not passed'}: ${counts}.`
}

function checkLine({ done, optional, todo }: CheckItem): string {
  return `  [${done ? 'x' : ' '}] ${todo}${optional ? ' (optional)' : ''}`
}

export const examCommands: readonly Command[] = [exam]
