// The types of notifications and of their lists, and the content type and acknowledging responses of each event.

export type NotificationEvent = 'payment' | 'payout' | 'review' | 'refund' | 'chargeback'

/** The fields that the merchant reads. The signature is added when the body is created. */
export type Fields = Readonly<Record<string, string | number>>

export type Notification = {
  readonly merNo: number
  readonly tradeNo: string
  readonly event: NotificationEvent
  /** The merchant's address. If it is empty, nothing is sent. */
  readonly url: string
  readonly fields: Fields
  readonly at: Date
  /** True if this is certainly the first notification of its order, so that it waits for no earlier notification. */
  readonly isFirst?: boolean
}

type EventRule = {
  readonly contentType: 'form' | 'json'
  /** The response bodies that acknowledge the event, compared without surrounding white space. */
  readonly acknowledgedBy: readonly string[]
}

const eitherCase = ['SUCCESS', 'success']

export const eventRules: Readonly<Record<NotificationEvent, EventRule>> = {
  payment: { contentType: 'form', acknowledgedBy: eitherCase },
  payout: { contentType: 'form', acknowledgedBy: eitherCase },
  review: { contentType: 'form', acknowledgedBy: eitherCase },
  refund: { contentType: 'json', acknowledgedBy: ['SUCCESS'] },
  chargeback: { contentType: 'json', acknowledgedBy: eitherCase },
}

/**
 * A notification is `pending` before its first failed attempt, and `retrying` after a failed attempt if another attempt
 * follows. If the notification was acknowledged before, only the attempts since the resend count.
 */
export type NotificationState = 'pending' | 'retrying' | 'delivered' | 'failed'

export const notificationStates: readonly NotificationState[] = ['pending', 'retrying', 'delivered', 'failed']

export function isAcknowledged(event: NotificationEvent, status: number, answer: string): boolean {
  return status >= 200 && status < 300 && eventRules[event].acknowledgedBy.includes(answer.trim())
}

export const LIST_LIMIT = 200

/** The conditions that the notifications of a list meet. Every condition is optional. */
export type NotificationFilter = {
  readonly merNo?: number | undefined
  readonly tradeNo?: string | undefined
  readonly state?: NotificationState | undefined
  readonly event?: NotificationEvent | undefined
  /** The range of ids: `from` is included, `below` is not. */
  readonly from?: string | undefined
  readonly below?: string | undefined
}

export type ListedNotification = {
  readonly merNo: number
  readonly notificationId: string
  readonly tradeNo: string
  readonly event: NotificationEvent
  readonly url: string
  readonly state: NotificationState
  readonly attempts: number
  readonly madeAt: Date
  /** The due time of the attempt in progress, or of the next attempt. Null if there is no such attempt. */
  readonly dueAt: Date | null
  readonly deliveredAt: Date | null
  readonly failedAt: Date | null
  /** True if the merchant is paused: nothing is sent until the pause ends. */
  readonly paused: boolean
  /** The status and the error of the last attempt that has ended. */
  readonly status: number | null
  readonly error: string | null
}

/** A notification with its body. The body is null until an attempt fails and stores the body for later attempts. */
export type WholeNotification = ListedNotification & { readonly body: string | null }

export type ListedAttempt = {
  readonly attemptNo: number
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly status: number | null
  readonly latencyMs: number | null
  readonly answer: string | null
  readonly error: string | null
}

export type NewNotification = {
  readonly notificationId: string
  readonly tradeNo: string
  readonly event: NotificationEvent
  readonly fields: Fields
  readonly body: string | null
  readonly queuedAt: Date
}

/** A server of a merchant, and how it answered the attempts of the merchant's newest notifications of the last day. */
export type Endpoint = {
  readonly merNo: number
  /** The scheme, host and port of the addresses, without the path, because each order may have a path of its own. */
  readonly origin: string
  readonly attempts: number
  readonly acknowledged: number
  readonly lastAt: Date
  /** The status of the last attempt. Null if there was no answer. */
  readonly status: number | null
  readonly error: string | null
}
