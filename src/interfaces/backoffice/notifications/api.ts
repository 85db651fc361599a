// The notification log: the requests and responses of each notification, and the calls that send notifications again.
import { Type } from 'typebox'
import { MOST_CHOSEN } from '../orders/api.ts'
import type { Routes } from '../route.ts'
import { Moment, Nothing, ofMerchant, oneOf, onPage, orNull, pageOf, Reason } from '../schemas.ts'

const State = oneOf('pending', 'retrying', 'delivered', 'failed')
const Event = oneOf('payment', 'payout', 'review', 'refund', 'chargeback')

const nullable = orNull(Type.String())
const nullableMoment = orNull(Moment)
const nullableNumber = orNull(Type.Integer())

const Row = {
  notificationId: Type.String(),
  merNo: Type.Integer(),
  tradeNo: Type.String(),
  event: Event,
  url: Type.String(),
  state: State,
  attempts: Type.Integer(),
  madeAt: Moment,
  dueAt: nullableMoment,
  deliveredAt: nullableMoment,
  failedAt: nullableMoment,
  /** The status and the error of the last attempt that has ended. */
  status: nullableNumber,
  error: nullable,
} as const

const NotificationId = Type.Object({ notificationId: Type.String({ maxLength: 40 }) })

export const notificationsApi = {
  'GET /notifications': {
    access: 'developers.read',
    query: Type.Object({
      ...ofMerchant,
      ...onPage,
      state: Type.Optional(State),
      event: Type.Optional(Event),
      tradeNo: Type.Optional(Type.String({ maxLength: 50 })),
      from: Type.Optional(Moment),
      until: Type.Optional(Moment),
    }),
    reply: Type.Object({ ...pageOf(Type.Object(Row)).properties, paused: Type.Boolean() }),
  },
  'GET /notifications/:notificationId': {
    access: 'developers.read',
    params: NotificationId,
    reply: Type.Object({
      ...Row,
      contentType: oneOf('form', 'json'),
      /** The response bodies that acknowledge the notification. */
      acknowledgedBy: Type.Array(Type.String()),
      /** The body of the notification. Null unless a failed attempt has stored the body for later attempts. */
      body: nullable,
      /** The attempts, newest first. */
      deliveries: Type.Array(
        Type.Object({
          attemptNo: Type.Integer(),
          startedAt: Moment,
          finishedAt: nullableMoment,
          status: nullableNumber,
          latencyMs: nullableNumber,
          answer: nullable,
          error: nullable,
        }),
      ),
    }),
  },
  'POST /notifications/:notificationId/resend': {
    access: 'notifications.resend',
    params: NotificationId,
    reply: Nothing,
  },
  /**
   * Sends all notifications of the chosen orders again. `without` is the number of these orders that have no
   * notification.
   */
  'POST /notifications/resend': {
    access: 'notifications.resend',
    body: Type.Object({
      tradeNos: Type.Array(Type.String({ maxLength: 32 }), { minItems: 1, maxItems: MOST_CHOSEN }),
    }),
    reply: Type.Object({ orders: Type.Integer(), without: Type.Integer() }),
  },
  /**
   * Sends all failed and retrying notifications again whose last attempt failed at `since` or later. If an operator
   * names no merchant, this applies to all merchants. `count` is their number, at most 100,000. `retrying` is the part
   * of `count` that would be retried even without this call. With `dryRun`, nothing is sent.
   */
  'POST /notifications/resend-failed': {
    access: 'notifications.resend',
    query: Type.Object(ofMerchant),
    body: Type.Object({ since: Moment, dryRun: Type.Boolean(), reason: Type.Optional(Reason) }),
    reply: Type.Object({ count: Type.Integer(), retrying: Type.Integer() }),
  },
  'PUT /notifications/pause': {
    access: 'notifications.edit',
    query: Type.Object(ofMerchant),
    body: Type.Object({ paused: Type.Boolean(), reason: Reason }),
    reply: Type.Object({ paused: Type.Boolean() }),
  },
} as const satisfies Routes
