// The types of notifications, and for each event its content type and the responses that acknowledge it.

export type NotificationEvent = 'payment' | 'payout' | 'review' | 'refund' | 'chargeback'

/** The fields that the merchant reads; the signature is added when the body is created. */
export type Fields = Readonly<Record<string, string | number>>

export type Notification = {
  readonly merNo: number
  readonly tradeNo: string
  readonly event: NotificationEvent
  /** The merchant's address; if it is empty, nothing is sent. */
  readonly url: string
  readonly fields: Fields
  readonly at: Date
  /** True if it is certainly the first of its order and waits for no other; unset when that is not known. */
  readonly isFirst?: boolean
}

export type EventRule = {
  readonly contentType: 'form' | 'json'
  /** The whole response body, without surrounding white space. */
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

export type NotificationState = 'pending' | 'delivered' | 'failed'

export const notificationStates: readonly NotificationState[] = ['pending', 'delivered', 'failed']

/** Requires a 2xx status and exactly the word. */
export function isAcknowledged(event: NotificationEvent, status: number, answer: string): boolean {
  return status >= 200 && status < 300 && eventRules[event].acknowledgedBy.includes(answer.trim())
}
