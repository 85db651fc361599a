// A simulated card network and issuer, with its own database and a JSON API like an acquirer's. In one process, the
// same requests and responses are passed as plain objects.
//
// All operations are idempotent: a repeated merchant's reference is never charged twice. Voiding an unknown reference
// stores it as voided (a tombstone), so that a late authorisation is not charged. Card numbers and security codes are
// never stored.

import type { Clock } from '../src/platform/base/clock.ts'
import type { Fields } from '../src/platform/base/object.ts'
import { type Challenge, type Charge, openCardBook } from './card-book.ts'
import { answerChallenge, type ChallengeAnswer, complete, readChallenge } from './issuer-challenges.ts'
import { authorise, booked, type Desk, dueChargebacks, lookup, voidCharge } from './issuer-charges.ts'
import { lookupRefund, refund } from './issuer-refunds.ts'
import { type Answering, answerBy, type Operation } from './operations.ts'
import type { Outbox } from './outbox.ts'
import { statementOf } from './statement.ts'

export type CardIssuerOptions = Omit<Desk, 'book' | 'decided'> & {
  readonly bookFile: string
  readonly clock: Clock
}

export type CardIssuer = Answering & {
  readChallenge(creq: string): { challenge: Challenge; charge: Charge } | undefined
  answerChallenge(acsTransID: string, code: string): ChallengeAnswer | undefined
  readonly outbox: Outbox
  /** The callback about a challenge that ended; undefined if there is no recipient. */
  callbackOf(reference: string): { url: string; charge: Fields } | undefined
  /** Adds a listener, which is called when a challenge has ended. */
  onDecided(listener: () => void): void
  close(): void
}

export function createCardIssuer(options: CardIssuerOptions): CardIssuer {
  const { bookFile, ...rest } = options
  const book = openCardBook(bookFile)
  const listeners: (() => void)[] = []
  const decided = () => {
    for (const listener of listeners) listener()
  }
  const desk: Desk = { ...rest, book, decided }
  return {
    ...answerBy(operationsOf(desk)),
    readChallenge: (creq) => readChallenge(desk, creq),
    answerChallenge: (acsTransID, code) => answerChallenge(desk, acsTransID, code),
    outbox: book.outbox,
    callbackOf(reference) {
      const url = book.callbackUrlOf(reference)
      return url === undefined ? undefined : { url, charge: booked(desk, reference).body }
    },
    onDecided: (listener) => void listeners.push(listener),
    close: book.close,
  }
}

function operationsOf(desk: Desk): ReadonlyMap<string, Operation> {
  return new Map<string, Operation>([
    ['authorise', (body) => authorise(desk, body)],
    ['complete', (body) => complete(desk, body)],
    ['lookup', (body) => lookup(desk, body)],
    ['void', (body) => voidCharge(desk, body)],
    ['refund', (body) => refund(desk, body)],
    ['lookup-refund', (body) => lookupRefund(desk, body)],
    ['chargebacks', (body) => dueChargebacks(desk, body)],
    ['statement', (body) => statementOf(body, (day) => desk.book.linesOf(day, desk.clock.now()))],
  ])
}
