// Notifications and their attempts, as lists show them.
import type { Fields, NotificationEvent, NotificationState } from './notification.ts'

export type NotificationFilter = {
  readonly merNo?: number | undefined
  readonly tradeNo?: string | undefined
  readonly state?: NotificationState | undefined
  readonly event?: NotificationEvent | undefined
  /** Ids from here on, and below that one. */
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
  /** When the next attempt leaves; null when there is none. */
  readonly dueAt: Date | null
  readonly deliveredAt: Date | null
  readonly failedAt: Date | null
  /** Whether its merchant is paused: nothing is sent until the pause ends. */
  readonly paused: boolean
  /** Status of the last attempt. */
  readonly status: number | null
  readonly error: string | null
}

/** Null until the first attempt is prepared. */
export type WholeNotification = ListedNotification & { readonly body: string | null }

export type ListedAttempt = {
  readonly attemptNo: number
  readonly startedAt: Date
  /** Null while it is under way. */
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
  /** Null until the first attempt is prepared. */
  readonly body: string | null
  readonly queuedAt: Date
}
