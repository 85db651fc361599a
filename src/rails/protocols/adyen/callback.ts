// Reads Adyen's webhooks about payments, refunds, disputes and reports. The items of a webhook are processed one after
// the other. Adyen gets a success response only after all items that concern us are recorded. Processing is idempotent
// and never calls Adyen, because Adyen's queue of webhooks waits for the response.
import type { Clock } from '../../../platform/base/clock.ts'
import type { Callback, CallbackAnswer, CallbackResult, Dispute, Outcome } from '../../contract/channel.ts'
import type { ChannelStore } from '../../contract/store.ts'
import type { Alarms } from '../../toolkit/alarms.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { isShopper } from './card-tokens.ts'
import { readDispute, stages } from './disputes.ts'
import { closedByUs } from './payment-records.ts'
import type { Payments } from './payments.ts'
import { type Refunds, refundEvents } from './refunds.ts'
import { noteReport } from './reports.ts'
import { type Item, readItems } from './signature.ts'
import { declined, isPsp } from './wire.ts'

type CallbacksOptions = {
  readonly hmacKey: Buffer
  readonly merchantAccount: string
  readonly store: ChannelStore
  readonly alarms: Alarms
  readonly clock: Clock
  readonly payments: Payments
  readonly refunds: Pick<Refunds, 'report'>
}

type Report = { readonly reference: string; readonly outcome: Outcome }
type Accepted = Extract<CallbackResult, { kind: 'accepted' }>
type Effects = {
  readonly reports: Report[]
  readonly refunds: NonNullable<Accepted['refunds']>[number][]
  readonly disputes: Dispute[]
}

export async function readPaymentCallback(
  options: CallbacksOptions,
  callback: Callback,
): Promise<CallbackResult> {
  const items = readItems(callback.body, options.hmacKey)
  if (items === undefined) return refuse('it is not signed by Adyen', 401)
  const effects: Effects = { reports: [], refunds: [], disputes: [] }
  for (const item of items) {
    // A webhook may be set up for all merchant accounts of a company. Items about the other accounts are skipped.
    if (item.account !== options.merchantAccount) continue
    const problem = await apply(options, item, effects)
    // After a 503, Adyen retries the webhook and holds back all later webhooks.
    if (problem !== undefined) return refuse(problem, 503)
  }
  return { kind: 'accepted', ...effects, answer: answer(200, '[accepted]') }
}

/** Records the item. Returns the reason if the item cannot be recorded. */
async function apply(options: CallbacksOptions, item: Item, effects: Effects): Promise<string | undefined> {
  const { store, clock, refunds } = options
  if (stages.has(item.event)) {
    // A dispute without a reference is about a payment of another system.
    const dispute = item.reference === '' ? undefined : await readDispute(store, item, clock.now())
    if (dispute === 'unreadable') await tellUnreadable(options, item)
    else if (dispute !== undefined) effects.disputes.push(dispute)
  } else if (item.event === 'REPORT_AVAILABLE') await noteReport(store, item)
  else if (item.isSuccess === undefined) await tellOpen(options, item)
  else if (refundEvents.includes(item.event)) {
    const refund = await refunds.report(item)
    if (refund !== undefined) effects.refunds.push(refund)
    else if (item.event !== 'REFUND') await reversalFailed(options, item, effects)
  } else {
    const isPayment = item.reference !== '' && !isShopper(item.reference)
    const outcome = isPayment ? await paymentOf(options, item) : undefined
    if (outcome?.kind === 'unknown') return outcome.why
    if (outcome !== undefined) effects.reports.push({ reference: item.reference, outcome })
  }
  return undefined
}

/**
 * Raises an alarm, so that an operator records the unreadable dispute by hand. The item is accepted, because a refusal
 * would hold back all later webhooks.
 */
async function tellUnreadable({ alarms }: CallbacksOptions, item: Item): Promise<void> {
  const { event, psp, reference } = item
  const what = `Adyen's dispute ${psp} (${event}) cannot be read: look in the customer area, and record it by hand`
  await alarms.raise(`dispute ${psp} ${event}`, { reference, what })
}

/** Raises an alarm about an item that reports neither success nor failure. Such an item decides no payment. */
async function tellOpen({ alarms }: CallbacksOptions, item: Item): Promise<void> {
  const { event, psp, reference } = item
  const name = event.slice(0, MAX_EVENT).toWellFormed()
  const what = `Adyen sent ${name} (${psp}) without a result that is known: look in the customer area`
  await alarms.raise(`no result ${psp} ${name}`, { reference, what })
}

/** Events that change no payment, and events about requests that the gateway never sends. */
const ignored: readonly string[] = [
  ...['CAPTURE', 'AUTHORISATION_ADJUSTMENT', 'PENDING', 'RECURRING_CONTRACT'],
  ...['NOTIFICATION_OF_FRAUD', 'ISSUER_COMMENTS', 'INFORMATION_SUPPLIED', 'POSTPONED_REFUND'],
  ...['MANUAL_REVIEW_ACCEPT', 'MANUAL_REVIEW_REJECT', 'ORDER_OPENED', 'ORDER_CLOSED'],
  ...['PAYOUT_THIRDPARTY', 'PAYOUT_DECLINE', 'PAYOUT_EXPIRE', 'PAIDOUT_REVERSED'],
]

/**
 * Raises an alarm about an unknown event, because the event may be about money. Adyen may send the event for every
 * payment, so there is at most one alarm per kind of event and day.
 */
async function tellUnknown({ alarms, clock }: CallbacksOptions, item: Item): Promise<void> {
  const { event, psp, reference } = item
  if (ignored.includes(event)) return
  const name = event.slice(0, MAX_EVENT).toWellFormed()
  const what = `Adyen sent an event that is not known, ${name} (${psp}): look for it in the customer area`
  await alarms.raise(`event ${name} ${clock.now().toISOString().slice(0, 10)}`, { reference, what })
}

const MAX_EVENT = 60

/** Returns the payment's outcome according to the item. Undefined if the item decides nothing. */
async function paymentOf(options: CallbacksOptions, item: Item): Promise<Outcome | undefined> {
  const { payments, clock } = options
  const { reference, isSuccess } = item
  const { records } = payments
  switch (item.event) {
    case 'AUTHORISATION':
      return isSuccess ? authorised(payments, item, clock.now()) : refused(payments, item)
    case 'OFFER_CLOSED':
      await records.decide(reference, closedByUs)
      return payments.known({ reference })
    case 'TECHNICAL_CANCEL':
      return payments.cancelAnswered(reference, isSuccess ? item.originalPsp : undefined)
    case 'CAPTURE_FAILED':
    case 'EXPIRE':
      return uncaptured(payments, item)
    case 'CANCELLATION':
      return isSuccess ? takenBack(options, item) : undefined
    case 'CANCEL_OR_REFUND':
      return isSuccess ? takenBack(options, item) : notReversed(options, item)
    default:
      await tellUnknown(options, item)
      return undefined
  }
}

async function authorised(payments: Payments, item: Item, at: Date): Promise<Outcome | undefined> {
  const { reference, psp, money } = item
  // We can read the amounts of our own payments, so an unreadable amount belongs to a payment of another system. The
  // item is accepted, because a refusal would hold back all later webhooks.
  if (money === undefined || !isPsp(psp)) return undefined
  const { records } = payments
  if ((await records.findTransfer(reference)) === undefined) return payments.paid(reference, { psp, money })
  await records.addDeposit(reference, { depositRef: psp, money, at })
  return (await payments.known({ reference })) ?? unknown('the deposit was not recorded')
}

/**
 * Handles a failed capture or an expired authorisation. Returns a failure, because no money will come. If the payment
 * counts as paid, this contradiction raises an alarm. Returns undefined if another authorisation paid the payment,
 * because the item may be about an authorisation that we reversed.
 */
async function uncaptured(
  { records }: Payments,
  { reference, originalPsp }: Item,
): Promise<Outcome | undefined> {
  const decision = await records.find(reference)
  const isOther = decision?.kind === 'paid' && originalPsp !== '' && originalPsp !== decision.psp
  return isOther ? undefined : { ...declined, message: 'The payment was authorised, and its capture failed' }
}

/**
 * Handles a cancellation. Somebody may have made the cancellation in Adyen's customer area.
 * - If the cancelled authorisation paid the payment, returns a failure. The failure contradicts the payment, which
 *   raises an alarm. An authorisation that we reversed ourselves never paid the payment.
 * - If the payment has no decision, raises an alarm, unless we requested the reversal. The payment may be one by bank
 *   transfer, or the reference may be unknown to the gateway.
 */
async function takenBack(
  { payments, alarms }: CallbacksOptions,
  { reference, event, originalPsp: psp }: Item,
): Promise<Outcome | undefined> {
  const decision = await payments.records.find(reference)
  if (decision === undefined && (await payments.reversals.find(psp)) === undefined) {
    const what = `Adyen took the payment ${psp} back (${event}), and not for the gateway: search for it, and compare`
    await alarms.raise(`taken back ${psp}`, { reference, what })
  }
  const isPaid = decision?.kind === 'paid' && decision.psp === psp
  return isPaid ? { ...declined, message: 'The payment was authorised, and cancelled at Adyen' } : undefined
}

/**
 * Handles a failed reversal. If we requested the reversal, the payer has paid after all. If somebody else requested the
 * reversal, an alarm is raised, and the payment does not change.
 */
async function notReversed(
  { payments, alarms }: CallbacksOptions,
  { reference, originalPsp: psp, money }: Item,
): Promise<Outcome | undefined> {
  const ours = await payments.notReversed(reference, { psp, money })
  if (ours === undefined) {
    const what = `Adyen did not take the payment ${psp} back, as somebody asked in the customer area: search for it, and compare`
    await alarms.raise(`not taken back ${psp}`, { reference, what })
  }
  // `unknown` means that the charged amount is not known. An alarm was already raised. If `unknown` were returned, the
  // item would be refused, and Adyen would hold back all later webhooks.
  return ours?.kind === 'unknown' ? undefined : ours
}

/**
 * Handles a refund that failed or came back. If the refund was one of our reversals, reports that the payer has paid.
 */
async function reversalFailed({ payments }: CallbacksOptions, item: Item, effects: Effects): Promise<void> {
  const { reference, originalPsp: psp, money } = item
  const outcome = await payments.notReversed(reference, { psp, money })
  if (outcome !== undefined && outcome.kind !== 'unknown') effects.reports.push({ reference, outcome })
}

/**
 * Records a refused authorisation. The failure has no advice on further attempts, because the item has no refusal code,
 * and its reason is not signed.
 */
async function refused({ records, known }: Payments, { reference, psp }: Item): Promise<Outcome | undefined> {
  const failed = { ...declined, ...(isPsp(psp) && { channelRef: psp }) }
  const standing = await records.decide(reference, { kind: 'failed', failed })
  // If Adyen reported this authorisation as a success before, this failure contradicts the payment and raises an alarm.
  if (standing.kind === 'paid' && standing.psp === psp) return failed
  return known({ reference })
}

export function refuse(why: string, status: number): CallbackResult {
  return { kind: 'refused', why, answer: answer(status, 'refused') }
}

export function answer(status: number, body: string): CallbackAnswer {
  return { status, type: 'text/plain', body }
}
