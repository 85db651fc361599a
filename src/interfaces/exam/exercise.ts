// The parts of an exam. An exercise makes real orders in the sandbox, sends their notifications to the merchant's
// server in the way that the exercise tests, and records the server's responses.
import type { Message, Noted, Signing } from './message.ts'
import type { ExamOrder, ExamOrders } from './orders.ts'

export type Exercise = {
  /** The name, which is also the heading in docs/guides/exam.md. */
  readonly name: string
  readonly title: string
  readonly teaches: string
  readonly todo: string
  /** Makes the orders. All exercises prepare their orders concurrently. */
  prepare(orders: ExamOrders): Promise<Steps>
}

/** Sends the notifications to the merchant's server. Only one exercise at a time runs its steps. */
export type Steps = (server: TestedServer) => Promise<void>

export type TestedServer = {
  readonly signing: Signing
  now(): Date
  /** Sends a notification as the gateway does. The server must acknowledge it. `slow` sends the body in pieces. */
  deliver(title: string, notification: Noted, pace?: 'slow'): Promise<void>
  send(title: string, message: Message, wanted: Wanted): Promise<void>
  /** Checks an order's state in the shop, if the shop has an address that returns this state. */
  expect(order: ExamOrder, view: Expected): Promise<void>
}

/** The response that the server must give. `any` means that the exam ignores the response, as after a time-out. */
export type Wanted = 'acknowledged' | 'refused' | 'any'

export const shopStates = ['open', 'paid', 'failed', 'refunded', 'charged-back'] as const
export type ShopState = (typeof shopStates)[number]

export type Expected = {
  /** The state, or `unpaid` if the order may be open or failed. */
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
  /** Why the response is wrong, or null if it is right. */
  readonly wrong: string | null
}

export type Exercised = Pick<Exercise, 'name' | 'title' | 'teaches'> & {
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly found: readonly string[]
  /** True if the exam can ask the shop for the state of an order. */
  readonly effectChecked: boolean
  /** The advice, or null if the exercise passed. */
  readonly todo: string | null
  readonly deliveries: readonly Delivery[]
}
