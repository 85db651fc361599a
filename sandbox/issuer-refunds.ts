// Refunds at the issuer. A refund is decided immediately, reported a second later, and idempotent by the refund
// reference.

import { parseDecimal } from '../src/platform/base/money.ts'
import type { Fields } from '../src/platform/base/object.ts'
import type { Refund } from './card-book.ts'
import type { Desk } from './issuer-charges.ts'
import { type IssuerAnswer, makeIssuerId, problem, readMoney, readReference } from './issuer-request.ts'

const REFUND_MS = 1_000

type Asked = Pick<Refund, 'refundReference' | 'reference' | 'amount' | 'currency'>

export function refund(desk: Desk, body: Fields): IssuerAnswer {
  const asked = {
    refundReference: readReference(body, 'refundReference'),
    reference: readReference(body, 'merchantReference'),
    ...readMoney(body),
  }
  // The check and the insert are one transaction, so that concurrent refunds cannot exceed the charge.
  return desk.book.transaction(() =>
    refundAnswer(desk, desk.book.findRefund(asked.refundReference) ?? addRefund(desk, asked)),
  )
}

export function lookupRefund(desk: Desk, body: Fields): IssuerAnswer {
  const made = desk.book.findRefund(readReference(body, 'refundReference'))
  return made === undefined ? problem(404, 'not_found', 'no such refund') : refundAnswer(desk, made)
}

function addRefund(desk: Desk, asked: Asked): Refund {
  const dueAt = desk.clock.now().getTime() + REFUND_MS
  const made = { ...asked, id: makeIssuerId('re'), failure: failureOf(desk, asked), dueAt }
  desk.book.addRefund(made)
  return made
}

/** The reason why the refund will fail; '' if it will succeed. */
function failureOf(desk: Desk, asked: Asked): string {
  const charge = desk.book.findCharge(asked.reference)
  if (charge?.status !== 'captured') return 'There is no such charge to refund'
  if (charge.currency !== asked.currency) return 'The charge was in another currency'
  const earlier = desk.book.refundsOf(asked.reference).filter((made) => made.failure === '')
  const sum = earlier.reduce((total, made) => total + BigInt(made.amount), BigInt(asked.amount))
  if (sum > BigInt(charge.amount)) return 'The refunds would exceed the charge'
  return BigInt(asked.amount) === parseDecimal('6.66', asked.currency) ? 'The bank refused the refund' : ''
}

function refundAnswer(desk: Desk, made: Refund): IssuerAnswer {
  const { id, refundReference, reference: merchantReference, amount, currency, failure } = made
  const decided = failure === '' ? 'succeeded' : 'failed'
  const status = desk.clock.now().getTime() < made.dueAt ? 'processing' : decided
  const reason = status === 'failed' ? failure : ''
  return { status: 200, body: { id, refundReference, merchantReference, amount, currency, status, reason } }
}
