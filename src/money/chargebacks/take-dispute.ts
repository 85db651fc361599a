// Applies one report of a dispute. An inquiry is shown to the merchant. An open dispute takes the money from the
// merchant. A won dispute gives the money back. After a lost dispute, the money stays taken. A dispute that opens again
// after the channel reported `won` takes the money again.
//
// Invariant: a report changes nothing once a later stage of its dispute was applied. So money does not move twice if
// reports are repeated or arrive out of order. A report waits until the outcome of its payment is recorded.
//
// Lock order: the report, then the locks of open-chargeback.ts. See docs/decisions/0285-stages-of-disputes.md.
import type { Clock } from '../../platform/base/clock.ts'
import { formatMoney, isSameMoney } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { OTHER_REASON } from '../../platform/reference/list.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { type AttemptKey, attemptOf, type PaidOrder, State, wasPaid } from '../orders/order.ts'
import type { Chargeback } from './chargeback.ts'
import {
  lockWaiting,
  markTaken,
  type ReportedDispute,
  type Stage,
  selectTaken,
  type TakenStage,
} from './dispute-sql.ts'
import {
  type ChargebackDeps,
  type ChargebackTerms,
  lockPaid,
  openInquiry,
  openOn,
  ownerOf,
} from './open-chargeback.ts'
import { listedReason } from './reasons.ts'
import { resolveOn } from './resolve-chargeback.ts'
import {
  closeInquiry,
  moveEvidence,
  selectOfDispute,
  selectUnclaimed,
  setDisputeRef,
  updateDeadline,
} from './sql.ts'

export type DisputeDeps = ChargebackDeps & {
  readonly clock: Clock
  /** Alerts operators to a dispute whose report failed, was refused, or has another amount than our chargeback. */
  readonly alarm: (tradeNo: string, what: string) => void
}

/**
 * The result of a report. `adopted`: the report belongs to a chargeback that an operator had opened. `noted`: nothing
 * had to be booked. `waits`: the report was not processed now, because its payment has no outcome yet, or because
 * another node processes or has processed the report.
 */
export type Taken = 'opened' | 'resolved' | 'adopted' | 'noted' | 'differs' | 'refused' | 'waits'

export async function takeDispute(deps: DisputeDeps, dispute: ReportedDispute): Promise<Taken> {
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
  const order = await lockPaid(tx, key.merNo, key.tradeNo)
  // The time is read after the order is locked. So the times of stages are in the order in which the stages are
  // applied, and their notifications are sent in this order.
  const at = deps.clock.now()
  if (order.attempt.no !== key.attemptNo) return refused(deps, tx, dispute, 'another attempt took the money')
  const taken = await selectTaken(tx, dispute)
  if (taken.some((one) => isLater(one, dispute)))
    return conclude(tx, { dispute, at }, 'noted', 'a later report came first')
  const own = await selectOfDispute(tx, order, dispute.disputeRef)
  const found =
    dispute.stage === 'inquiry' || isFinal(own) ? undefined : await selectUnclaimed(tx, key, dispute)
  if (found !== undefined && !isSameMoney(found.money, dispute.money))
    return differs(deps, tx, { dispute, at }, found)
  if (found !== undefined) await setDisputeRef(tx, found, dispute.disputeRef)
  const wasWon = taken.some(({ stage }) => stage === 'won')
  const stage = { dispute, order, merchant, own: found ?? own, isAdopted: found !== undefined, wasWon, at }
  try {
    return await stages[dispute.stage](deps, tx, stage)
  } catch (error) {
    if (!(error instanceof OperatorRefusal)) throw error
    return refused(deps, tx, dispute, error.message)
  }
}

const ranks: Readonly<Record<Stage, number>> = { inquiry: 0, open: 1, won: 2, lost: 2 }

function isLater(one: TakenStage, than: TakenStage): boolean {
  const ms = one.at.getTime() - than.at.getTime()
  return ms > 0 || (ms === 0 && ranks[one.stage] > ranks[than.stage])
}

/** True if the dispute's chargeback is open or lost. The order can then have no further chargeback. */
function isFinal(own: Chargeback | undefined): boolean {
  return own?.state === 'open' || own?.state === 'lost'
}

type StageCall = {
  readonly dispute: ReportedDispute
  readonly order: PaidOrder
  readonly merchant: ChargebackTerms
  /** The latest chargeback or inquiry of the dispute. */
  readonly own: Chargeback | undefined
  /** True if an operator had opened the chargeback before the channel reported the dispute. */
  readonly isAdopted: boolean
  /** True if the channel itself has reported `won` before. A decision of an operator does not count. */
  readonly wasWon: boolean
  readonly at: Date
}

type TakeStage = (deps: DisputeDeps, tx: Tx, call: StageCall) => Promise<Taken>

const stages: Readonly<Record<Stage, TakeStage>> = {
  async inquiry(_deps, tx, call) {
    const { dispute, order, own, at } = call
    if (own?.state === 'inquiry' && dispute.respondBy !== undefined)
      await updateDeadline(tx, own, dispute.respondBy)
    // After a won chargeback the merchant has the money, so the bank may open a new inquiry.
    const isNew = own === undefined || own.state === 'closed' || own.state === 'won'
    if (!isNew) return conclude(tx, call, 'noted', 'it is known already', own)
    const reason = await reasonOf(tx, dispute)
    const inquiry = await openInquiry(tx, order, { ...dispute, reason, openedAt: at })
    return conclude(tx, call, 'noted', `inquiry ${inquiry.chargebackId}`, inquiry)
  },

  async open(deps, tx, call) {
    const { dispute, own, isAdopted, wasWon } = call
    if (isAdopted && own !== undefined)
      return conclude(tx, call, 'adopted', `${own.chargebackId}, which an operator had opened`, own)
    if (own?.state === 'open') {
      if (dispute.respondBy !== undefined) await updateDeadline(tx, own, dispute.respondBy)
      return conclude(tx, call, 'noted', 'it is open already', own)
    }
    if (own?.state === 'lost') return conclude(tx, call, 'noted', 'its chargeback was lost before', own)
    if (own?.state === 'won' && !wasWon) return refused(deps, tx, dispute, WON_BY_HAND)
    const opened = await open(tx, call)
    return conclude(tx, call, 'opened', `opened ${opened.chargebackId}`, opened)
  },

  async won(deps, tx, call) {
    const { dispute, order, merchant, own, at } = call
    if (own?.state === 'lost') return refused(deps, tx, dispute, 'it was lost here: correct the balance')
    if (own?.state === 'won') return conclude(tx, call, 'noted', 'it was won already', own)
    if (own?.state === 'inquiry') await closeInquiry(tx, own, at)
    if (own?.state !== 'open') return conclude(tx, call, 'noted', 'no money was taken for it', own)
    await resolveOn(tx, order, merchant, { outcome: 'won', at })
    return conclude(tx, call, 'resolved', `won ${own.chargebackId}`, own)
  },

  async lost(deps, tx, call) {
    const { dispute, order, merchant, own, wasWon, at } = call
    if (own?.state === 'lost') return conclude(tx, call, 'noted', 'it was lost already', own)
    if (own?.state === 'won' && !wasWon) return refused(deps, tx, dispute, WON_BY_HAND)
    if (own?.state === 'open') {
      await resolveOn(tx, order, merchant, { outcome: 'lost', at })
      return conclude(tx, call, 'resolved', `lost ${own.chargebackId}`, own)
    }
    // No chargeback of the dispute is open, so one is opened first.
    const opened = await open(tx, call)
    const disputed = await lockPaid(tx, order.merNo, order.tradeNo)
    // An order's notifications are sent in order of time, so the loss gets a later time than the opening.
    await resolveOn(tx, disputed, merchant, { outcome: 'lost', at: new Date(at.getTime() + 1) })
    return conclude(tx, call, 'opened', `opened and lost ${opened.chargebackId}`, opened)
  },
}

const WON_BY_HAND = 'an operator recorded that it was won: open a chargeback if the money is gone again'

async function open(tx: Tx, { dispute, order, merchant, own, at }: StageCall): Promise<Chargeback> {
  const { money, disputeRef, respondBy: answerBy } = dispute
  const reason = await reasonOf(tx, dispute)
  const opened = await openOn(tx, order, merchant, { money, reason, disputeRef, answerBy, at })
  if (own?.state === 'inquiry') {
    await closeInquiry(tx, own, at)
    await moveEvidence(tx, own, opened)
  }
  return opened
}

async function reasonOf(tx: Tx, { reason }: ReportedDispute): Promise<string> {
  return (await listedReason(tx, reason)) === undefined ? OTHER_REASON : reason
}

/** Marks the report as processed with this result, and returns `taken`. */
async function conclude(
  tx: Tx,
  { dispute, at }: Pick<StageCall, 'dispute' | 'at'>,
  taken: Taken,
  result: string,
  chargeback?: Chargeback,
): Promise<Taken> {
  await markTaken(tx, dispute, { result, chargebackId: chargeback?.chargebackId, at })
  return taken
}

/** Records that an operator's chargeback and the dispute have different amounts, and alerts operators. */
async function differs(
  deps: DisputeDeps,
  tx: Tx,
  call: Pick<StageCall, 'dispute' | 'at'>,
  chargeback: Chargeback,
): Promise<Taken> {
  // The difference is not booked, because its meaning is unknown. The operator may have mistyped the amount, or the
  // channel may report the dispute in several parts.
  const disputed = formatMoney(call.dispute.money)
  const what = `the channel disputes ${disputed}, an operator charged back ${formatMoney(chargeback.money)}`
  const taken = await conclude(
    tx,
    call,
    'differs',
    `differs from ${chargeback.chargebackId}: ${what}`,
    chargeback,
  )
  deps.alarm(chargeback.tradeNo, `${what}: no money was moved, resolve it or open one over the other amount`)
  return taken
}

async function refused(deps: DisputeDeps, tx: Tx, dispute: ReportedDispute, why: string): Promise<Taken> {
  await markTaken(tx, dispute, { result: `refused: ${why}`, at: deps.clock.now() })
  const { tradeNo } = attemptOf(dispute.reference) ?? { tradeNo: dispute.reference }
  const report =
    dispute.stage === 'open' ? 'a dispute opened no chargeback' : `a ${dispute.stage} dispute changed nothing`
  deps.alarm(tradeNo, `${report}: ${why}`)
  return 'refused'
}

function onlyRefusal(error: unknown): undefined {
  if (!(error instanceof OperatorRefusal)) throw error
}
