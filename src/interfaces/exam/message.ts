// Notifications as requests, made and signed by the code that makes the real ones.
import type { Signer } from '../merchants/sign-fields.ts'
import type { NewNotification } from '../notifications/listed.ts'
import type { Fields, NotificationEvent } from '../notifications/notification.ts'
import { composeBody, headersOf } from '../notifications/wire.ts'

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

/** With headers that fit this body. */
export function sealed(noted: Omit<Noted, 'fields'>, body: string, signing: Signing, at: Date): Message {
  const { notificationId, event } = noted
  const { webhookSecret } = signing
  return { event, body, headers: headersOf({ notificationId, event, body, webhookSecret, at }) }
}

export function withFields(noted: Noted, fields: Fields): Noted {
  return { ...noted, fields: { ...noted.fields, ...fields } }
}

/** As it goes over the wire, for people to read. */
export function written({ headers, body }: Message, url: URL): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${url.pathname}${url.search} HTTP/1.1`, `host: ${url.host}`, ...lines, '', body].join('\n')
}
