// Charges at the issuer: authorise, look up, void. The operations are idempotent by the merchant's reference: a
// repeated request gets the first charge.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../src/platform/base/clock.ts'
import type { Fields } from '../src/platform/base/object.ts'
import type { CardBook, Charge } from './card-book.ts'
import {
  type IssuerAnswer,
  makeIssuerId,
  problem,
  readAddress,
  readCard,
  readMoney,
  readReference,
  readText,
} from './issuer-request.ts'
import { adviceByReason, type Behaviour, decideCard, SOFT_DECLINE } from './sandbox-cards.ts'

/** The dependencies of the issuer's operations. */
export type Desk = {
  readonly book: CardBook
  readonly clock: Clock
  /**
   * The address that the payer's browser posts `creq` to. A function, because the port is known only once the sandbox
   * listens.
   */
  readonly acsUrl: () => string
  /** The length of a minute. A disputed card is charged back after this time. */
  readonly minuteMs: number
  /** Called when a challenge has ended. */
  readonly decided?: () => void
}

export const messageVersion = '2.2.0'
// A response of 64 KiB has room for this number of chargebacks.
const CHARGEBACKS_LIMIT = 200
/** The reason code for goods that are not as described. */
const DISPUTE_REASON = '4853'

type Order = Pick<Charge, 'reference' | 'amount' | 'currency'>

/** Returns undefined if the card gets no response. */
export function authorise(desk: Desk, body: Fields): IssuerAnswer | undefined | Promise<IssuerAnswer> {
  const reference = readReference(body, 'merchantReference')
  const { amount, currency } = readMoney(body)
  const order = { reference, amount, currency }
  const now = desk.clock.now()
  const behaviour = challengeIfAsked(body, decideCard(readCard(body), now))
  switch (behaviour.kind) {
    case 'capture':
      return record(desk, order, 'captured', '', now)
    case 'decline':
      return record(desk, order, 'declined', behaviour.reason, now)
    case 'soft-decline':
      return record(desk, order, 'declined', SOFT_DECLINE, now)
    case 'challenge':
      return recordChallenge(desk, order, behaviour, readAddresses(body))
    case 'capture-then-chargeback':
      return recordDisputed(desk, order)
    case 'capture-silently':
      // Only the first request gets no response. A repeated request gets the charge.
      return add(desk, order, 'captured') ? undefined : booked(desk, order.reference)
    case 'silence':
      return desk.book.findCharge(order.reference) && booked(desk, order.reference)
  }
}

/** A card that could succeed is challenged first if the merchant asks for a challenge. */
function challengeIfAsked(body: Fields, behaviour: Behaviour): Behaviour {
  const isAsked = body.threeDSRequestorChallengeInd === '04'
  const mayPass = behaviour.kind === 'capture' || behaviour.kind === 'soft-decline'
  return isAsked && mayPass ? { kind: 'challenge', passed: 'captured' } : behaviour
}

/** Makes a single insert and builds the response from memory, because this function is the hot path. */
async function record(
  desk: Desk,
  { reference, amount, currency }: Order,
  status: Charge['status'],
  reason: string,
  at: Date,
): Promise<IssuerAnswer> {
  const charge = { reference, id: makeIssuerId('ch'), amount, currency, status, reason }
  const isFirst = await desk.book.addChargeInBatch({ charge, at })
  return isFirst ? chargeAnswer(desk, charge) : booked(desk, reference)
}

function add(desk: Desk, order: Order, status: Charge['status']): boolean {
  return desk.book.addCharge({ ...order, id: makeIssuerId('ch'), status, reason: '' }, desk.clock.now())
}

/**
 * `notificationUrl`: where the browser posts the result of a challenge. `callbackUrl`: where the callback goes; '' for
 * none.
 */
type Addresses = { readonly notificationUrl: string; readonly callbackUrl: string }

function readAddresses(body: Fields): Addresses {
  const callbackUrl = body.callbackUrl === undefined ? '' : readAddress(body, 'callbackUrl')
  return { notificationUrl: readAddress(body, 'notificationUrl'), callbackUrl }
}

function recordChallenge(
  desk: Desk,
  order: Order,
  { passed, refusesFrames = false }: Extract<Behaviour, { readonly kind: 'challenge' }>,
  { notificationUrl, callbackUrl }: Addresses,
): IssuerAnswer {
  const { reference } = order
  const ids = { acsTransID: randomUUID(), threeDSServerTransID: randomUUID() }
  desk.book.transaction(() => {
    if (add(desk, order, 'challenge'))
      desk.book.addChallenge({ ...ids, reference, notificationUrl, passed, refusesFrames }, callbackUrl)
  })
  return booked(desk, reference)
}

function recordDisputed(desk: Desk, order: Order): IssuerAnswer {
  const dueAt = desk.clock.now().getTime() + desk.minuteMs
  desk.book.transaction(() => {
    if (add(desk, order, 'captured')) desk.book.addChargeback(order.reference, dueAt)
  })
  return booked(desk, order.reference)
}

/** Returns the answer with the stored charge. */
export function booked(desk: Desk, reference: string): IssuerAnswer {
  const charge = desk.book.findCharge(reference)
  return charge === undefined ? problem(404, 'not_found', 'no such charge') : chargeAnswer(desk, charge)
}

function chargeAnswer(desk: Desk, charge: Charge): IssuerAnswer {
  const { reference: merchantReference, id, amount, currency, status, reason } = charge
  const advice = adviceByReason.get(reason)
  const own = { id, merchantReference, amount, currency, status, reason }
  const plain = advice === undefined ? own : { ...own, advice }
  const challenge = status === 'challenge' ? desk.book.challengeOf(merchantReference) : undefined
  if (challenge === undefined) return { status: 200, body: plain }
  const { acsTransID, threeDSServerTransID } = challenge
  const asked = { acsUrl: desk.acsUrl(), acsTransID, threeDSServerTransID, messageVersion }
  return { status: 200, body: { ...plain, challenge: asked } }
}

export function lookup(desk: Desk, body: Fields): IssuerAnswer {
  return booked(desk, readReference(body, 'merchantReference'))
}

/** Voids an undecided or unknown charge. Returns the charge, which keeps its status if it was decided before. */
export function voidCharge(desk: Desk, body: Fields): IssuerAnswer {
  const reference = readReference(body, 'merchantReference')
  desk.book.voidCharge(reference, makeIssuerId('ch'), 'Voided by the merchant', desk.clock.now())
  return booked(desk, reference)
}

/** The charges that were disputed from `since` (milliseconds) until now, oldest first. */
export function dueChargebacks(desk: Desk, body: Fields): IssuerAnswer {
  const since = new Date(Number(readText(body, 'since', /^\d{1,15}$/)))
  const charges = desk.book.chargebacksDue(since, desk.clock.now(), CHARGEBACKS_LIMIT)
  const list = charges.map(({ reference: merchantReference, id, amount, currency, dueAt: disputedAt }) => {
    return { merchantReference, id, amount, currency, reasonCode: DISPUTE_REASON, disputedAt }
  })
  return { status: 200, body: { list } }
}
