// Maps payouts to Adyen's transfers and back. A malformed transfer, or one about another payout, gives `unknown`.
import type { Money } from '../../../platform/base/money.ts'
import { type Fields, isObject, objectsIn, textIn } from '../../../platform/base/object.ts'
import type { PayoutFailed, PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { PayoutRequest } from '../../contract/payout-rail.ts'
import { failed, unknown } from '../../toolkit/outcomes.ts'
import { readTime } from '../../toolkit/read-time.ts'
import { sepaText } from '../sepa-files/pain-001.ts'
import { accountOf } from './accounts.ts'
import { type AdyenReply, isRefusal, isUnauthorised, whyOpen } from './api.ts'
import { readToken } from './card-tokens.ts'
import { fromAmount, toAmount } from './wire.ts'

const MAX_DESCRIPTION = 140
const MAX_IBAN_REFERENCE = 35
const MAX_OTHER_REFERENCE = 15
const MAX_NAME = 100
/**
 * A booked transfer has left our account. If its arrival is not reported, it counts as paid after this time, because
 * most transfers that cannot arrive are returned sooner.
 */
const BOOKED_IS_PAID_MS = 3 * 86_400_000
/** A booked transfer to a card counts as paid after this time. Cards are credited within half an hour. */
const BOOKED_CARD_IS_PAID_MS = 3_600_000

/** Returns the transfer for a payout. Undefined if Adyen cannot make the payout. */
export function toTransfer(request: PayoutRequest, balanceAccountId: string): Fields | undefined {
  const { reference, money, kind } = request
  const amount = toAmount(money)
  const particular = kind === 'card' ? toCard(request) : kind === 'bank_account' ? toBank(request) : undefined
  if (amount === undefined || particular === undefined) return undefined
  const description = `Payout ${reference}`.slice(0, MAX_DESCRIPTION)
  return { amount, balanceAccountId, reference, description, ...particular }
}

function toBank({ reference, money, beneficiary }: PayoutRequest): Fields | undefined {
  const { account, details } = beneficiary
  const found = accountOf(account, details, money.currency)
  const fullName = sepaText(`${textIn(details, 'benFirstName')} ${textIn(details, 'benLastName')}`, MAX_NAME)
  if (found === undefined || fullName === '') return undefined
  const { identification: accountIdentification, isIban, priority } = found
  return {
    category: 'bank',
    priority,
    referenceForBeneficiary: reference.slice(0, isIban ? MAX_IBAN_REFERENCE : MAX_OTHER_REFERENCE),
    counterparty: { bankAccount: { accountHolder: { fullName }, accountIdentification } },
  }
}

function toCard({ beneficiary: { account, details } }: PayoutRequest): Fields | undefined {
  const { reference, storedPaymentMethodId } = readToken(account) ?? {}
  const [firstName, lastName] = [nameIn(details, 'benFirstName'), nameIn(details, 'benLastName')]
  if (reference === undefined || firstName === '' || lastName === '') return undefined
  const cardHolder = { firstName, lastName, type: 'individual', reference }
  return {
    category: 'card',
    counterparty: { card: { cardHolder, cardIdentification: { storedPaymentMethodId } } },
  }
}

/** Returns the name with only the characters that Adyen accepts: letters, spaces, hyphens, dots and slashes. */
function nameIn(details: Fields, name: string): string {
  const plain = sepaText(textIn(details, name), MAX_NAME).replace(/[^a-zA-Z./ -]/g, ' ')
  return plain.replace(/ +/g, ' ').trim()
}

export type TransferState = {
  readonly id: string
  readonly reference: string
  readonly sequence: number
  readonly outcome: PayoutOutcome
}

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
      return {
        kind: 'returned',
        message: "The beneficiary's bank returned the payout",
        money: backIn(transfer),
      }
    case 'received':
    case 'authorised':
      return { kind: 'processing', railRef }
    case 'booked':
      return hasArrived(transfer, now) ? succeeded(transfer, railRef) : { kind: 'processing', railRef }
    default:
      return unknown('Adyen sent a state of a transfer that is not known')
  }
}

/**
 * Returns the money that the event of the return credited to our balance account. Undefined if the event contains no
 * credit or several credits. The transfer's other amounts are ignored, because they tell only what was sent.
 */
function backIn({ events }: Fields): Money | undefined {
  const event = objectsIn(events).findLast(({ status }) => status === 'returned')
  const credits = objectsIn(event?.mutations).flatMap(({ balance, currency }) => {
    const credit = fromAmount({ value: balance, currency })
    return credit === undefined || credit.amount === 0n ? [] : [credit]
  })
  const [first, ...others] = credits
  return others.length === 0 ? first : undefined
}

function hasArrived({ tracking, category, updatedAt, createdAt }: Fields, now: Date): boolean {
  if (isObject(tracking) && tracking.status === 'credited') return true
  const bookedAt = readTime(updatedAt) ?? readTime(createdAt)
  const paidAfterMs = category === 'card' ? BOOKED_CARD_IS_PAID_MS : BOOKED_IS_PAID_MS
  return bookedAt !== undefined && now.getTime() - bookedAt.getTime() >= paidAfterMs
}

function succeeded(transfer: Fields, railRef: string): PayoutOutcome {
  const money = fromAmount(transfer.amount)
  return money === undefined
    ? unknown("Adyen's transfer has no amount")
    : { kind: 'succeeded', money, railRef }
}

/**
 * Reads the response to a new transfer. The payout has failed only if the request was never sent, or if Adyen refused
 * the request or our API key.
 */
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

export const refused: PayoutFailed = failed('refused', 'Adyen refused the payout')

const unreachable: PayoutFailed = failed('unreachable', 'Adyen could not be reached')
