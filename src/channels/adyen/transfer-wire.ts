// Maps payouts to Adyen's transfers and back. A transfer that is malformed or about another payout is `unknown`.
import { isBic, isIban, normaliseIban } from '../../base/iban.ts'
import { type Fields, isObject } from '../../base/object.ts'
import type { PayoutFailed, PayoutOutcome, PayoutRequest } from '../payout/contract.ts'
import { readTime } from '../read-time.ts'
import { type AdyenReply, isRefusal, isUnauthorised, whyOpen } from './adyen-api.ts'
import { fromAmount, toAmount } from './amounts.ts'

const MAX_DESCRIPTION = 140
const MAX_IBAN_REFERENCE = 35
const MAX_OTHER_REFERENCE = 15
/**
 * A booked transfer has left our account. Banks that report no arrival are believed after this time: by then a transfer that
 * cannot arrive has mostly come back.
 */
const BOOKED_IS_PAID_MS = 3 * 86_400_000

/** Undefined when Adyen cannot express it. */
export function toTransfer(request: PayoutRequest, balanceAccountId: string): Fields | undefined {
  const { reference, money, beneficiary } = request
  const amount = toAmount(money)
  const account = accountOf(beneficiary.account, beneficiary.details)
  const fullName = nameOf(beneficiary.details)
  if (amount === undefined || account === undefined || fullName === '') return undefined
  const isIbanAccount = account.type === 'iban'
  const isDomestic = isIbanAccount && money.currency === 'EUR'
  return {
    amount,
    balanceAccountId,
    category: 'bank',
    priority: isDomestic ? 'regular' : 'crossBorder',
    reference,
    referenceForBeneficiary: reference.slice(0, isIbanAccount ? MAX_IBAN_REFERENCE : MAX_OTHER_REFERENCE),
    description: `Payout ${reference}`.slice(0, MAX_DESCRIPTION),
    counterparty: { bankAccount: { accountHolder: { fullName }, accountIdentification: account } },
  }
}

function accountOf(account: string, { bankCode }: Fields): Fields | undefined {
  const iban = normaliseIban(account)
  if (isIban(iban)) return { type: 'iban', iban }
  if (typeof bankCode !== 'string' || !isBic(bankCode)) return undefined
  return { type: 'numberAndBic', accountNumber: account.replace(/[ -]/g, ''), bic: bankCode }
}

function nameOf({ benFirstName, benLastName }: Fields): string {
  return [benFirstName, benLastName].filter((name) => typeof name === 'string' && name !== '').join(' ')
}

export type TransferState = {
  readonly id: string
  readonly reference: string
  readonly sequence: number
  readonly outcome: PayoutOutcome
}

/** Undefined when it is malformed. */
export function readTransfer(transfer: unknown, now: Date): TransferState | undefined {
  if (!isObject(transfer)) return undefined
  const { id, reference, sequenceNumber: sequence } = transfer
  if (typeof id !== 'string' || id === '' || typeof reference !== 'string') return undefined
  return {
    id,
    reference,
    sequence: typeof sequence === 'number' ? sequence : 0,
    outcome: outcomeOf(transfer, id, now),
  }
}

function outcomeOf(transfer: Fields, railRef: string, now: Date): PayoutOutcome {
  switch (transfer.status) {
    case 'refused':
    case 'failed':
      return { kind: 'failed', cause: 'declined', message: 'The payout was declined', railRef }
    case 'returned':
      return { kind: 'returned', message: "The beneficiary's bank returned the payout" }
    case 'received':
    case 'authorised':
      return { kind: 'processing', railRef }
    case 'booked':
      return hasArrived(transfer, now) ? succeeded(transfer, railRef) : { kind: 'processing', railRef }
    default:
      return unknown('Adyen sent a state of a transfer that is not known')
  }
}

function hasArrived({ tracking, updatedAt, createdAt }: Fields, now: Date): boolean {
  if (isObject(tracking) && tracking.status === 'credited') return true
  const bookedAt = readTime(updatedAt) ?? readTime(createdAt)
  return bookedAt !== undefined && now.getTime() - bookedAt.getTime() >= BOOKED_IS_PAID_MS
}

function succeeded(transfer: Fields, railRef: string): PayoutOutcome {
  const money = fromAmount(transfer.amount)
  return money === undefined
    ? unknown("Adyen's transfer has no amount")
    : { kind: 'succeeded', money, railRef }
}

/** Unlike a query, sending can fail for certain: it was never sent, or refused as a whole. */
export function fromSend(reply: AdyenReply, reference: string, now: Date): PayoutOutcome {
  if (reply.kind === 'unsent') return unreachable
  if (isUnauthorised(reply)) return { ...refused, cause: 'unauthorised' }
  if (isRefusal(reply)) return refused
  if (reply.kind !== 'answer' || reply.status >= 300) return unknown(whyOpen(reply))
  const transfer = readTransfer(reply.body, now)
  return transfer?.reference === reference
    ? transfer.outcome
    : unknown('Adyen responded about another payout')
}

export const refused: PayoutFailed = {
  kind: 'failed',
  cause: 'refused',
  message: 'Adyen refused the payout',
}

const unreachable: PayoutFailed = {
  kind: 'failed',
  cause: 'unreachable',
  message: 'Adyen could not be reached',
}

export function unknown(why: string): PayoutOutcome {
  return { kind: 'unknown', why }
}
