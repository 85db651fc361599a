// Reads Stripe's disputes, each with its payment, which has our reference.
import { type Fields, isObject } from '../../base/object.ts'
import type { Dispute } from '../contract.ts'
import { readTimeMs } from '../read-time.ts'
import { fromStripeAmount } from './amount.ts'
import { metadataOf, ORDER } from './wire.ts'

const stages: ReadonlyMap<string, NonNullable<Dispute['stage']>> = new Map([
  ['warning_needs_response', 'inquiry'],
  ['warning_under_review', 'inquiry'],
  ['warning_closed', 'won'],
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
])

/**
 * A dispute that Stripe's prevention ended before the bank opened it. A block kept the money; a resolution gave it back to the
 * payer.
 */
const prevented: ReadonlyMap<unknown, NonNullable<Dispute['stage']>> = new Map([
  ['block', 'won'],
  ['resolution', 'lost'],
])

function stageOf({ status, payment_method_details: details }: Fields): Dispute['stage'] {
  if (status !== 'prevented') return stages.get(String(status))
  const card = isObject(details) ? details.card : undefined
  return isObject(card) ? prevented.get(card.case_type) : undefined
}

/** Our reference of its payment. */
export function orderOf({ payment_intent: payment }: Fields): string | undefined {
  return isObject(payment) ? metadataOf(payment, ORDER) : undefined
}

/** `not-ours`: about a payment that this gateway did not make. Undefined when it is malformed or its status is not known. */
export function readDispute(dispute: Fields): Dispute | 'not-ours' | undefined {
  const { id, amount, currency, reason, created } = dispute
  const reference = orderOf(dispute)
  if (reference === undefined) return 'not-ours'
  const money = fromStripeAmount(amount, currency)
  const stage = stageOf(dispute)
  const at = readSeconds(created)
  if (typeof id !== 'string' || money === undefined || stage === undefined || at === undefined)
    return undefined
  const { evidence_details: evidence } = dispute
  const respondBy = isObject(evidence) ? readSeconds(evidence.due_by) : undefined
  return {
    disputeRef: id,
    reference,
    money,
    reason: typeof reason === 'string' ? reason : '',
    at,
    stage,
    ...(respondBy !== undefined && { respondBy }),
  }
}

function readSeconds(value: unknown): Date | undefined {
  return typeof value === 'number' ? readTimeMs(value * 1000) : undefined
}
