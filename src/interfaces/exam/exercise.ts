// The types of an exam's parts. An exercise makes real orders in the sandbox, sends their notifications to the
// merchant's server in the way that the exercise tests, and records the server's responses.
import type { Message, Noted, Signing } from './message.ts'
import type { ExamOrder, ExamOrders } from './orders.ts'

export type Exercise = {
  /** The name, which is also the heading in docs/guides/exam.md. */
  readonly name: string
  readonly title: string
  readonly teaches: string
  readonly todo: string
  /** Makes the orders. The exercises prepare their orders concurrently. */
  prepare(orders: ExamOrders): Promise<Steps>
}

/** Sends the notifications to the merchant's server. Exercises run their steps one after another. */
export type Steps = (server: TestedServer) => Promise<void>

export type TestedServer = {
  readonly signing: Signing
  now(): Date
  /**
   * Sends a notification as the gateway does. The server must acknowledge it. With `slow`, the body is sent in pieces.
   */
  deliver(title: string, notification: Noted, pace?: 'slow'): Promise<void>
  send(title: string, message: Message, wanted: Wanted): Promise<void>
  /** Checks the order's state in the shop. Does nothing if the shop has no address that returns the state. */
  expect(order: ExamOrder, view: Expected): Promise<void>
}

/** The response that the server must give. With `any`, the exam ignores the response, as after a time-out. */
export type Wanted = 'acknowledged' | 'refused' | 'any'

export const shopStates = ['open', 'paid', 'failed', 'refunded', 'charged-back'] as const
export type ShopState = (typeof shopStates)[number]

export type Expected = {
  /** The required state. `unpaid` means that the order may be open or failed. */
  readonly state: ShopState | 'unpaid'
  /** The number of times that the shop must have credited the order. If undefined, any number is right. */
  readonly credits?: number
}

export type Delivery = {
  readonly title: string
  readonly request: string
  readonly status: number | null
  readonly answer: string
  readonly latencyMs: number
  readonly wanted: Wanted
  /** Why the response is wrong. Null if it is right. */
  readonly wrong: string | null
}

export type Exercised = Pick<Exercise, 'name' | 'title' | 'teaches'> & {
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly found: readonly string[]
  /** True if the exam can ask the shop for the state of an order. */
  readonly effectChecked: boolean
  /** The advice. Null if the exercise passed or was skipped. */
  readonly todo: string | null
  readonly deliveries: readonly Delivery[]
}
