// A card network and issuer that moves no money: a counterparty with its own book and its own contract, JSON over HTTP
// as an acquirer would offer it. Inside one process the same requests and answers pass as plain objects.
//
// Every operation may be repeated: the merchant's reference decides, and the same reference never charges twice. A void
// of a reference that was never seen leaves a tombstone, so that an authorisation that arrives late finds it closed.
// Number and security code are looked at and forgotten.

import type { Clock } from '../base/clock.ts'
import type { Fields } from '../base/object.ts'
import { type Challenge, type Charge, openCardBook } from './card-book.ts'
import { answerChallenge, complete, readChallenge } from './issuer-challenges.ts'
import { authorise, type Desk, dueChargebacks, lookup, voidCharge } from './issuer-charges.ts'
import { lookupRefund, refund } from './issuer-refunds.ts'
import { fieldsOf, InvalidRequest, type IssuerAnswer, type IssuerRequest, problem } from './issuer-request.ts'

export type CardIssuerOptions = Omit<Desk, 'book'> & { readonly bookFile: string; readonly clock: Clock }

export type CardIssuer = {
  /** Undefined: no answer ever comes. It is told once the caller has given up, or after a minute. */
  handle(request: IssuerRequest, signal?: AbortSignal): Promise<IssuerAnswer | undefined>
  readChallenge(creq: string): { challenge: Challenge; charge: Charge } | undefined
  answerChallenge(acsTransID: string, code: string): { cres: string; notificationUrl: string } | undefined
  close(): void
}

const HOLD_MS = 60_000

const operations: ReadonlyMap<string, (desk: Desk, body: Fields) => IssuerAnswer | undefined> = new Map([
  ['authorise', authorise],
  ['complete', complete],
  ['lookup', lookup],
  ['void', voidCharge],
  ['refund', refund],
  ['lookup-refund', lookupRefund],
  ['chargebacks', dueChargebacks],
])

export function createCardIssuer(options: CardIssuerOptions): CardIssuer {
  const { bookFile, ...rest } = options
  const desk: Desk = { ...rest, book: openCardBook(bookFile) }
  return {
    handle: (request, signal) => handle(desk, request, signal),
    readChallenge: (creq) => readChallenge(desk, creq),
    answerChallenge: (acsTransID, code) => answerChallenge(desk, acsTransID, code),
    close: desk.book.close,
  }
}

async function handle(
  desk: Desk,
  { operation: name, body }: IssuerRequest,
  signal: AbortSignal | undefined,
): Promise<IssuerAnswer | undefined> {
  const operation = operations.get(name)
  if (operation === undefined) return problem(404, 'no_such_operation', 'no such operation')
  try {
    return operation(desk, fieldsOf(body)) ?? (await silence(signal))
  } catch (error) {
    if (error instanceof InvalidRequest) return problem(400, 'invalid_request', error.message)
    throw error
  }
}

/** Holds the caller until it gives up. */
function silence(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve(undefined)
    }
    const timer = setTimeout(end, HOLD_MS).unref()
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
