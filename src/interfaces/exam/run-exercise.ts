// Runs one exercise: sends its notifications by the delivery client, and turns the answers into a verdict.
import type { Clock } from '../base/clock.ts'
import { whyNotDelivered } from '../notifications/attempt.ts'
import { isAcknowledged } from '../notifications/notification.ts'
import type { Sender, SendOutcome } from '../notifications/send.ts'
import { whyWrongView } from './ask-shop.ts'
import type { Delivery, Exercise, Exercised, Steps, TestedServer, Wanted } from './exercise.ts'
import { type Message, messageOf, type Signing, written } from './message.ts'
import { NotPossible } from './not-possible.ts'

export type ExamContext = {
  readonly clock: Clock
  readonly notifyUrl: URL
  readonly stateUrl: URL | undefined
  readonly signing: Signing
  readonly sender: Sender
  /** Does not wait for the answer. */
  readonly hastySender: Sender
  /** Sends a body in pieces, with pauses. */
  readonly slowSender: Sender
  /** When the exam must be over, by `performance.now()`. */
  readonly untilMs: number
}

const SHOWN_ANSWER = 300

export async function runExercise(
  context: ExamContext,
  exercise: Exercise,
  steps: Steps,
): Promise<Exercised> {
  const deliveries: Delivery[] = []
  const wrongViews: string[] = []
  try {
    await steps(openServer(context, deliveries, wrongViews))
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error
    const isFine = wrongViews.length === 0 && deliveries.every(({ wrong }) => wrong === null)
    if (isFine) return { ...skipped(exercise, error.message), deliveries }
  }
  const wrong = deliveries.flatMap((one) => (one.wrong === null ? [] : [`${one.title}: ${one.wrong}`]))
  return judged(context, exercise, deliveries, [...wrong, ...wrongViews])
}

function judged(
  { stateUrl }: ExamContext,
  exercise: Exercise,
  deliveries: readonly Delivery[],
  wrong: readonly string[],
): Exercised {
  const effectChecked = stateUrl !== undefined
  const about = { ...namesOf(exercise), effectChecked, deliveries }
  if (wrong.length > 0) return { ...about, state: 'failed', found: wrong, todo: exercise.todo }
  const found = [`Answered as it should${effectChecked ? ', with the right effect' : '; effect not checked'}`]
  return { ...about, state: 'passed', found, todo: null }
}

export function skipped(exercise: Exercise, why: string): Exercised {
  const about = { ...namesOf(exercise), effectChecked: false, deliveries: [] }
  return { ...about, state: 'skipped', found: [why], todo: null }
}

function namesOf({ name, title, teaches }: Exercise): Pick<Exercised, 'name' | 'title' | 'teaches'> {
  return { name, title, teaches }
}

function openServer(context: ExamContext, deliveries: Delivery[], wrongViews: string[]): TestedServer {
  const { clock, notifyUrl, stateUrl, signing, sender } = context
  const checkTime = () => {
    if (performance.now() > context.untilMs) throw new NotPossible('The time of the exam was over.')
  }
  const sendBy = async (by: Sender, title: string, message: Message, wanted: Wanted) => {
    checkTime()
    const outcome = await by.send({ url: notifyUrl, headers: message.headers, body: message.body })
    const delivery = toDelivery(title, message, wanted, outcome, notifyUrl)
    deliveries.push(delivery)
    // A server that hangs would take the whole time of the exam.
    if (wanted === 'acknowledged' && outcome.unreachable) throw new NotPossible(delivery.wrong ?? '')
  }
  return {
    signing,
    now: () => clock.now(),
    send: (title, message, wanted) =>
      sendBy(wanted === 'any' ? context.hastySender : sender, title, message, wanted),
    deliver: async (title, notification, pace) => {
      const message = await messageOf(notification, signing, clock.now())
      await sendBy(pace === 'slow' ? context.slowSender : sender, title, message, 'acknowledged')
    },
    async expect(order, expected) {
      if (stateUrl === undefined) return
      checkTime()
      const wrong = await whyWrongView({ url: stateUrl, sender, signing }, order, expected, clock.now())
      if (wrong !== undefined) wrongViews.push(wrong)
    },
  }
}

function toDelivery(
  title: string,
  message: Message,
  wanted: Wanted,
  outcome: SendOutcome,
  url: URL,
): Delivery {
  const { status = null, answer, latencyMs } = outcome
  const wrong = whyWrong(message, wanted, outcome) ?? null
  const request = written(message, url)
  return { title, request, status, answer: answer.slice(0, SHOWN_ANSWER), latencyMs, wanted, wrong }
}

function whyWrong({ event }: Message, wanted: Wanted, outcome: SendOutcome): string | undefined {
  if (wanted === 'any') return undefined
  if (wanted === 'acknowledged') return whyNotDelivered(event, outcome)
  const { status = 0, answer, error } = outcome
  const isTaken = error === undefined && isAcknowledged(event, status, answer)
  return isTaken ? 'acknowledged, and should have been refused' : undefined
}
