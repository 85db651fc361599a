// 3-D Secure at the issuer. The code that the payer enters decides the charge immediately. So a payer whose browser
// never returns to the shop has still paid, and a lookup by reference shows the payment.
import { type Fields, isObject } from '../src/platform/base/object.ts'
import type { Challenge, Charge } from './card-book.ts'
import { booked, type Desk, messageVersion } from './issuer-charges.ts'
import { type IssuerAnswer, problem, readReference, readText } from './issuer-request.ts'

export const challengeCode = '123456'

/** Reads the browser's `creq`. Returns undefined for an unknown challenge. */
export function readChallenge(
  desk: Desk,
  creq: string,
): { challenge: Challenge; charge: Charge } | undefined {
  const message = decode(creq)
  if (message?.messageType !== 'CReq') return undefined
  const challenge = desk.book.findChallenge(String(message.acsTransID))
  if (challenge?.threeDSServerTransID !== message.threeDSServerTransID) return undefined
  const charge = challenge && desk.book.findCharge(challenge.reference)
  return challenge && charge && { challenge, charge }
}

export type ChallengeAnswer = { readonly cres: string; readonly challenge: Challenge }

/**
 * Decides the challenge by the code that the payer entered. Returns the `cres` that the browser posts to the
 * challenge's address, or undefined for an unknown challenge.
 */
export function answerChallenge(desk: Desk, acsTransID: string, code: string): ChallengeAnswer | undefined {
  const challenge = desk.book.findChallenge(acsTransID)
  if (challenge === undefined) return undefined
  const knowsCode = code === challengeCode
  decide(desk, challenge, knowsCode)
  const stands = desk.book.findCharge(challenge.reference)?.status === challenge.passed
  const cres = {
    messageType: 'CRes',
    messageVersion,
    acsTransID,
    threeDSServerTransID: challenge.threeDSServerTransID,
    challengeCompletionInd: 'Y',
    transStatus: knowsCode && stands ? 'Y' : 'N',
  }
  return { cres: Buffer.from(JSON.stringify(cres)).toString('base64url'), challenge }
}

/** Decides a challenge, and queues a callback in case the payer's browser never returns. */
function decide({ book, decided }: Desk, { reference, passed }: Challenge, knowsCode: boolean): void {
  const reason = passed === 'captured' ? '' : 'The bank declined the payment'
  const isDecided = book.transaction(() => {
    const isFirst = knowsCode
      ? book.decideChallenge(reference, passed, reason)
      : book.decideChallenge(reference, 'declined', 'The cardholder could not be verified')
    if (isFirst) book.outbox.add(reference)
    return isFirst
  })
  if (isDecided) decided?.()
}

/**
 * Answers the browser's message that the merchant forwards. The response contains the issuer's own decision and ignores
 * the result in the message.
 */
export function complete(desk: Desk, body: Fields): IssuerAnswer {
  const reference = readReference(body, 'merchantReference')
  const challenge = desk.book.findChallenge(readText(body, 'acsTransID', /^[0-9a-f-]{36}$/))
  if (challenge?.reference !== reference) return problem(404, 'not_found', 'no such challenge')
  return booked(desk, reference)
}

function decode(text: string): Fields | undefined {
  try {
    const message: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return isObject(message) ? message : undefined
  } catch {
    return undefined
  }
}
