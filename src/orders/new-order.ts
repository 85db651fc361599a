// An order that passed every check and waits to be accepted.
import type { Money } from '../base/money.ts'
import type { Vault } from '../base/secret.ts'
import type { Method } from '../channels/method.ts'
import type { OrderKey } from './keys.ts'
import type { LimitTaken } from './limit-usage.ts'
import type { AttemptedOrder, Terms } from './order.ts'
import { State } from './states.ts'

export type Details = Readonly<Record<string, unknown>>

/** The method of an order whose payer has not chosen one. */
export const CHECKOUT = 'checkout'

/** What orders of both kinds are accepted with. */
export type NewOrder = OrderKey & {
  readonly merOrderNo: string
  readonly method: string
  readonly money: Money
  readonly returnUrl: string
  readonly notifyUrl: string
  readonly protestNotifyUrl: string
  readonly usdValue: bigint
  readonly localDay: string
  readonly timezone: string
  readonly createdAt: Date
  readonly terms: Terms
  readonly limits: readonly LimitTaken[]
  /** How often the payer may try. */
  readonly maxAttempts: number
  readonly needsReview: boolean
}

export type NewPayment = NewOrder & {
  /** The request's other fields, without card and personal numbers. */
  readonly details: Details
  /** Personal numbers, encrypted. */
  readonly sealed: Buffer | undefined
  /** The attempt it is accepted with; none where the payer begins on our page. */
  readonly attempt?: NewAttempt | undefined
  /** Set when it waits on our page. */
  readonly hosted?: Hosted
}

export type HostedPayment = NewPayment & { readonly hosted: Hosted }

export function isHosted(payment: NewPayment): payment is HostedPayment {
  return payment.hosted !== undefined
}

export type NewPayoutOrder = NewOrder & { readonly message: string }

export type NewAttempt = {
  readonly channel: string
  readonly card: MaskedCard | undefined
  /** From then on the resolver takes the call for lost. */
  readonly askAt: Date
}

export type Hosted = {
  /** Chosen by the merchant; undefined: the payer chooses. */
  readonly method: Method | undefined
  /** When nobody is paying by then, the order is over. */
  readonly expiresAt: Date
}

/** All that is kept of a card. */
export type MaskedCard = {
  readonly first6: string
  readonly last4: string
  readonly brand: string
  readonly fingerprint: string
}

/** The order as it stands once it is accepted with its attempt. */
export function openOrderOf(payment: NewPayment, { channel }: NewAttempt): AttemptedOrder {
  const { merNo, tradeNo, merOrderNo, money, notifyUrl, method, localDay, usdValue, timezone, terms } =
    payment
  return {
    merNo,
    tradeNo,
    merOrderNo,
    kind: 'payment',
    method,
    money,
    state: State.processing,
    version: 1,
    message: '',
    notifyUrl,
    protestNotifyUrl: payment.protestNotifyUrl,
    localDay,
    timezone,
    usdValue,
    platformLimited: isPlatformLimited(payment),
    terms,
    maxAttempts: payment.maxAttempts,
    needsReview: payment.needsReview,
    received: 0n,
    attempt: {
      no: 1,
      channel,
      state: 'calling',
      asks: 0,
      createdAt: payment.createdAt,
      channelRef: undefined,
      choice: undefined,
    },
    paid: undefined,
  }
}

export function isPlatformLimited({ limits }: Pick<NewOrder, 'limits'>): boolean {
  return limits.some(({ merNo }) => merNo === 0)
}

/** Encrypts personal numbers for the database; undefined when there are none. */
export function sealPersonal(vault: Vault, tradeNo: string, personal: Details): Buffer | undefined {
  if (Object.keys(personal).length === 0) return undefined
  return vault.seal(JSON.stringify(personal), sealContext(tradeNo))
}

export function sealContext(tradeNo: string): string {
  return `order:${tradeNo}`
}
