// Handles a merchant's application for a refund: finds the payment, and accepts and commits the refund. The worker
// calls the channel after the commit. The response to the merchant does not wait for that call.

import type { Clock } from '../../platform/base/clock.ts'
import { makeId } from '../../platform/base/id.ts'
import { parseAmount } from '../../platform/base/money.ts'
import { assert, Refusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { type Merchant, mayDo } from '../merchants/merchant.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { type AcceptDeps, acceptRefund, tryRefunds } from './accept-refunds.ts'
import type { RefundBatches } from './batches.ts'
import type { Acceptance, Application, Refund, RefundAuthor, RefundTerms } from './refund.ts'

export type ApplyDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly channels: Channels
  readonly refundBatches: RefundBatches
  /** Wakes the worker, which sends the refunds that are ready. */
  readonly poke: () => void
}

export type ApplyTerms = RefundTerms & Pick<Merchant, 'state'>

/** A refund as the merchant asks for it, with the amount as text. */
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

/**
 * Returns the new refund, or the earlier refund that this request repeats. A refused request throws a Refusal and
 * stores nothing.
 */
export async function applyRefund(deps: ApplyDeps, terms: ApplyTerms, wanted: WantedRefund): Promise<Refund> {
  const application = await prepare(deps, terms, wanted)
  const accepted = await acceptRefund(deps, application)
  if (accepted.refusal !== undefined) throw accepted.refusal
  deps.poke()
  return accepted.refund
}

/** Returns the decision that acceptance would make on each refund now. Nothing is stored. */
export async function checkRefunds(
  deps: PrepareDeps & AcceptDeps,
  terms: ApplyTerms,
  wanted: readonly WantedRefund[],
): Promise<Acceptance[]> {
  const prepared = await Promise.all(
    wanted.map((one) => prepare(deps, terms, one).catch((error: unknown) => refusalOf(error))),
  )
  const applications = prepared.filter((one): one is Application => !(one instanceof Refusal))
  const decided = applications.length === 0 ? [] : await tryRefunds(deps, terms.merNo, applications)
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

type PrepareDeps = Pick<ApplyDeps, 'db' | 'clock' | 'channels'>

async function prepare(deps: PrepareDeps, terms: ApplyTerms, wanted: WantedRefund): Promise<Application> {
  const { amount: text, ...rest } = wanted
  const { merNo } = terms
  if (!mayDo(terms.state, 'refund')) throw new Refusal('10005')
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
  // An order without an attempt was never paid. Acceptance refuses its refund because of the order's state.
  const refundable = attempt === undefined || channel?.traits.refundable === true
  return { ...rest, terms, refundNo: makeId('R', merNo, at), money: { amount, currency }, refundable, at }
}
