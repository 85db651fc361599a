// A merchant asks for a refund: find the payment, accept and commit. The worker calls the channel afterwards; the response
// does not wait for it.

import type { Clock } from '../base/clock.ts'
import { makeId } from '../base/id.ts'
import { parseAmount } from '../base/money.ts'
import type { Channels } from '../channels/routing.ts'
import { assert, Refusal } from '../errors/catalogue.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import type { Db } from '../postgres/db.ts'
import { type AcceptDeps, tryRefunds } from './accept-refunds.ts'
import type { RefundBatches } from './batches.ts'
import type { Acceptance, Application, Refund, RefundAuthor, RefundTerms } from './refund.ts'

export type ApplyDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly channels: Channels
  readonly refundBatches: RefundBatches
  /** Called when a refund is ready to be sent. */
  readonly poke: () => void
}

/** The amount as the merchant sent it. */
export type WantedRefund = {
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly amount: string
  readonly merRefundNo: string | undefined
  readonly remark: string
  readonly notifyUrl: string
  readonly isReplayProof: boolean
  readonly by?: RefundAuthor
}

/** The new or repeated refund. Throws a Refusal and stores nothing when there is none. */
export async function applyRefund(
  deps: ApplyDeps,
  terms: RefundTerms,
  wanted: WantedRefund,
): Promise<Refund> {
  const application = await prepare(deps, terms, wanted)
  const accepted = await deps.refundBatches.accept.submit(application)
  if (accepted.refusal !== undefined) throw accepted.refusal
  deps.poke()
  return accepted.refund
}

/** What would become of each refund; nothing is stored. */
export async function checkRefunds(
  deps: Omit<ApplyDeps, 'poke' | 'gate' | 'refundBatches'> & AcceptDeps,
  terms: RefundTerms,
  wanted: readonly WantedRefund[],
): Promise<Acceptance[]> {
  const prepared = await Promise.all(
    wanted.map((one) => prepare(deps, terms, one).catch((error: unknown) => refusalOf(error))),
  )
  const applications = prepared.filter((one): one is Application => !(one instanceof Refusal))
  const decided = await tryRefunds(deps, terms.merNo, applications)
  const acceptances = new Map(applications.map((application, at) => [application, decided[at]]))
  return prepared.map((one) => {
    if (one instanceof Refusal) return { refusal: one }
    const acceptance = acceptances.get(one)
    assert(acceptance !== undefined, 'every application has a result')
    return acceptance
  })
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

async function prepare(
  deps: Pick<ApplyDeps, 'db' | 'clock' | 'channels'>,
  terms: RefundTerms,
  wanted: WantedRefund,
): Promise<Application> {
  const { amount: text, ...rest } = wanted
  const { merNo } = terms
  const payment = await findPayment(deps.db, {
    merNo,
    tradeNo: wanted.tradeNo,
    merOrderNo: wanted.merOrderNo,
  })
  if (payment === undefined) throw new Refusal('10026')
  const { currency } = payment.money
  const amount = parseAmount(text, currency)
  if (amount === undefined)
    throw new Refusal('99997', `amount has more decimals than ${currency}: they must be 00`)
  const at = deps.clock.now()
  const { attempt, method } = payment
  const channel = attempt && deps.channels.named(attempt.channel, method)
  // There was no attempt to pay it: by its state there is nothing to refund.
  const refundable = attempt === undefined || channel?.traits.refundable === true
  return { ...rest, terms, refundNo: makeId('R', merNo, at), money: { amount, currency }, refundable, at }
}
