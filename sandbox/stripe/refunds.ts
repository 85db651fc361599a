// Refunds and disputes of the account. A refund is decided a second later.
import type { Clock } from '../../src/platform/base/clock.ts'
import type { Fields } from '../../src/platform/base/object.ts'
import { type Account, type Intent, makeStripeId, toJson } from './account.ts'
import { type Answer, done, invalid, missing } from './answer.ts'
import type { Events } from './events.ts'
import { fieldsIn, textIn } from './form.ts'

type Refund = {
  readonly id: string
  readonly intent: Intent
  readonly amount: number
  readonly metadata: Fields
  readonly created: number
  status: 'pending' | 'succeeded' | 'failed'
}

export type Refunds = ReturnType<typeof createRefunds>

const REFUND_MS = 1_000
/** The amount of a refund that fails: 6.66 in most currencies. */
const FAILS = 666

export function createRefunds(account: Account, events: Events, clock: Clock) {
  const refunds = new Map<string, Refund>()
  const timers = new Set<NodeJS.Timeout>()
  const left = (intent: Intent) => {
    const given = [...refunds.values()].filter((one) => one.intent === intent && one.status !== 'failed')
    return given.reduce((rest, { amount }) => rest - amount, intent.amount)
  }

  function decide(refund: Refund): void {
    refund.status = refund.amount === FAILS ? 'failed' : 'succeeded'
    events.send(refund.status === 'failed' ? 'refund.failed' : 'refund.updated', refundJson(refund))
  }

  return {
    create(form: Fields): Answer {
      const intent = account.find(textIn(form, 'payment_intent'))
      if (intent === undefined) return missing('payment_intent')
      const amount = Number(textIn(form, 'amount'))
      if (intent.status !== 'succeeded')
        return invalid('This PaymentIntent does not have a successful charge')
      if (!Number.isSafeInteger(amount) || amount < 1 || amount > left(intent))
        return invalid('Refund amount is greater than unrefunded amount', { param: 'amount' })
      const id = makeStripeId('re')
      const created = Math.floor(clock.now().getTime() / 1000)
      const metadata = fieldsIn(form, 'metadata')
      const refund: Refund = { id, intent, amount, metadata, created, status: 'pending' }
      refunds.set(id, refund)
      events.send('refund.created', refundJson(refund))
      const timer = setTimeout(() => {
        timers.delete(timer)
        decide(refund)
      }, REFUND_MS)
      timers.add(timer)
      return done(refundJson(refund))
    },
    find(id: string): Answer {
      const refund = refunds.get(id)
      return refund === undefined ? missing('refund') : done(refundJson(refund))
    },
    /** The payer's bank returns the money of a refund after the refund has succeeded. */
    sendBack(id: string): void {
      const refund = refunds.get(id)
      if (refund === undefined) return
      refund.status = 'failed'
      events.send('refund.failed', refundJson(refund))
    },
    /** The refunds of an intent, newest first. */
    listOf: (intentId: string) =>
      [...refunds.values()]
        .filter(({ intent }) => intent.id === intentId)
        .reverse()
        .map(refundJson),
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

function refundJson({ id, intent, amount, metadata, created, status }: Refund): Fields {
  return {
    id,
    object: 'refund',
    payment_intent: intent.id,
    amount,
    currency: intent.currency,
    metadata,
    created,
    status,
  }
}

type Dispute = {
  readonly id: string
  readonly intent: Intent
  readonly created: number
  status: string
  /**
   * `chargeback`, or how Stripe's prevention ended the dispute: `resolution` refunds the payer, and `block` refutes the
   * claim.
   */
  readonly caseType: string
}

export type DisputeBook = ReturnType<typeof createDisputes>

const EVIDENCE_S = 7 * 24 * 3600

export function createDisputes(events: Events, clock: Clock) {
  const disputes = new Map<string, Dispute>()
  return {
    open(intent: Intent, status = 'needs_response', caseType = 'chargeback'): string {
      const created = Math.floor(clock.now().getTime() / 1000)
      const dispute = { id: makeStripeId('du'), intent, created, status, caseType }
      disputes.set(dispute.id, dispute)
      events.send('charge.dispute.created', disputeJson(dispute, false))
      return dispute.id
    },
    move(id: string, status: string): void {
      const dispute = disputes.get(id)
      if (dispute === undefined) return
      dispute.status = status
      const isClosed = ['won', 'lost', 'warning_closed', 'prevented'].includes(status)
      events.send(`charge.dispute.${isClosed ? 'closed' : 'updated'}`, disputeJson(dispute, false))
    },
    find(id: string, isExpanded: boolean): Answer {
      const dispute = disputes.get(id)
      return dispute === undefined ? missing('dispute') : done(disputeJson(dispute, isExpanded))
    },
    list: (isExpanded: boolean) =>
      [...disputes.values()].reverse().map((one) => disputeJson(one, isExpanded)),
  }
}

function disputeJson({ id, intent, created, status, caseType }: Dispute, isExpanded: boolean): Fields {
  const { amount, currency } = intent
  return {
    ...{ id, object: 'dispute', amount, currency, created, status, reason: 'fraudulent' },
    payment_intent: isExpanded ? toJson(intent) : intent.id,
    payment_method_details: { type: 'card', card: { brand: 'visa', case_type: caseType } },
    evidence_details: { due_by: created + EVIDENCE_S, has_evidence: false },
  }
}
