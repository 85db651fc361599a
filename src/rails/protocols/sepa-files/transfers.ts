// A transfer is a payout or a refund that we ordered. The state of a transfer is a set of facts. Facts are added and
// never changed, except `answered`. So the bank's files may arrive twice and in any order.
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import { textIn } from '../../../platform/base/object.ts'
import type { RefundOutcome } from '../../contract/channel.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { ChannelRecord, ChannelStore, RecordBody, RecordChange } from '../../contract/store.ts'
import { failed, unknown } from '../../toolkit/outcomes.ts'
import { moneyBody, readMoney } from '../../toolkit/records/money.ts'
import type { TransferLine } from './pain-001.ts'
import { meaningOf } from './pain-002.ts'

/**
 * The facts about a transfer:
 * - ordered: we ordered the transfer
 * - filed: the transfer is part of a message to the bank
 * - answered: the bank's last status of the transfer
 * - rejected: the bank rejected the transfer
 * - settled: the bank has paid the transfer, with the right amount
 * - misbooked: the bank reported the transfer with another amount
 * - returned: the money came back
 */
type Fact = 'ordered' | 'filed' | 'answered' | 'rejected' | 'settled' | 'misbooked' | 'returned'

type Purpose = 'payout' | 'refund'

export type Transfer = {
  readonly reference: string
  readonly purpose: Purpose
  readonly money: Money
  readonly facts: Readonly<Partial<Record<Fact, RecordBody>>>
}

/** The kind of the record of a transfer that waits for the next message. Filing the transfer removes the record. */
export const QUEUE = 'queue'

export function factOf(reference: string, fact: Fact, body: RecordBody): ChannelRecord {
  return { kind: 'transfer', key: `${reference} ${fact}`, reference, body }
}

/**
 * Finds our transfer by its end-to-end id. Banks may change the case of the id, so it is converted to upper case: our
 * references have no lower-case letters.
 */
export async function readTransfer(store: ChannelStore, endToEndId: string): Promise<Transfer | undefined> {
  const reference = endToEndId.toUpperCase()
  const records = reference === '' ? [] : await store.listOf('transfer', reference)
  const facts: Partial<Record<Fact, RecordBody>> = Object.fromEntries(
    records.map(({ key, body }) => [key.slice(reference.length + 1), body]),
  )
  const money = readMoney(facts.ordered)
  const purpose = facts.ordered?.purpose === 'refund' ? 'refund' : 'payout'
  return money && { reference, purpose, money, facts }
}

/** The transfer's reference is its idempotency key: send-round.ts skips a queued transfer that was already filed. */
export function toOrder(line: TransferLine, purpose: Purpose): RecordChange[] {
  const { reference, amount } = line
  return [
    { add: factOf(reference, 'ordered', { amount, currency: 'EUR', purpose }) },
    { add: { kind: QUEUE, key: reference, body: line } },
  ]
}

export function bookedAs({ reference, money }: Transfer, booked: Money): ChannelRecord {
  if (isSame(money, booked)) return factOf(reference, 'settled', moneyBody(booked))
  return factOf(reference, 'misbooked', { ...moneyBody(booked), shown: shown(booked) })
}

/** Returns the alarm for a transfer that was booked with another amount, unless the alarm was raised before. */
export function misbookedAlarms({ reference, purpose, money, facts }: Transfer, booked: Money): string[] {
  if (isSame(money, booked) || facts.misbooked !== undefined) return []
  const state = facts.settled === undefined ? '; it stays open' : ''
  return [`the bank names the ${purpose} ${reference} of ${shown(money)} with ${shown(booked)}${state}`]
}

export function isSame(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency
}

export function shown({ amount, currency }: Money): string {
  return `${formatAmount(amount, currency)} ${currency}`
}

/** Returns the payout's outcome. A return takes precedence over a booking, and a booking over a rejection. */
export function payoutOutcome(transfer: Transfer): PayoutOutcome {
  const { reference: railRef, facts } = transfer
  const { returned, settled, misbooked, rejected, answered } = facts
  // Earlier versions recorded only returns of the whole amount, without the amount.
  if (returned !== undefined)
    return {
      kind: 'returned',
      message: inWords("Returned by the beneficiary's bank", textIn(returned, 'reason')),
      money: readMoney(returned) ?? transfer.money,
    }
  if (settled !== undefined)
    return { kind: 'succeeded', money: readMoney(settled) ?? transfer.money, railRef }
  // A wrong amount may have left the account, so the outcome stays unknown.
  if (misbooked !== undefined)
    return unknown(`the bank names it with another amount: ${textIn(misbooked, 'shown')}`)
  if (rejected !== undefined)
    return { ...failed('declined', inWords('Rejected by the bank', textIn(rejected, 'reason'))), railRef }
  const status = textIn(answered, 'status')
  if (status !== '' && !['pending', 'debited'].includes(meaningOf(status)))
    return unknown(`the bank's last answer was ${status}`)
  return { kind: 'processing', railRef }
}

export function refundOutcome(transfer: Transfer): RefundOutcome {
  const outcome = payoutOutcome(transfer)
  const channelRef = transfer.reference
  switch (outcome.kind) {
    case 'succeeded':
      return { kind: 'succeeded', money: outcome.money, channelRef }
    case 'failed':
      return { kind: 'failed', cause: 'declined', message: outcome.message, channelRef }
    case 'processing':
      return { kind: 'pending', channelRef }
    default:
      return outcome
  }
}

// Reason codes of rejections and returns, in words for merchants. The bank's own text is not shown, because it may
// contain an account number.

const words: Readonly<Record<string, string>> = {
  AC01: 'the IBAN is wrong',
  AC04: 'the account is closed',
  AC06: 'the account is blocked',
  AG01: 'the account does not allow such transfers',
  AG02: 'the bank does not allow such transfers',
  AM02: 'the amount is not allowed',
  AM04: 'there is not enough money in the account',
  AM05: 'it is a duplicate',
  FF01: 'the format is wrong',
  FOCR: 'it was recalled',
  MD07: 'the account holder has died',
  MS02: 'the beneficiary gave no reason',
  MS03: 'the bank gave no reason',
  RC01: 'the BIC is wrong',
  RR01: 'a regulatory rule forbids it',
  RR02: 'a regulatory rule forbids it',
  RR03: 'a regulatory rule forbids it',
  RR04: 'a regulatory rule forbids it',
  AB05: "the beneficiary's bank did not answer in time",
  AB06: 'the bank did not answer in time',
  AB07: "the beneficiary's bank cannot be reached",
  AB08: "the beneficiary's bank cannot be reached",
  AB09: "the beneficiary's bank had an error",
  AB10: 'the bank had an error',
}

/** Returns a text such as "Rejected by the bank: the account is closed (AC04)". */
export function inWords(what: string, reason: string): string {
  const code = /^[A-Z0-9]{1,4}$/.test(reason) ? reason : ''
  if (code === '') return what
  return Object.hasOwn(words, code) ? `${what}: ${words[code]} (${code})` : `${what} (${code})`
}
