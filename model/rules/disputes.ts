// Disputes that a channel reports, stage by stage. A report may arrive late, twice or after a later stage. Each report
// is processed once, after its payment has an outcome.
import { chargebackFeeOf, endChargeback, mayChargeBack, openChargeback } from './chargebacks.ts'
import type { Chargeback, DisputeReport, Model } from './facts.ts'

export type Taken = 'waits' | 'noted' | 'refused' | 'differs' | 'adopted' | 'opened' | 'resolved'

/**
 * Processes a report unless its payment has no outcome yet. `newId` is the number of a chargeback or an inquiry that
 * the report opens.
 */
export function takeReport(model: Model, report: DisputeReport, newId: string): Taken {
  const { order, disputeRef, attempt, stage } = report
  if (order.standing === 'open') return 'waits'
  const earlier = model.disputes.filter((one) => one.isTaken && one.disputeRef === disputeRef)
  report.isTaken = true
  if (order.money === undefined || order.paidBy !== attempt) return 'refused'
  if (earlier.some((one) => isLater(one, report))) return 'noted'
  const own = order.chargebacks.findLast((one) => one.disputeRef === disputeRef)
  const isFinal = own?.state === 'open' || own?.state === 'lost'
  const found = stage === 'inquiry' || isFinal ? undefined : recordedBefore(report)
  if (found !== undefined && !isSame(found, report)) return 'differs'
  if (found !== undefined) found.disputeRef = disputeRef
  const wasWon = earlier.some((one) => one.stage === 'won')
  return takeStage(model, report, { own: found ?? own, isAdopted: found !== undefined, wasWon, newId })
}

const ranks = { inquiry: 0, open: 1, won: 2, lost: 2 }

function isLater(one: DisputeReport, than: DisputeReport): boolean {
  return one.atMs > than.atMs || (one.atMs === than.atMs && ranks[one.stage] > ranks[than.stage])
}

/**
 * Returns the chargeback that an operator recorded before the channel reported the dispute: the latest with the same
 * amount, or else the latest. A chargeback that was won before the report's time is left out.
 */
function recordedBefore(report: DisputeReport): Chargeback | undefined {
  const mayBe = report.order.chargebacks.filter(
    ({ disputeRef, endedMs, state }) =>
      disputeRef === undefined && (endedMs === undefined || endedMs >= report.atMs || state === 'lost'),
  )
  return mayBe.findLast((one) => isSame(one, report)) ?? mayBe.at(-1)
}

function isSame(one: Chargeback, report: DisputeReport): boolean {
  return one.amount === report.amount && one.currency === report.currency
}

type Stage = {
  /** The latest chargeback or inquiry of the dispute. */
  readonly own: Chargeback | undefined
  /** True if an operator had recorded the chargeback before the channel reported it. */
  readonly isAdopted: boolean
  /** True if the channel has already reported that the merchant won. False if only an operator recorded the win. */
  readonly wasWon: boolean
  readonly newId: string
}

function takeStage(model: Model, report: DisputeReport, { own, isAdopted, wasWon, newId }: Stage): Taken {
  const { nowMs } = model
  const wasWonByHand = own?.state === 'won' && !wasWon
  switch (report.stage) {
    case 'inquiry':
      // The bank may ask again after an inquiry was closed or the merchant won.
      if (own === undefined || own.state === 'closed' || own.state === 'won')
        report.order.chargebacks.push(begin(report, newId, 'inquiry'))
      return 'noted'
    case 'open':
      if (isAdopted) return 'adopted'
      if (own?.state === 'open' || own?.state === 'lost') return 'noted'
      return wasWonByHand ? 'refused' : open(model, report, own, newId)
    case 'won':
      if (own?.state === 'lost') return 'refused'
      if (own?.state === 'inquiry') own.state = 'closed'
      if (own?.state !== 'open') return 'noted'
      endChargeback(own, 'won', nowMs)
      return 'resolved'
    case 'lost': {
      if (own?.state === 'lost') return 'noted'
      if (wasWonByHand) return 'refused'
      if (own?.state === 'open') {
        endChargeback(own, 'lost', nowMs)
        return 'resolved'
      }
      // The channel never reported the opening of the chargeback, so the chargeback is opened first.
      const opened = open(model, report, own, newId)
      const lost = report.order.chargebacks.at(-1)
      if (opened === 'opened' && lost !== undefined) endChargeback(lost, 'lost', nowMs + 1)
      return opened
    }
  }
}

function begin(report: DisputeReport, chargebackId: string, state: 'inquiry' | 'open'): Chargeback {
  const { order, disputeRef, amount, currency } = report
  const fee = state === 'inquiry' ? 0n : chargebackFeeOf(order)
  return { order, chargebackId, disputeRef, amount, currency, fee, state, endedMs: undefined }
}

/** Opens a chargeback, and closes the inquiry that came before it. */
function open(model: Model, report: DisputeReport, own: Chargeback | undefined, newId: string): Taken {
  const { order, amount, currency } = report
  if (currency !== order.currency || !mayChargeBack(order, amount)) return 'refused'
  openChargeback(model, begin(report, newId, 'open'))
  if (own?.state === 'inquiry') own.state = 'closed'
  return 'opened'
}
