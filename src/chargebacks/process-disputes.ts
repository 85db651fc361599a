// Opens exactly one chargeback for each dispute of a channel, despite repeated reports and crashes.
//
// Two steps: a reported dispute is stored under the channel's own id; then one transaction opens the chargeback and marks the
// dispute as processed. A dispute waits until its payment is recorded.
// Lock order: the dispute, then the same as in open-chargeback.ts.
import type { Clock } from '../base/clock.ts'
import { formatAmount, type Money } from '../base/money.ts'
import type { Channel } from '../channels/contract.ts'
import { isolateFailures } from '../concurrency/isolate-failures.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { type AttemptKey, attemptOf, State, wasPaid } from '../orders/order.ts'
import type { Tx } from '../postgres/db.ts'
import { OTHER_REASON } from '../reference/list.ts'
import type { Chargeback } from './chargeback.ts'
import {
  lastReportedAt,
  lockWaiting,
  markTaken,
  type ReportedDispute,
  selectWaiting,
  storeDisputes,
} from './dispute-sql.ts'
import { type ChargebackDeps, type ChargebackTerms, lockPaid, openOn, ownerOf } from './open-chargeback.ts'
import { listedReason } from './reasons.ts'
import { selectUnclaimed, setDisputeRef } from './sql.ts'

export type DisputeDeps = ChargebackDeps & {
  readonly clock: Clock
  /** Called when an operator must check a dispute: it opened no chargeback, or its amount differs. */
  readonly alarm: (tradeNo: string, what: string) => void
}

// Reads overlap by this much, to find disputes that the channel reports with an earlier time.
const OVERLAP_MS = 10 * 60_000
const PAGE = 100

/** Called for a dispute that could not be stored or processed; the others continue. */
export type Failed = (dispute: ReportedDispute, error: unknown) => void

/** Stores the disputes that the channel reports. Returns the reason for a failure, or undefined. */
export async function readDisputes(
  { db }: Pick<DisputeDeps, 'db'>,
  channel: Pick<Channel, 'name' | 'disputes'>,
  failed: Failed,
): Promise<string | undefined> {
  const last = await lastReportedAt(db, channel.name)
  let since = new Date(last === undefined ? 0 : last.getTime() - OVERLAP_MS)
  for (;;) {
    const answer = await channel.disputes?.(since)
    if (answer === undefined) return undefined
    if (answer.kind === 'unknown') return answer.why
    const list = answer.list.map((dispute) => ({ ...dispute, channel: channel.name }))
    await isolateFailures(list, (some) => storeDisputes(db, channel.name, some), failed)
    const newest = answer.list.at(-1)?.at
    if (newest === undefined || newest <= since) return undefined
    since = newest
  }
}

/** Returns how many chargebacks were opened. A dispute that fails delays no other. */
export async function processDisputes(deps: DisputeDeps, failed: Failed): Promise<number> {
  let opened = 0
  for (let after: ReportedDispute | undefined; ; ) {
    const page = await selectWaiting(deps.db, after, PAGE)
    for (const dispute of page) {
      const taken = await takeDispute(deps, dispute).catch((error: unknown) => failed(dispute, error))
      if (taken === 'opened') opened++
    }
    if (page.length < PAGE) return opened
    after = page.at(-1)
  }
}

type Taken = 'opened' | 'adopted' | 'differs' | 'refused' | 'waits'

async function takeDispute(deps: DisputeDeps, dispute: ReportedDispute): Promise<Taken> {
  const attempt = attemptOf(dispute.reference)
  const owner = attempt && (await ownerOf(deps, attempt.tradeNo).catch(onlyRefusal))
  const refuse = (tx: Tx, why: string) => refused(deps, tx, dispute, why)
  return deps.db.transaction(async (tx) => {
    if (!(await lockWaiting(tx, dispute))) return 'waits'
    if (attempt === undefined || owner === undefined)
      return refuse(tx, 'no payment of ours has this reference')
    const { merNo, merchant } = owner
    const payment = await findPayment(tx, { merNo, tradeNo: attempt.tradeNo })
    if (payment === undefined) return refuse(tx, 'no payment of ours has this reference')
    if (payment.state === State.processing) return 'waits'
    if (!wasPaid(payment.state)) return refuse(tx, `the order is in state ${payment.state}, not paid`)
    return takeOf(deps, tx, { dispute, merchant, key: { merNo, ...attempt } })
  })
}

type Call = {
  readonly dispute: ReportedDispute
  readonly merchant: ChargebackTerms
  readonly key: AttemptKey
}

async function takeOf(deps: DisputeDeps, tx: Tx, { dispute, merchant, key }: Call): Promise<Taken> {
  const at = deps.clock.now()
  const order = await lockPaid(tx, key.merNo, key.tradeNo)
  if (order.attempt.no !== key.attemptNo) return refused(deps, tx, dispute, 'another attempt took the money')
  const { money, disputeRef } = dispute
  const opened = await selectUnclaimed(tx, key, dispute)
  if (opened !== undefined) return compare(deps, tx, dispute, opened)
  const isListed = (await listedReason(tx, dispute.reason)) !== undefined
  const reason = isListed ? dispute.reason : OTHER_REASON
  try {
    const { chargebackId } = await openOn(tx, order, merchant, { money, reason, disputeRef, at })
    await markTaken(tx, dispute, { result: `opened ${chargebackId}`, chargebackId, at })
    return 'opened'
  } catch (error) {
    if (!(error instanceof OperatorRefusal)) throw error
    return refused(deps, tx, dispute, error.message)
  }
}

/** Links the dispute to an operator's chargeback over the same amount. If the amounts differ, an operator decides. */
async function compare(
  deps: DisputeDeps,
  tx: Tx,
  dispute: ReportedDispute,
  opened: Chargeback,
): Promise<Taken> {
  const at = deps.clock.now()
  const { chargebackId, money: ours } = opened
  const { money: theirs } = dispute
  if (theirs.amount === ours.amount && theirs.currency === ours.currency) {
    await setDisputeRef(tx, opened, dispute.disputeRef)
    await markTaken(tx, dispute, {
      result: `${chargebackId}, which an operator had opened`,
      chargebackId,
      at,
    })
    return 'adopted'
  }
  const what = `the channel disputes ${inWords(theirs)}, an operator charged back ${inWords(ours)}`
  await markTaken(tx, dispute, { result: `differs from ${chargebackId}: ${what}`, chargebackId, at })
  deps.alarm(opened.tradeNo, `${what}: no money was moved, resolve it or open one over the other amount`)
  return 'differs'
}

function inWords({ amount, currency }: Money): string {
  return `${formatAmount(amount, currency)} ${currency}`
}

async function refused(deps: DisputeDeps, tx: Tx, dispute: ReportedDispute, why: string): Promise<Taken> {
  await markTaken(tx, dispute, { result: `refused: ${why}`, at: deps.clock.now() })
  deps.alarm(
    attemptOf(dispute.reference)?.tradeNo ?? dispute.reference,
    `a dispute opened no chargeback: ${why}`,
  )
  return 'refused'
}

function onlyRefusal(error: unknown): undefined {
  if (!(error instanceof OperatorRefusal)) throw error
}
