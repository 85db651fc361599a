// Makes the exam's notifications with the code that also makes and signs real notifications.
import type { Signer } from '../../money/merchants/sign-fields.ts'
import type { Fields, NewNotification, NotificationEvent } from '../../money/notifications/notification.ts'
import { composeBody, headersOf } from '../../money/notifications/wire.ts'

export type Message = {
  readonly event: NotificationEvent
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Signing = { readonly signer: Signer; readonly webhookSecret: string }

export type Noted = Pick<NewNotification, 'notificationId' | 'event' | 'fields'>

export async function messageOf(noted: Noted, signing: Signing, at: Date): Promise<Message> {
  return sealed(noted, await composeBody(noted.event, noted.fields, signing.signer), signing, at)
}

export function sealed(noted: Omit<Noted, 'fields'>, body: string, signing: Signing, at: Date): Message {
  const { notificationId, event } = noted
  const { webhookSecret } = signing
  return { event, body, headers: headersOf({ notificationId, event, body, webhookSecret, at }) }
}

export function withFields(noted: Noted, fields: Fields): Noted {
  return { ...noted, fields: { ...noted.fields, ...fields } }
}

export function written({ headers, body }: Message, url: URL): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${url.pathname}${url.search} HTTP/1.1`, `host: ${url.host}`, ...lines, '', body].join('\n')
}
