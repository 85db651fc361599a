// What is known of a payment. Adyen cannot be asked about one, so what its answers and webhooks say is remembered.
//
// Invariant: a reference has one decision, the first: paid under one pspReference, refused, or closed by us. An authorisation
// that is not the decision is noted by whoever learns of it, and reversed (reversals.ts). So a payment that counts as failed
// keeps no money, however late it is authorised, and none is paid twice.
import type { Money } from '../../base/money.ts'
import type { Deposit, Failed, Outcome, PayerAction } from '../contract.ts'
import { readTime } from '../read-time.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../store.ts'
import { cancelled, declined } from './wire.ts'

export type Decision =
  | { readonly kind: 'paid'; readonly psp: string; readonly money: Money }
  | { readonly kind: 'failed'; readonly failed: Failed }

export const closedByUs: Decision = { kind: 'failed', failed: cancelled }

export type PaymentRecords = {
  find(reference: string): Promise<Decision | undefined>
  /** Returns the decision that stands: this one, or an earlier one. */
  decide(reference: string, decision: Decision): Promise<Decision>
  /** For an authorisation of a part, or one that was cancelled: its webhook may have come first, and looked like a payment. */
  overrule(reference: string, decision: Decision): Promise<void>
  /** A payment by bank transfer waits for deposits. Its action is needed whenever one comes. */
  openTransfer(reference: string, transfer: Transfer): Promise<void>
  findTransfer(reference: string): Promise<Transfer | undefined>
  addDeposit(reference: string, deposit: Deposit): Promise<void>
  deposits(reference: string): Promise<readonly Deposit[]>
}

export type Transfer = { readonly psp: string; readonly action: PayerAction }

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

/** We wrote it ourselves. */
function isAction(value: unknown): value is PayerAction {
  return typeof value === 'object' && value !== null && 'kind' in value
}

function toDeposit({ key: depositRef, body }: ChannelRecord): Deposit {
  return { depositRef, money: readMoney(body), at: readTime(body.at) ?? new Date(0) }
}

/** Money is a text of digits, because JSON's numbers are floats. */
export function moneyBody({ amount, currency }: Money): RecordBody {
  return { amount: amount.toString(), currency }
}

export function readMoney({ amount, currency }: RecordBody): Money {
  return { amount: BigInt(String(amount)), currency: String(currency) }
}
