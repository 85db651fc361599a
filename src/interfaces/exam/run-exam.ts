// Runs an exam, from the first order to the checklist. Every exam has bounds: each exercise sends only a few
// notifications, each delivery has at most the usual time limit, and nothing is sent after five minutes. After a crash,
// only sandbox orders remain.
import type { KeyObject } from 'node:crypto'
import type { Merchant } from '../../money/merchants/merchant.ts'
import { signerFor } from '../../money/merchants/sign-fields.ts'
import type { Pace, Sender } from '../../money/notifications/send.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { type CheckItem, type ChecklistDeps, makeChecklist } from './checklist.ts'
import type { Exercise, Exercised, Steps } from './exercise.ts'
import { firstExercise, otherExercises } from './exercises.ts'
import { type ExamOrders, NotPossible, type OrdersDeps, openOrders } from './orders.ts'
import { type ExamContext, runExercise, skipped } from './run-exercise.ts'

export type ExamDeps = OrdersDeps &
  ChecklistDeps & {
    readonly mode: 'sandbox' | 'live'
    readonly platformKey: KeyObject
    openSender(pace?: Pace): Sender
  }

export type ExamWanted = {
  readonly merNo: number
  readonly notifyUrl: URL
  readonly stateUrl: URL | undefined
  /** Numbers of the shop's orders, one for each order of the exam. If undefined, the exam generates the numbers. */
  readonly orderNos: readonly string[] | undefined
}

export type ExamReport = {
  readonly notifyUrl: string
  readonly passed: boolean
  readonly exercises: readonly Exercised[]
  readonly checklist: readonly CheckItem[]
}

export const EXERCISES = 1 + otherExercises.length
export const ONLY_IN_SANDBOX =
  'The exam runs only in sandbox: it makes orders and sends forged notifications.'

const MOST_MS = 300_000
const HASTY_MS = 300
/** The pause between two pieces of a body. A body has five pieces, so the four pauses take two seconds together. */
const PAUSE_MS = 500

/** Runs an exam. After each exercise, `report` gets the results of all exercises so far. */
export async function runExam(
  deps: ExamDeps,
  wanted: ExamWanted,
  report: (exercises: readonly Exercised[]) => void,
): Promise<ExamReport> {
  const { merNo, notifyUrl, stateUrl, orderNos } = wanted
  if (deps.mode !== 'sandbox') throw new OperatorRefusal(ONLY_IN_SANDBOX)
  const merchant = await deps.findMerchant(merNo)
  if (merchant === undefined) throw new OperatorRefusal(`there is no merchant ${merNo}`)
  const orders = openOrders(deps, merchant, orderNos)
  const context = openContext(deps, merchant, { notifyUrl, stateUrl })
  try {
    const exercises = await runAll(context, orders, report)
    const passed = exercises[0]?.state === 'passed' && exercises.every(({ state }) => state !== 'failed')
    const numbers = orders.numbers()
    const now = deps.clock.now()
    const checklist = await makeChecklist(deps, { merchant, passed, notifyUrl, numbers, now })
    return { notifyUrl: notifyUrl.href, passed, exercises, checklist }
  } finally {
    context.sender.close()
    context.hastySender.close()
    context.slowSender.close()
  }
}

function openContext(
  { clock, platformKey, openSender }: ExamDeps,
  merchant: Merchant,
  urls: Pick<ExamContext, 'notifyUrl' | 'stateUrl'>,
): ExamContext {
  return {
    ...urls,
    clock,
    signing: { signer: signerFor(merchant, platformKey), webhookSecret: merchant.webhookSecret },
    sender: openSender(),
    hastySender: openSender({ timeoutMs: HASTY_MS }),
    slowSender: openSender({ pauseMs: PAUSE_MS }),
    untilMs: performance.now() + MOST_MS,
  }
}

async function runAll(
  context: ExamContext,
  orders: ExamOrders,
  report: (exercises: readonly Exercised[]) => void,
): Promise<readonly Exercised[]> {
  const done: Exercised[] = []
  const add = (one: Exercised) => {
    done.push(one)
    report([...done])
  }
  add(await runOne(context, firstExercise, prepared(firstExercise, orders)))
  if (done[0]?.state !== 'passed') {
    const why = `Not run: "${firstExercise.title}" comes first.`
    return [...done, ...otherExercises.map((exercise) => skipped(exercise, why))]
  }
  // The orders are made concurrently, because the sandbox needs up to 15 seconds for some of them.
  const waiting = otherExercises.map((exercise) => ({ exercise, steps: prepared(exercise, orders) }))
  for (const { exercise, steps } of waiting) add(await runOne(context, exercise, steps))
  return done
}

/**
 * Prepares an exercise. The promise never rejects, because nobody awaits it yet. If the preparation fails, the promise
 * resolves to steps that throw the error.
 */
function prepared(exercise: Exercise, orders: ExamOrders): Promise<Steps> {
  return exercise.prepare(orders).catch((error: unknown) => () => Promise.reject(error))
}

async function runOne(context: ExamContext, exercise: Exercise, steps: Promise<Steps>): Promise<Exercised> {
  try {
    return await runExercise(context, exercise, await steps)
  } catch (error) {
    if (error instanceof NotPossible || error instanceof OperatorRefusal)
      return skipped(exercise, error.message)
    throw error
  }
}
