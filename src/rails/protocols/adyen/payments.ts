// Adyen's side of one payment: what is known of it, how it is decided, and how it is closed.
//
// There is no way to ask Adyen about a payment. When a call was lost, a webhook tells what became of it; until one comes, the
// payment is cancelled by our own reference. Adyen answers that with a webhook, which comes after those about the payment, and
// may have taken an authorisation back. So one that is reported while a cancellation is open is not paid yet (cancels.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Money } from '../../base/money.ts'
import type { Alarms } from '../alarms.ts'
import type { AttemptRef, Outcome } from '../contract.ts'
import type { ChannelStore } from '../store.ts'
import { type AdyenApi, type AdyenReply, isRefusal, isUnauthorised, whyOpen } from './adyen-api.ts'
import { type Authorised, openCancels } from './cancels.ts'
import {
  closedByUs,
  type Decision,
  openPaymentRecords,
  outcomeOf,
  type PaymentRecords,
} from './payment-records.ts'
import { openReversals, type Reversals, type Unwanted } from './reversals.ts'
import { unknown } from './wire.ts'

export type PaymentsOptions = {
  readonly api: AdyenApi
  readonly store: ChannelStore
  readonly alarms: Alarms
  readonly merchantAccount: string
  /** How long to wait for a webhook before a payment that nobody knows is cancelled. */
  readonly graceMs: number
  readonly timeoutMs: number
}

type KnownRequest = Pick<AttemptRef, 'reference' | 'action'>

export type Payments = {
  readonly records: PaymentRecords
  readonly reversals: Pick<Reversals, 'note' | 'find'>
  /** What was decided or received; undefined while it is open. */
  known(request: KnownRequest): Promise<Outcome | undefined>
  /** The same, once Adyen has accepted or refused to take back what must not be kept, and unknown until then. */
  settled(request: KnownRequest, signal: AbortSignal): Promise<Outcome | undefined>
  /** An authorisation. Undefined: it is held back, or it is not the decision, and was noted to be reversed. */
  paid(reference: string, paid: Authorised): Promise<Outcome | undefined>
  /** Adyen's word on our cancellation. Undefined: it decides nothing by itself. */
  cancelAnswered(reference: string, takenBack: string | undefined): Promise<Outcome | undefined>
  /** Adyen had accepted a reversal, and could not do it. Undefined: it was not one of ours. */
  notReversed(reference: string, unwanted: Unwanted): Promise<Outcome | undefined>
  /** A cancellation of ours may be under way. */
  isClosing(reference: string): Promise<boolean>
  /** Ensures that it keeps no money, or returns that it was paid. */
  close(request: AttemptRef, signal: AbortSignal): Promise<Outcome>
  /** The decision, once a webhook has brought it; undefined if none comes within the grace. */
  awaitDecision(reference: string, signal: AbortSignal): Promise<Decision | undefined>
}

const POLL_MS = 100

export function openPayments(options: PaymentsOptions): Payments {
  const { api, store, alarms, merchantAccount, graceMs, timeoutMs } = options
  const records = openPaymentRecords(store)
  const reversals = openReversals({ api, store, merchantAccount })
  const cancels = openCancels(store)

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

  /** Until Adyen's word on our cancellation, unless something else has decided the payment: then it must not be kept anyway. */
  async function mustWait(reference: string): Promise<boolean> {
    return (await cancels.find(reference)).isOpen && (await records.find(reference)) === undefined
  }

  const paid: Payments['paid'] = async (reference, authorised) => {
    if (await mustWait(reference)) {
      await cancels.hold(reference, authorised)
      // Again: Adyen's word may have come before the authorisation was held.
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

  /** Decides what was held back, once it need not wait. Returns how many there were. */
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
    // Reported as paid, it contradicts the record, which brings an operator.
    if (standing?.kind === 'paid' && tookBack(standing.psp)) await records.overrule(reference, closedByUs)
    const isDecided = (await release(reference)) > 0 || takenBack !== undefined
    return isDecided ? known({ reference }) : undefined
  }

  const notReversed: Payments['notReversed'] = async (reference, unwanted) => {
    const refused = await reversals.failed(reference, unwanted)
    return refused && withRefused(reference, await known({ reference }), [refused])
  }

  /**
   * The payer is charged, and should not be. Each brings an operator: one by an outcome that contradicts the recorded one, and
   * the others by alarms. A paid order is paid all the same, so there nothing contradicts.
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
    // Nobody knows what became of it: a webhook may be on its way.
    if (!isOurs) await awaitDecision(reference, signal)
    const before = await settled(request, signal)
    if (before !== undefined && !isShort(before, request.money)) return before
    const call = { key: `${reference}-cancel`, signal }
    const body = { merchantAccount, paymentReference: reference, reference }
    const isFirst = await cancels.begin(reference)
    const reply = await api.post('/cancels', body, call)
    if (isFirst && isUndone(reply)) await cancels.undo(reference)
    if (reply.kind !== 'answer' || reply.status !== 201) return unknown(whyOpen(reply))
    const answered = async () =>
      (await records.find(reference)) !== undefined || (await cancels.find(reference)).isAnswered || undefined
    if ((await poll(answered, timeoutMs / 2, signal)) === undefined) return unknown(NO_WEBHOOK)
    await release(reference)
    await records.decide(reference, closedByUs)
    return (await settled(request, signal)) ?? unknown(NO_WEBHOOK)
  }

  const decided = { known, settled, paid, cancelAnswered, notReversed, awaitDecision }
  return { records, reversals, ...decided, isClosing, close }
}

/** The payer has transferred something, and not enough. */
function isShort(outcome: Outcome, { amount, currency }: Money): boolean {
  if (outcome.kind !== 'received') return false
  const ours = outcome.deposits.filter(({ money }) => money.currency === currency)
  return ours.reduce((sum, { money }) => sum + money.amount, 0n) < amount
}

function isUndone(reply: AdyenReply): boolean {
  return reply.kind === 'unsent' || isUnauthorised(reply) || isRefusal(reply)
}

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
