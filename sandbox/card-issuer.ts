// A card network and issuer that moves no money: a counterparty with its own book and its own contract, JSON over HTTP
// as an acquirer would offer it. Inside one process the same requests and answers pass as plain objects.
//
// Every operation may be repeated: the merchant's reference decides, and the same reference never charges twice. A void
// of a reference that was never seen leaves a tombstone, so that an authorisation that arrives late finds it closed.
// Number and security code are looked at and forgotten.

import type { Clock } from '../src/base/clock.ts'
import type { Fields } from '../src/base/object.ts'
import { type Challenge, type Charge, openCardBook } from './card-book.ts'
import { answerChallenge, complete, readChallenge } from './issuer-challenges.ts'
import { authorise, booked, type Desk, dueChargebacks, lookup, voidCharge } from './issuer-charges.ts'
import { lookupRefund, refund } from './issuer-refunds.ts'
import { type Answering, answerBy, type Operation } from './operations.ts'
import type { Outbox } from './outbox.ts'

export type CardIssuerOptions = Omit<Desk, 'book' | 'decided'> & {
  readonly bookFile: string
  readonly clock: Clock
}

export type CardIssuer = Answering & {
  readChallenge(creq: string): { challenge: Challenge; charge: Charge } | undefined
  answerChallenge(acsTransID: string, code: string): { cres: string; notificationUrl: string } | undefined
  readonly outbox: Outbox
  /** What is to be told of a challenge that ended, and where. */
  newsOf(reference: string): { url: string; charge: Fields } | undefined
  /** Called whenever there is news. */
  onNews(listener: () => void): void
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
    newsOf(reference) {
      const url = book.callbackUrlOf(reference)
      return url === undefined ? undefined : { url, charge: booked(desk, reference).body }
    },
    onNews: (listener) => void listeners.push(listener),
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
  ])
}
