// The notifications that follow a request, as callbacks of its operation.
import { eventRules, type NotificationEvent } from '../../notifications/notification.ts'
import type { Endpoint } from '../endpoints.ts'
import type { Schema } from './schemas.ts'

/** The field of a request with the address for the event's notifications. */
export const addresses: Readonly<
  Record<Endpoint['does'], readonly (readonly [NotificationEvent, field: string])[]>
> = {
  pay: [
    ['payment', 'notifyUrl'],
    ['review', 'notifyUrl'],
    ['chargeback', 'protestNotifyUrl'],
  ],
  payout: [['payout', 'notifyUrl']],
  refund: [['refund', 'notifyUrl']],
  query: [],
  review: [],
}

export const summaries: Readonly<Record<NotificationEvent, string>> = {
  payment: 'The final result of a payment',
  payout: 'The final result of a payout',
  review: 'More information is needed; sent only to merchants who turned it on',
  refund: 'The final result of a refund',
  chargeback: 'A chargeback was opened, won or lost',
}

const mediaTypes = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const

/** Of the Standard Webhooks specification. */
const parameters = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
  return { name, in: 'header', required: true, schema: { type: 'string' } }
})

export function callbacksOf({ does }: Endpoint): Schema {
  const callbacks = addresses[does].map(([event, field]) => {
    return [event, { [`{$request.body#/${field}}`]: { post: notification(event) } }]
  })
  return callbacks.length === 0 ? {} : { callbacks: Object.fromEntries(callbacks) }
}

function notification(event: NotificationEvent): Schema {
  const { contentType, acknowledgedBy } = eventRules[event]
  const schema = { $ref: `#/components/schemas/${notificationName(event)}` }
  return {
    summary: summaries[event],
    description: 'Verify `sign` or the `webhook-signature` before you use it. It may arrive more than once.',
    parameters,
    requestBody: { required: true, content: { [mediaTypes[contentType]]: { schema } } },
    responses: {
      '200': {
        description: 'Acknowledges it. After anything else it is sent again, nine times in all.',
        content: { 'text/plain': { schema: { type: 'string', enum: acknowledgedBy } } },
      },
    },
  }
}

export function notificationName(event: string): string {
  return `${event.charAt(0).toUpperCase()}${event.slice(1)}Notification`
}
