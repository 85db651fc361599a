// The records of payments and refunds. Adyen has no call that returns the state of a payment, so the content of its
// responses and webhooks is stored.
//
// Invariant: a payment has at most one decision: paid under one pspReference, refused, or closed by us. Only `overrule`
// replaces a decision. Every other authorisation of a payment is recorded and reversed (reversals.ts), so that a failed
// payment keeps no money and no payment is paid twice. If Adyen refuses a reversal, the authorisation pays a failed
// payment after all, or an alarm is raised. Bank transfers are recorded as deposits, and are not reversed.
import type { Money } from '../../../platform/base/money.ts'
import type { Deposit, Failed, Outcome, PayerAction } from '../../contract/channel.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../../contract/store.ts'
import { cancelled } from '../../toolkit/outcomes.ts'
import { readTime } from '../../toolkit/read-time.ts'
import { moneyBody } from '../../toolkit/records/money.ts'
import { declined } from './wire.ts'

export type Decision =
  | { readonly kind: 'paid'; readonly psp: string; readonly money: Money }
  | { readonly kind: 'failed'; readonly failed: Failed }

export const closedByUs: Decision = { kind: 'failed', failed: cancelled }

export type PaymentRecords = {
  find(reference: string): Promise<Decision | undefined>
  /** Records the decision, unless the payment already has one. Returns the recorded decision. */
  decide(reference: string, decision: Decision): Promise<Decision>
  /**
   * Records the decision, even if the payment already has one: an authorisation that a webhook reported as paid may
   * turn out to be partial or cancelled.
   */
  overrule(reference: string, decision: Decision): Promise<void>
  /** Records that the payment waits for bank transfers. After a deposit, the outcome contains the recorded action. */
  openTransfer(reference: string, transfer: Transfer): Promise<void>
  findTransfer(reference: string): Promise<Transfer | undefined>
  addDeposit(reference: string, deposit: Deposit): Promise<void>
  deposits(reference: string): Promise<readonly Deposit[]>
}

type Transfer = { readonly psp: string; readonly action: PayerAction }

export function openPaymentRecords(store: ChannelStore): PaymentRecords {
  const find = async (reference: string) => toDecision(await store.find({ kind: PAYMENT, key: reference }))
  return {
    find,
    async overrule(reference, decision) {
      await store.write([{ put: recordOf(reference, decision) }])
    },
    async decide(reference, decision) {
      const [isFirst] = await store.write([{ add: recordOf(reference, decision) }])
      return isFirst === true ? decision : ((await find(reference)) ?? decision)
    },
    async openTransfer(reference, transfer) {
      const body = { psp: transfer.psp, action: JSON.stringify(transfer.action) }
      await store.write([{ add: { kind: TRANSFER, key: reference, reference, body } }])
    },
    async findTransfer(reference) {
      return toTransfer(await store.find({ kind: TRANSFER, key: reference }))
    },
    async addDeposit(reference, { depositRef: key, money, at }) {
      const no = (await store.listOf(DEPOSIT, reference)).length
      const body = { ...moneyBody(money), at: at.toISOString(), no }
      await store.write([{ add: { kind: DEPOSIT, key, reference, body } }])
    },
    async deposits(reference) {
      const records = await store.listOf(DEPOSIT, reference)
      return records.toSorted((a, b) => Number(a.body.no) - Number(b.body.no)).map(toDeposit)
    },
  }
}

const PAYMENT = 'payment'
const TRANSFER = 'transfer-in'
const DEPOSIT = 'deposit'

export function outcomeOf(decision: Decision): Outcome {
  if (decision.kind === 'failed') return decision.failed
  const { money, psp: channelRef } = decision
  return { kind: 'succeeded', money, channelRef }
}

function recordOf(reference: string, decision: Decision): ChannelRecord {
  return { kind: PAYMENT, key: reference, reference, body: bodyOf(decision) }
}

function bodyOf(decision: Decision): RecordBody {
  if (decision.kind === 'paid') return { state: 'paid', psp: decision.psp, ...moneyBody(decision.money) }
  const { cause, message, channelRef, advice } = decision.failed
  return { state: 'failed', cause, message, psp: channelRef, advice }
}

function toDecision(record: ChannelRecord | undefined): Decision | undefined {
  if (record === undefined) return undefined
  const { state, psp, message, advice, cause } = record.body
  if (state === 'paid') return { kind: 'paid', psp: String(psp), money: readMoney(record.body) }
  return {
    kind: 'failed',
    failed: {
      ...(cause === 'cancelled' ? cancelled : declined),
      message: String(message),
      ...(typeof psp === 'string' && { channelRef: psp }),
      ...((advice === 'challenge' || advice === 'never') && { advice }),
    },
  }
}

function toTransfer(record: ChannelRecord | undefined): Transfer | undefined {
  const action: unknown = JSON.parse(String(record?.body.action ?? 'null'))
  return isAction(action) ? { psp: String(record?.body.psp), action } : undefined
}

/** Checks only `kind`, because the gateway wrote the record itself. */
function isAction(value: unknown): value is PayerAction {
  return typeof value === 'object' && value !== null && 'kind' in value
}

function toDeposit({ key: depositRef, body }: ChannelRecord): Deposit {
  return { depositRef, money: readMoney(body), at: readTime(body.at) ?? new Date(0) }
}

export function readMoney({ amount, currency }: RecordBody): Money {
  return { amount: BigInt(String(amount)), currency: String(currency) }
}

/** A refund that Adyen accepted. `key` is Adyen's reference of the refund, and `reference` is ours. */
export const REFUND = 'refund'
/**
 * A refund's result from a webhook. `key` is Adyen's reference of the refund. `reference` is the webhook's
 * merchantReference.
 */
export const RESULT = 'refund-result'
/**
 * Amount and time of a refund's first request. `key` is our reference of the refund, and `reference` is our reference
 * of the payment.
 */
export const FIRST_SENT = 'refund-sent'
/**
 * Adyen keeps idempotency keys for at least seven days. We count on one day less, because our clock may differ from
 * Adyen's.
 */
export const KEYS_KEPT_MS = 6 * 86_400_000
