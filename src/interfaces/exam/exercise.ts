// What an exam consists of. An exercise makes real orders in the sandbox, then sends their notifications to the merchant's
// server in the way that it is about, and notes how the server answered.
import type { Message, Noted, Signing } from './message.ts'
import type { ExamOrder, ExamOrders } from './orders.ts'

export type Exercise = {
  /** Also the heading in docs/guides/exam.md. */
  readonly name: string
  readonly title: string
  /** What a shop must do, and why. */
  readonly teaches: string
  /** What to do when it fails. */
  readonly todo: string
  /** Makes the orders. Runs beside the preparation of other exercises. */
  prepare(orders: ExamOrders): Promise<Steps>
}

/** What it sends to the merchant's server. One exercise at a time does so. */
export type Steps = (server: TestedServer) => Promise<void>

export type TestedServer = {
  readonly signing: Signing
  now(): Date
  /** Sends a notification as the gateway does: it must be acknowledged. `slow`: in pieces, with pauses. */
  deliver(title: string, notification: Noted, pace?: 'slow'): Promise<void>
  send(title: string, message: Message, wanted: Wanted): Promise<void>
  /** Asks the shop for its view of an order, if it has an address for that. */
  expect(order: ExamOrder, view: Expected): Promise<void>
}

/** `any`: the exam does not look at the answer, as after a time-out. */
export type Wanted = 'acknowledged' | 'refused' | 'any'

export const shopStates = ['open', 'paid', 'failed', 'refunded', 'charged-back'] as const
export type ShopState = (typeof shopStates)[number]

export type Expected = {
  readonly state: ShopState
  /** How often the order must have been credited, if that matters. */
  readonly credits?: number
}

export type Delivery = {
  readonly title: string
  /** The head and the body as they were sent. */
  readonly request: string
  /** Null without an answer. */
  readonly status: number | null
  readonly answer: string
  readonly latencyMs: number
  readonly wanted: Wanted
  /** Why it was not answered as it should; null if it was. */
  readonly wrong: string | null
}

export type Exercised = Pick<Exercise, 'name' | 'title' | 'teaches'> & {
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What was seen, in words, a line each. */
  readonly found: readonly string[]
  /** Whether the shop was asked what it did. */
  readonly effectChecked: boolean
  /** What to do next; null if it passed. */
  readonly todo: string | null
  readonly deliveries: readonly Delivery[]
}
