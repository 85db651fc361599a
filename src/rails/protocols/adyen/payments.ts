// Decides and closes payments at Adyen.
//
// Adyen has no call that returns the state of a payment. If a response is lost, a webhook reports the result. If no
// webhook comes within the grace period, the gateway cancels the payment by our own reference, and a webhook reports
// the result of the cancellation. If Adyen cancelled an authorisation, the payment has failed. Otherwise the payment
// may still be paid, so it stays unknown until a webhook decides it or OFFER_MS have passed.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Money } from '../../../platform/base/money.ts'
import type { AttemptRef, Outcome } from '../../contract/channel.ts'
import type { ChannelRecord, ChannelStore } from '../../contract/store.ts'
import type { Alarms } from '../../toolkit/alarms.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { readTime } from '../../toolkit/read-time.ts'
import { moneyBody } from '../../toolkit/records/money.ts'
import { type AdyenApi, type AdyenReply, isRefusal, isUnauthorised, whyOpen } from './api.ts'
import {
  closedByUs,
  type Decision,
  openPaymentRecords,
  outcomeOf,
  type PaymentRecords,
  readMoney,
} from './payment-records.ts'
import { openReversals, type Reversals, type Unwanted } from './reversals.ts'

type PaymentsOptions = {
  readonly api: AdyenApi
  readonly store: ChannelStore
  readonly alarms: Alarms
  readonly merchantAccount: string
  readonly clock: Clock
  /**
   * The grace period: if the response to a payment is lost, the wait for its webhook before the payment is cancelled.
   */
  readonly graceMs: number
  readonly timeoutMs: number
}

type KnownRequest = Pick<AttemptRef, 'reference' | 'action'>

export type Payments = {
  readonly records: PaymentRecords
  readonly reversals: Pick<Reversals, 'note' | 'find'>
  /** Returns the outcome according to the recorded decision or deposits. Undefined while the payment is open. */
  known(request: KnownRequest): Promise<Outcome | undefined>
  /**
   * Requests the open reversals of the payment. Returns the outcome like `known`, but returns `unknown` until Adyen has
   * accepted or refused every reversal. A refused reversal may turn the outcome into a success.
   */
  settled(request: KnownRequest, signal: AbortSignal): Promise<Outcome | undefined>
  /**
   * Records an authorisation, and returns the payment's outcome. Undefined if the authorisation is held back (see
   * Cancels), or if it will be reversed because the payment already has another decision.
   */
  paid(reference: string, paid: Authorised): Promise<Outcome | undefined>
  /**
   * Records the result of our cancellation (`takenBack` as in `Cancels.answer`), and returns the payment's outcome.
   * Undefined if the result leaves the payment open.
   */
  cancelAnswered(reference: string, takenBack: string | undefined): Promise<Outcome | undefined>
  /** Records that an accepted reversal failed, and returns the outcome. Undefined if the reversal was not ours. */
  notReversed(reference: string, unwanted: Unwanted): Promise<Outcome | undefined>
  /** True if a cancellation of ours may have reached Adyen and has no result yet. */
  isClosing(reference: string): Promise<boolean>
  /**
   * Closes the payment, so that a later authorisation is reversed. Returns `unknown` while the payment may still be
   * paid.
   */
  close(request: AttemptRef, signal: AbortSignal): Promise<Outcome>
  /** Waits for the decision. Undefined if no webhook brings a decision within the grace period. */
  awaitDecision(reference: string, signal: AbortSignal): Promise<Decision | undefined>
}

const POLL_MS = 100

export function openPayments(options: PaymentsOptions): Payments {
  const { api, store, alarms, merchantAccount, clock, graceMs, timeoutMs } = options
  const records = openPaymentRecords(store)
  const reversals = openReversals({ api, store, merchantAccount })
  const cancels = openCancels(store, clock)

  const known: Payments['known'] = async ({ reference, action }) => {
    const decision = await records.find(reference)
    if (decision?.kind === 'paid') return outcomeOf(decision)
    const transfer = await records.findTransfer(reference)
    if (transfer === undefined) return decision && outcomeOf(decision)
    const deposits = await records.deposits(reference)
    if (decision?.kind === 'failed') return { ...decision.failed, ...(deposits.length > 0 && { deposits }) }
    if (deposits.length === 0) return undefined
    const { psp: channelRef } = transfer
    return { kind: 'received', channelRef, deposits, action: action ?? transfer.action }
  }

  const settled: Payments['settled'] = async (request, signal) => {
    await release(request.reference)
    const { isOpen, refused } = await reversals.settle(request.reference, signal)
    const standing = isOpen ? unknown('an authorisation could not be reversed yet') : await known(request)
    return withRefused(request.reference, standing, refused)
  }

  /**
   * True while our cancellation has no result and the payment has no decision. Once the payment has a decision, a new
   * authorisation is reversed whatever the cancellation's result is, so it need not wait.
   */
  async function mustWait(reference: string): Promise<boolean> {
    return (await cancels.find(reference)).isOpen && (await records.find(reference)) === undefined
  }

  const paid: Payments['paid'] = async (reference, authorised) => {
    if (await mustWait(reference)) {
      await cancels.hold(reference, authorised)
      // The check is repeated, because the result of the cancellation may have come between the first check and `hold`.
      if (await mustWait(reference)) return undefined
    }
    return count(reference, authorised)
  }

  async function count(reference: string, { psp, money }: Authorised): Promise<Outcome | undefined> {
    const { tookBack } = await cancels.find(reference)
    if (tookBack(psp)) return known({ reference })
    const standing = await records.decide(reference, { kind: 'paid', psp, money })
    if (standing.kind === 'paid' && standing.psp === psp) return outcomeOf(standing)
    await reversals.note(reference, { psp, money })
    return undefined
  }

  /** Processes the held-back authorisations, unless they must still wait. Returns the number of processed ones. */
  async function release(reference: string): Promise<number> {
    const held = await cancels.held(reference)
    if (held.length === 0 || (await mustWait(reference))) return 0
    for (const authorised of held) {
      await count(reference, authorised)
      await cancels.letGo(authorised.psp)
    }
    return held.length
  }

  const cancelAnswered: Payments['cancelAnswered'] = async (reference, takenBack) => {
    await cancels.answer(reference, takenBack)
    const { tookBack } = await cancels.find(reference)
    const standing = takenBack === undefined ? undefined : await records.decide(reference, closedByUs)
    // If the cancelled authorisation was reported as paid, the contradicting outcome raises an alarm.
    if (standing?.kind === 'paid' && tookBack(standing.psp)) await records.overrule(reference, closedByUs)
    const isDecided = (await release(reference)) > 0 || takenBack !== undefined
    return isDecided ? known({ reference }) : undefined
  }

  const notReversed: Payments['notReversed'] = async (reference, unwanted) => {
    const refused = await reversals.failed(reference, unwanted)
    return refused && withRefused(reference, await known({ reference }), [refused])
  }

  /**
   * Returns the outcome after Adyen refused to reverse some authorisations. The payer stays charged for them. If the
   * payment counts as paid or is unknown, its outcome stays. Otherwise the first authorisation with a known amount pays
   * the payment, and without a known amount the outcome is `unknown`. Each refused reversal raises an alarm, except
   * that of the authorisation that pays the payment.
   */
  async function withRefused(
    reference: string,
    standing: Outcome | undefined,
    refused: readonly Unwanted[],
  ): Promise<Outcome | undefined> {
    const isFixed = standing?.kind === 'succeeded' || standing?.kind === 'unknown'
    const charged = isFixed ? undefined : refused.find(({ money }) => money !== undefined)
    for (const { psp } of refused.filter((one) => one !== charged)) {
      const what = `Adyen did not reverse an authorisation that must not be kept (${psp})`
      await alarms.raise(`not reversed ${psp}`, { reference, what })
    }
    if (isFixed || refused.length === 0) return standing
    return charged?.money === undefined
      ? unknown('Adyen refused to reverse a part of the amount: look in its customer area')
      : outcomeOf({ kind: 'paid', psp: charged.psp, money: charged.money })
  }

  const awaitDecision: Payments['awaitDecision'] = (reference, signal) =>
    poll(() => records.find(reference), graceMs, signal)

  const isClosing: Payments['isClosing'] = async (reference) => (await cancels.find(reference)).isOpen

  async function close(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const { reference, action, channelRef } = request
    const isOurs = action !== undefined || channelRef !== undefined
    const { isAnswered } = await cancels.find(reference)
    // If the response to the payment was lost, its webhook may still come, so the gateway waits for it.
    if (!isOurs && !isAnswered) await awaitDecision(reference, signal)
    const before = await settled(request, signal)
    if (before !== undefined && !isShort(before, request.money)) return before
    const problem = isAnswered ? undefined : await cancel(reference, signal)
    if (problem !== undefined) return unknown(problem)
    await release(reference)
    if (!(await mayBePaid(reference))) await records.decide(reference, closedByUs)
    return (await settled(request, signal)) ?? { ...unknown(NOT_CANCELLED), isAnswered: true }
  }

  /** Cancels the payment and waits for the webhook. If the result is still not known, returns the reason. */
  async function cancel(reference: string, signal: AbortSignal): Promise<string | undefined> {
    const call = { key: `${reference}-cancel`, signal }
    const body = { merchantAccount, paymentReference: reference, reference }
    const isFirst = await cancels.begin(reference)
    const reply = await api.post('/cancels', body, call)
    if (isFirst && isUndone(reply)) await cancels.undo(reference)
    if (reply.kind !== 'answer' || reply.status !== 201) return whyOpen(reply)
    const answered = async () =>
      (await records.find(reference)) !== undefined || (await cancels.find(reference)).isAnswered || undefined
    return (await poll(answered, timeoutMs / 2, signal)) === undefined ? NO_WEBHOOK : undefined
  }

  /**
   * True if the payment may still be paid after its cancellation. False for a payment by bank transfer, which can be
   * closed at any time: money that comes later is a late deposit of the order.
   */
  async function mayBePaid(reference: string): Promise<boolean> {
    if ((await records.findTransfer(reference)) !== undefined) return false
    return !(await cancels.find(reference)).isExpired
  }

  const decided = { known, settled, paid, cancelAnswered, notReversed, awaitDecision }
  return { records, reversals, ...decided, isClosing, close }
}

/** True if the payer has made deposits, but their sum in the amount's currency is less than the amount. */
function isShort(outcome: Outcome, { amount, currency }: Money): boolean {
  if (outcome.kind !== 'received') return false
  const ours = outcome.deposits.filter(({ money }) => money.currency === currency)
  return ours.reduce((sum, { money }) => sum + money.amount, 0n) < amount
}

function isUndone(reply: AdyenReply): boolean {
  return reply.kind === 'unsent' || isUnauthorised(reply) || isRefusal(reply)
}

const NOT_CANCELLED = 'Adyen cancelled nothing, so the payment may still be paid: a webhook decides it'
const NO_WEBHOOK = "Adyen's webhook about the cancellation has not come yet: check that its webhooks reach us"

async function poll<Value>(
  read: () => Promise<Value | undefined>,
  forMs: number,
  signal: AbortSignal,
): Promise<Value | undefined> {
  const until = performance.now() + forMs
  for (;;) {
    const value = await read()
    if (value !== undefined || signal.aborted || performance.now() >= until) return value
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

// Cancellations. Adyen's response only accepts a cancellation. A webhook tells whether the cancellation took an
// authorisation back. Until then, nobody knows whether an authorisation brings money. So an authorisation that is
// reported in the meantime is held back: it is recorded, but does not count yet.
//
// A failed cancellation proves nothing: the payment may be unknown to Adyen, captured, or not paid yet, and the webhook
// does not tell these cases apart. Such a payment stays unknown until Adyen reports an authorisation, a refusal or a
// closed offer. OFFER_MS after the cancellation's webhook, the payment can no longer be paid.

type Authorised = { readonly psp: string; readonly money: Money }

type Cancel = {
  /** True if the cancellation may have reached Adyen, and its webhook has not come yet. */
  readonly isOpen: boolean
  readonly isAnswered: boolean
  /** True if the webhook came at least OFFER_MS ago, so that the payer's offer has expired. */
  readonly isExpired: boolean
  /**
   * True if the cancellation took this authorisation back, or if Adyen did not name the authorisation that it took
   * back.
   */
  tookBack(psp: string): boolean
}

type Cancels = {
  find(reference: string): Promise<Cancel>
  /** Records the cancellation before the request is sent. Returns true if this is the payment's first cancellation. */
  begin(reference: string): Promise<boolean>
  /** Removes the record of a cancellation that certainly had no effect. */
  undo(reference: string): Promise<void>
  /**
   * Records the cancellation's webhook. `takenBack` is the cancelled authorisation, '' if Adyen does not name the
   * authorisation, or undefined if nothing was cancelled.
   */
  answer(reference: string, takenBack: string | undefined): Promise<void>
  /** Holds an authorisation back, and schedules a query of the payment. The query repeats an open cancellation. */
  hold(reference: string, authorised: Authorised): Promise<void>
  held(reference: string): Promise<readonly Authorised[]>
  /** Removes an authorisation from the held-back ones once it has been processed. */
  letGo(psp: string): Promise<void>
}

const CANCEL = 'cancel'
const HELD = 'authorised-while-cancelling'
/**
 * By default an offer expires 12 hours after its start (see OFFER_CLOSED in Adyen's documentation). The time is counted
 * from the cancellation's webhook, which comes after the start.
 */
const OFFER_MS = 12 * 3_600_000

export function openCancels(store: ChannelStore, clock: Clock): Cancels {
  const find = (reference: string) => store.find({ kind: CANCEL, key: reference })
  const recordOf = (reference: string, body: ChannelRecord['body']) => {
    return { kind: CANCEL, key: reference, reference, body }
  }
  return {
    find: async (reference) => toCancel(await find(reference), clock.now()),
    async begin(reference) {
      const [isFirst] = await store.write([{ add: recordOf(reference, { state: 'sent' }) }])
      return isFirst === true
    },
    async undo(reference) {
      await store.write([{ remove: { kind: CANCEL, key: reference } }])
    },
    async answer(reference, takenBack) {
      const { takenBack: known, at = clock.now().toISOString() } = (await find(reference))?.body ?? {}
      await store.write([{ put: recordOf(reference, { takenBack: takenBack ?? known, at }) }])
    },
    async hold(reference, { psp, money }) {
      const held = { kind: HELD, key: psp, reference, body: moneyBody(money) }
      await store.write([{ add: held }], [reference])
    },
    async held(reference) {
      const records = await store.listOf(HELD, reference)
      return records.map(({ key: psp, body }) => ({ psp, money: readMoney(body) }))
    },
    async letGo(psp) {
      await store.write([{ remove: { kind: HELD, key: psp } }])
    },
  }
}

function toCancel(record: ChannelRecord | undefined, now: Date): Cancel {
  const isOpen = record?.body.state === 'sent'
  const takenBack = record?.body.takenBack
  const answeredAt = readTime(record?.body.at)
  return {
    isOpen,
    isAnswered: record !== undefined && !isOpen,
    isExpired: answeredAt !== undefined && now.getTime() - answeredAt.getTime() >= OFFER_MS,
    tookBack: (psp) => takenBack === '' || takenBack === psp,
  }
}
