// Runs one exercise: sends its notifications with the client for real deliveries, asks the shop for the order's state,
// and derives the result from the responses.
import { whyNotDelivered } from '../../money/notifications/attempt.ts'
import { isAcknowledged } from '../../money/notifications/notification.ts'
import type { Sender, SendOutcome } from '../../money/notifications/send.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { isObject } from '../../platform/base/object.ts'
import { parseJson } from '../../platform/http/client/http-client.ts'
import {
  type Delivery,
  type Exercise,
  type Exercised,
  type Expected,
  type ShopState,
  type Steps,
  shopStates,
  type TestedServer,
  type Wanted,
} from './exercise.ts'
import { type Message, messageOf, type Signing, sealed, written } from './message.ts'
import { type ExamOrder, NotPossible } from './orders.ts'

export type ExamContext = {
  readonly clock: Clock
  readonly notifyUrl: URL
  readonly stateUrl: URL | undefined
  readonly signing: Signing
  readonly sender: Sender
  /** A client that does not wait for the response. */
  readonly hastySender: Sender
  /** A client that sends a body in pieces, with pauses between them. */
  readonly slowSender: Sender
  /** The time after which the exam sends nothing, as a value of `performance.now()`. */
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
    // Ends the exercise, because a server that does not respond would use up the time of the exam.
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

// A shop may have an address that returns the state of an order in the shop. With this address, the exam also checks
// the effect of notifications.
type ShopAddress = { readonly url: URL; readonly sender: Sender; readonly signing: Signing }

type View = { readonly state: ShopState; readonly credits: number | undefined }

async function whyWrongView(
  shop: ShopAddress,
  order: ExamOrder,
  expected: Expected,
  at: Date,
): Promise<string | undefined> {
  const view = await askShop(shop, order, at)
  if (typeof view === 'string') return view
  const { state, credits } = view
  const { merOrderNo } = order
  const right: readonly ShopState[] = expected.state === 'unpaid' ? ['open', 'failed'] : [expected.state]
  if (!right.includes(state))
    return `Your shop says that order ${merOrderNo} is ${state}; it should be ${right.join(' or ')}.`
  if (credits === undefined || expected.credits === undefined || credits === expected.credits)
    return undefined
  return `Your shop has credited order ${merOrderNo} ${times(credits)}; it should be ${times(expected.credits)}.`
}

/** Asks the shop for the state of the order. If there is no readable response, returns a sentence about the problem. */
async function askShop({ url, sender, signing }: ShopAddress, order: ExamOrder, at: Date) {
  const { merOrderNo, tradeNo } = order
  const body = new URLSearchParams({ merOrderNo, tradeNo }).toString()
  const asked = sealed({ notificationId: `state-${tradeNo}`, event: 'payment' }, body, signing, at)
  const { status, answer, error } = await sender.send({ url, headers: asked.headers, body })
  if (error !== undefined) return `The state address gave no answer: ${error}.`
  if (status !== 200) return `The state address answered ${status}; it should be 200.`
  return (
    readView(parseJson(answer)) ?? `The state address did not answer {"state": "${shopStates.join('|')}"}.`
  )
}

function readView(answer: unknown): View | undefined {
  if (!isObject(answer)) return undefined
  const state = shopStates.find((one) => one === answer.state)
  const { credits } = answer
  if (state === undefined) return undefined
  return { state, credits: typeof credits === 'number' ? credits : undefined }
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 0 ? 'not at all' : `${count} times`
}
