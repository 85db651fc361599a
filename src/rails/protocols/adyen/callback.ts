// What Adyen's webhooks change. An item is recorded before the next one is read, and all of them before Adyen gets its answer;
// an item that comes again changes nothing. None of them calls Adyen, whose queue waits for the answer.
import type { Clock } from '../../base/clock.ts'
import type { Alarms } from '../alarms.ts'
import type { Callback, CallbackAnswer, CallbackResult, Dispute, Outcome } from '../contract.ts'
import type { ChannelStore } from '../store.ts'
import { isShopper } from './card-tokens.ts'
import { readDispute, stages } from './disputes.ts'
import { closedByUs } from './payment-records.ts'
import type { Payments } from './payments.ts'
import { type Refunds, refundEvents } from './refunds.ts'
import { noteReport } from './reports.ts'
import { type Item, readItems } from './webhook.ts'
import { declined, isPsp, unknown } from './wire.ts'

export type CallbacksOptions = {
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
    // A webhook may be set up for all merchant accounts of a company.
    if (item.account !== options.merchantAccount) continue
    const problem = await apply(options, item, effects)
    // Adyen sends it again, and nothing after it until then.
    if (problem !== undefined) return refuse(problem, 503)
  }
  return { kind: 'accepted', ...effects, answer: answer(200, '[accepted]') }
}

/** Returns why it could not be recorded. */
async function apply(options: CallbacksOptions, item: Item, effects: Effects): Promise<string | undefined> {
  const { store, clock, refunds } = options
  if (stages.has(item.event)) {
    // One without a reference is about a payment of others.
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

/** Refusing it would hold up all others, so an operator opens the chargeback. */
async function tellUnreadable({ alarms }: CallbacksOptions, item: Item): Promise<void> {
  const { event, psp, reference } = item
  const what = `Adyen's dispute ${psp} (${event}) cannot be read: look in the customer area, and record it by hand`
  await alarms.raise(`dispute ${psp} ${event}`, { reference, what })
}

/** Neither a success nor a failure: a payment that only this item could decide stays unknown. */
async function tellOpen({ alarms }: CallbacksOptions, item: Item): Promise<void> {
  const { event, psp, reference } = item
  const name = event.slice(0, MAX_EVENT).toWellFormed()
  const what = `Adyen sent ${name} (${psp}) without a result that is known: look in the customer area`
  await alarms.raise(`no result ${psp} ${name}`, { reference, what })
}

/** Information, and answers to what the gateway does not ask for. */
const ignored: readonly string[] = [
  ...['CAPTURE', 'AUTHORISATION_ADJUSTMENT', 'PENDING', 'RECURRING_CONTRACT'],
  ...['NOTIFICATION_OF_FRAUD', 'ISSUER_COMMENTS', 'INFORMATION_SUPPLIED', 'POSTPONED_REFUND'],
  ...['MANUAL_REVIEW_ACCEPT', 'MANUAL_REVIEW_REJECT', 'ORDER_OPENED', 'ORDER_CLOSED'],
  ...['PAYOUT_THIRDPARTY', 'PAYOUT_DECLINE', 'PAYOUT_EXPIRE', 'PAIDOUT_REVERSED'],
]

/** It may be about money. Once a day for each event, because Adyen may send one for every payment. */
async function tellUnknown({ alarms, clock }: CallbacksOptions, item: Item): Promise<void> {
  const { event, psp, reference } = item
  if (ignored.includes(event)) return
  const name = event.slice(0, MAX_EVENT).toWellFormed()
  const what = `Adyen sent an event that is not known, ${name} (${psp}): look for it in the customer area`
  await alarms.raise(`event ${name} ${clock.now().toISOString().slice(0, 10)}`, { reference, what })
}

const MAX_EVENT = 60

/** Undefined: it says nothing about the payment. */
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
      return isSuccess ? takenBack(options, item) : notReversed(payments, item)
    default:
      await tellUnknown(options, item)
      return undefined
  }
}

async function authorised(payments: Payments, item: Item, at: Date): Promise<Outcome | undefined> {
  const { reference, psp, money } = item
  // Not of a payment of ours, whose amount Adyen could express and so can we. Refusing it would hold up all others.
  if (money === undefined || !isPsp(psp)) return undefined
  const { records } = payments
  if ((await records.findTransfer(reference)) === undefined) return payments.paid(reference, { psp, money })
  await records.addDeposit(reference, { depositRef: psp, money, at })
  return (await payments.known({ reference })) ?? unknown('the deposit was not recorded')
}

/** The authorisation succeeded, but the money will not be paid: raise an alarm. One that we reversed may lapse, too. */
async function uncaptured(
  { records }: Payments,
  { reference, originalPsp }: Item,
): Promise<Outcome | undefined> {
  const decision = await records.find(reference)
  const isOther = decision?.kind === 'paid' && originalPsp !== '' && originalPsp !== decision.psp
  return isOther ? undefined : { ...declined, message: 'The payment was authorised, and its capture failed' }
}

/**
 * Somebody cancelled in the customer area what counts as paid: raise an alarm. What we reverse ourselves is not the decision. A
 * payment without a decision was paid by transfers, or the reference was made up in the customer area.
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

/** We reverse what must not be kept. If that fails, the payer has paid after all. */
async function notReversed(
  payments: Payments,
  { reference, originalPsp: psp, money }: Item,
): Promise<Outcome | undefined> {
  const ours = await payments.notReversed(reference, { psp, money })
  // Nobody can say how much the payer was charged. The alarm is raised, and refusing the item would hold up all others.
  if (ours?.kind === 'unknown') return undefined
  if (ours !== undefined || money === undefined) return ours
  return { kind: 'succeeded', money, channelRef: psp }
}

/** A refund that nobody asked for may be a reversal, and it came back: the payer has paid after all. */
async function reversalFailed({ payments }: CallbacksOptions, item: Item, effects: Effects): Promise<void> {
  const { reference, originalPsp: psp, money } = item
  const outcome = await payments.notReversed(reference, { psp, money })
  if (outcome !== undefined && outcome.kind !== 'unknown') effects.reports.push({ reference, outcome })
}

/** Without advice: the item has no refusal code, and its reason is not signed. */
async function refused({ records, known }: Payments, { reference, psp }: Item): Promise<Outcome | undefined> {
  const failed = { ...declined, ...(isPsp(psp) && { channelRef: psp }) }
  const standing = await records.decide(reference, { kind: 'failed', failed })
  // The same authorisation, reported as a success before: nobody can say which is right, so raise an alarm.
  if (standing.kind === 'paid' && standing.psp === psp) return failed
  return known({ reference })
}

export function refuse(why: string, status: number): CallbackResult {
  return { kind: 'refused', why, answer: answer(status, 'refused') }
}

export function answer(status: number, body: string): CallbackAnswer {
  return { status, type: 'text/plain', body }
}
