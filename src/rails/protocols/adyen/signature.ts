// Adyen's webhooks: lists of items, each with an HMAC over eight of its fields. The other fields, such as the reason,
// are not signed. The date is not signed either, and is therefore not read.
import { createHmac } from 'node:crypto'
import type { Money } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { isEqualSecret } from '../../../platform/base/secret.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import { fromAmount } from './wire.ts'

export type Item = {
  readonly event: string
  /** True if the item reports a success, false if it reports a failure. Undefined if it reports neither. */
  readonly isSuccess: boolean | undefined
  /** Adyen's reference of a payment, a refund or a dispute, or the name of a report. */
  readonly psp: string
  /** Adyen's reference of the payment that was refunded, cancelled or disputed, or ''. */
  readonly originalPsp: string
  /** The merchant's reference, which is ours if the gateway made the payment or refund. */
  readonly reference: string
  readonly account: string
  /** The amount of the item. Undefined if the item has no amount, or an amount that we cannot express. */
  readonly money: Money | undefined
  readonly reason: string
  readonly data: Fields
}

/** Returns the items of a webhook. Undefined if the message is malformed, or if an item has no valid signature. */
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

/**
 * Returns the HMAC of an item. The signed fields are joined with colons and not escaped. A missing field counts as
 * empty.
 */
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

/** True if the signature fits the whole body. A webhook about a transfer has its signature in a header. */
export function isSignedBody(body: string, signature: string, hmacKey: Buffer): boolean {
  return isEqualSecret(signature, createHmac('sha256', hmacKey).update(body).digest('base64'))
}

/**
 * Returns the text, with lone surrogates replaced, because the database refuses them. Returns '' if the value is not a
 * text.
 */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : ''
}
