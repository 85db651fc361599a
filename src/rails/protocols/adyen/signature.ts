// Adyen's webhook: a list of items, each with its own HMAC over eight of its fields. Everything else in an item, such as its
// reason, is not signed; its date is not even read, so that nothing can depend on it.
import { createHmac } from 'node:crypto'
import type { Money } from '../../base/money.ts'
import { type Fields, isObject } from '../../base/object.ts'
import { isEqualSecret } from '../../base/secret.ts'
import { parseJson } from '../../http/client/http-client.ts'
import { fromAmount } from './amounts.ts'

export type Item = {
  readonly event: string
  /** Undefined when it says neither. */
  readonly isSuccess: boolean | undefined
  /** Adyen's reference of what the item is about: a payment, a refund, a dispute, the name of a report. */
  readonly psp: string
  /** The payment of a refund, a cancellation or a dispute; '' for others. */
  readonly originalPsp: string
  /** Our reference. */
  readonly reference: string
  readonly account: string
  /** Undefined when it has none that we can express. */
  readonly money: Money | undefined
  readonly reason: string
  readonly data: Fields
}

/** Undefined when the message is not one of Adyen, or when a single item is not signed by Adyen. */
export function readItems(body: string, hmacKey: Buffer): readonly Item[] | undefined {
  const message = parseJson(body)
  const list = isObject(message) ? message.notificationItems : undefined
  if (!Array.isArray(list) || list.length === 0) return undefined
  const items = list.map((one) => readItem(one, hmacKey))
  return items.every((item) => item !== undefined) ? items : undefined
}

const results: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function readItem(wrapped: unknown, hmacKey: Buffer): Item | undefined {
  const item = isObject(wrapped) ? wrapped.NotificationRequestItem : undefined
  if (!isObject(item) || !isSigned(item, hmacKey)) return undefined
  const { amount, additionalData } = item
  return {
    event: textOf(item.eventCode),
    isSuccess: results.get(String(item.success)),
    psp: textOf(item.pspReference),
    originalPsp: textOf(item.originalReference),
    reference: textOf(item.merchantReference),
    account: textOf(item.merchantAccountCode),
    money: fromAmount(amount),
    reason: textOf(item.reason),
    data: isObject(additionalData) ? additionalData : {},
  }
}

function isSigned(item: Fields, hmacKey: Buffer): boolean {
  const { additionalData } = item
  const signature = isObject(additionalData) ? additionalData.hmacSignature : undefined
  return typeof signature === 'string' && isEqualSecret(signature, signatureOf(item, hmacKey))
}

/** The fields are joined as they are, without escaping. A field that is absent is empty. */
export function signatureOf(item: Fields, hmacKey: Buffer): string {
  const { value, currency } = isObject(item.amount) ? item.amount : {}
  const signed = [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    value,
    currency,
    item.eventCode,
    item.success,
  ]
  const text = signed.map((field) => (field === undefined || field === null ? '' : String(field))).join(':')
  return createHmac('sha256', hmacKey).update(text).digest('base64')
}

/** Webhooks about transfers are signed as a whole, in a header. */
export function isSignedBody(body: string, signature: string, hmacKey: Buffer): boolean {
  return isEqualSecret(signature, createHmac('sha256', hmacKey).update(body).digest('base64'))
}

/** The database takes no half of a character. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : ''
}
