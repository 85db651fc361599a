// A transfer that we ordered: a payout, or the refund of a payment. What is known about it are facts that are added and never
// changed, so files may come twice and in any order.
import { formatAmount, type Money } from '../../base/money.ts'
import { isObject } from '../../base/object.ts'
import type { RefundOutcome } from '../contract.ts'
import type { PayoutOutcome } from '../payout/contract.ts'
import type { ChannelRecord, ChannelStore, RecordBody, RecordChange } from '../store.ts'
import type { TransferLine } from './pain-001.ts'
import { meaningOf } from './pain-002.ts'
import { inWords } from './reasons.ts'

/**
 * ordered: by us. filed: part of a message. answered: the last status, for people. rejected: by the bank. settled: the bank has
 * paid it. misbooked: the bank names it with another amount. returned: the money came back.
 */
export type Fact = 'ordered' | 'filed' | 'answered' | 'rejected' | 'settled' | 'misbooked' | 'returned'

export type Purpose = 'payout' | 'refund'

export type Transfer = {
  readonly reference: string
  readonly purpose: Purpose
  readonly money: Money
  readonly facts: Readonly<Partial<Record<Fact, RecordBody>>>
}

/** A transfer that waits for the next message. Its account is stored only until then. */
export const QUEUE = 'queue'

export function factOf(reference: string, fact: Fact, body: RecordBody): ChannelRecord {
  return { kind: 'transfer', key: `${reference} ${fact}`, reference, body }
}

/** Banks may write the reference in capitals; ours has no small letters. */
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

/** The same reference again changes nothing: the sender skips what is filed already. */
export function toOrder(line: TransferLine, purpose: Purpose): RecordChange[] {
  const { reference, amount } = line
  return [
    { add: factOf(reference, 'ordered', { amount, currency: 'EUR', purpose }) },
    { add: { kind: QUEUE, key: reference, body: line } },
  ]
}

/** What the bank says of a transfer of this amount: that it settled, or that an operator must look. */
export function bookedAs({ reference, money }: Transfer, booked: Money): ChannelRecord {
  if (isSame(money, booked)) return factOf(reference, 'settled', moneyBody(booked))
  return factOf(reference, 'misbooked', { ...moneyBody(booked), shown: shown(booked) })
}

/** One sentence for the operator, unless the fact is known already. */
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

export function moneyBody({ amount, currency }: Money): RecordBody {
  return { amount: amount.toString(), currency }
}

export function readMoney(body: RecordBody | undefined): Money | undefined {
  if (!isObject(body) || typeof body.amount !== 'string' || typeof body.currency !== 'string')
    return undefined
  return { amount: BigInt(body.amount), currency: body.currency }
}

/** Money that came back tells more than a booking, and a booking more than a rejection. */
export function payoutOutcome(transfer: Transfer): PayoutOutcome {
  const { reference: railRef, facts } = transfer
  const { returned, settled, misbooked, rejected, answered } = facts
  if (returned !== undefined) return { kind: 'returned', message: returnedMessage(returned) }
  if (settled !== undefined)
    return { kind: 'succeeded', money: readMoney(settled) ?? transfer.money, railRef }
  // Money may have left, and nobody knows for what.
  if (misbooked !== undefined)
    return { kind: 'unknown', why: `the bank names it with another amount: ${textIn(misbooked, 'shown')}` }
  if (rejected !== undefined)
    return { kind: 'failed', cause: 'declined', message: rejectedMessage(rejected), railRef }
  const status = textIn(answered, 'status')
  if (status !== '' && !isOpen(status))
    return { kind: 'unknown', why: `the bank's last answer was ${status}` }
  return { kind: 'processing', railRef }
}

function isOpen(status: string): boolean {
  const meaning = meaningOf(status)
  return meaning === 'pending' || meaning === 'debited'
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

function rejectedMessage(rejected: RecordBody): string {
  return inWords('Rejected by the bank', textIn(rejected, 'reason'))
}

function returnedMessage(returned: RecordBody): string {
  return inWords("Returned by the beneficiary's bank", textIn(returned, 'reason'))
}

export function textIn(body: RecordBody | undefined, name: string): string {
  const value = body?.[name]
  return typeof value === 'string' ? value : ''
}
