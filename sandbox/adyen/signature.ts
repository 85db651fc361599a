// Adyen's signatures of webhooks: a signature in each item over some of its fields, or a signature in a header over the
// whole message.
import { createHmac } from 'node:crypto'
import type { Fields } from '../../src/platform/base/object.ts'

export type Amount = { readonly value: number; readonly currency: string }

export type NewItem = {
  readonly eventCode: string
  /** Adyen sends 'true' and 'false'. Tests also send other values. */
  readonly success: boolean | string
  readonly pspReference: string
  readonly originalReference?: string
  readonly merchantAccountCode: string
  readonly merchantReference: string
  readonly amount: Amount
  readonly eventDate?: string
  readonly reason?: string
  readonly paymentMethod?: string
  readonly additionalData?: Fields
}

/** A message with several items, as Adyen sends it. */
export function notification(items: readonly NewItem[], hmacKey: string): string {
  return JSON.stringify({
    live: 'false',
    notificationItems: items.map((item) => ({ NotificationRequestItem: signed(item, hmacKey) })),
  })
}

function signed(item: NewItem, hmacKey: string): Fields {
  const { amount, success, additionalData, eventDate = new Date().toISOString() } = item
  const text = `${item.pspReference}:${item.originalReference ?? ''}:${item.merchantAccountCode}:${item.merchantReference}:${amount.value}:${amount.currency}:${item.eventCode}:${success}`
  const hmacSignature = hmacOf(text, hmacKey)
  return {
    ...item,
    eventDate,
    success: String(success),
    additionalData: { ...additionalData, hmacSignature },
  }
}

export function hmacOf(text: string, hexKey: string): string {
  return createHmac('sha256', Buffer.from(hexKey, 'hex')).update(text, 'utf8').digest('base64')
}
