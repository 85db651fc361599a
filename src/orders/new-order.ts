// A payment order that passed every check and waits to be accepted.
import type { Money } from '../base/money.ts'
import type { Method } from '../channels/method.ts'
import { type OpenOrder, State, type Terms } from './order.ts'

/** The method of an order whose payer has not chosen one. */
export const CHECKOUT = 'checkout'

export type NewPayment = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly method: string
  readonly money: Money
  readonly returnUrl: string
  readonly notifyUrl: string
  readonly protestNotifyUrl: string
  /** The request's other fields, without card and personal numbers. */
  readonly details: Readonly<Record<string, unknown>>
  /** Personal numbers, encrypted. */
  readonly sealed: Buffer | undefined
  readonly usdValue: bigint
  readonly localDay: string
  readonly timezone: string
  readonly createdAt: Date
  readonly terms: Terms
  readonly limits: readonly LimitTaken[]
  /** Tries that the payer has. */
  readonly maxAttempts: number
  readonly needsReview: boolean
  /** The attempt it is accepted with; none where the payer begins on our page. */
  readonly attempt?: NewAttempt | undefined
  /** Set when it waits on our page. */
  readonly hosted?: Hosted
}

export type NewAttempt = {
  readonly channel: string
  readonly card: MaskedCard | undefined
  /** From when on the resolver may take the call for lost. */
  readonly askAt: Date
}

export type Hosted = {
  /** Chosen by the merchant; undefined: the payer chooses. */
  readonly method: Method | undefined
  /** When nobody is paying by then, the order is over. */
  readonly expiresAt: Date
}

/** A limit this order counts against; merchant 0 is the platform. */
export type LimitTaken = {
  readonly merNo: number
  readonly method: string
  /** A day (2026-11-15) or a month (2026-11). */
  readonly period: string
  readonly most: bigint
  readonly code: '10016' | '10017' | '10024' | '10025'
}

/** All that is kept of a card. */
export type MaskedCard = {
  readonly first6: string
  readonly last4: string
  readonly brand: string
  readonly fingerprint: string
}

/** The order as it stands once it is accepted with its attempt. */
export function openOrderOf(payment: NewPayment, { channel }: NewAttempt): OpenOrder {
  const { merNo, tradeNo, merOrderNo, money, notifyUrl, method, localDay, usdValue, timezone, terms } =
    payment
  return {
    merNo,
    tradeNo,
    merOrderNo,
    money,
    state: State.processing,
    version: 1,
    message: '',
    notifyUrl,
    method,
    localDay,
    usdValue,
    platformLimited: isPlatformLimited(payment),
    timezone,
    terms,
    maxAttempts: payment.maxAttempts,
    needsReview: payment.needsReview,
    received: 0n,
    attempt: { no: 1, channel, state: 'calling', asks: 0, createdAt: payment.createdAt },
  }
}

export function isPlatformLimited({ limits }: Pick<NewPayment, 'limits'>): boolean {
  return limits.some(({ merNo }) => merNo === 0)
}
