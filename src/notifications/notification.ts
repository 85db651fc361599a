// What a notification is, and what each event asks of the wire: its content type, and the answers that acknowledge it.

export type NotificationEvent = 'payment' | 'payout' | 'review' | 'refund' | 'chargeback'

/** What the merchant reads; the signature comes on top when the body is made. */
export type Fields = Readonly<Record<string, string | number>>

export type Notification = {
  readonly merNo: number
  readonly tradeNo: string
  readonly event: NotificationEvent
  /** Where it goes; without one there is nothing to send. */
  readonly url: string
  readonly fields: Fields
  readonly at: Date
  /** Surely the first of its order, which waits for no other; unset when it is not known. */
  readonly isFirst?: boolean
}

export type EventRule = {
  readonly contentType: 'form' | 'json'
  /** The whole answer, white space around it aside. */
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

/** Only a 2xx with the very word counts. */
export function isAcknowledged(event: NotificationEvent, status: number, answer: string): boolean {
  return status >= 200 && status < 300 && eventRules[event].acknowledgedBy.includes(answer.trim())
}
