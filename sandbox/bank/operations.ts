// The operations of our own protocol at a bank, and the bank's callbacks about a charge, a decided refund or a dispute.
import type { Fields } from '../../src/platform/base/object.ts'
import { isObject } from '../../src/platform/base/object.ts'
import {
  InvalidRequest,
  type IssuerAnswer,
  problem,
  readAddress,
  readMoney,
  readText,
} from '../issuer-request.ts'
import type { Operation } from '../operations.ts'
import { statementOf } from '../statement.ts'
import { type Bank, REFUND_MS } from './bank.ts'
import { type BankCharge, type BankDispute, type BankOrder, disputeStages } from './charge.ts'

const referencePattern = /^[A-Za-z0-9_-]{1,64}$/

/** Prefixes of the outbox keys for refunds and disputes. All other keys are references of charges. */
const [REFUND, DISPUTE] = ['refund:', 'dispute:']

export type BankDesk = {
  readonly bank: Bank
  /** Returns the charge in the form of the protocol. */
  readonly serialise: (charge: BankCharge) => Fields
  /** Called when there is a callback to send. */
  readonly changed: () => void
}

export function bankOperations(desk: BankDesk): ReadonlyMap<string, Operation> {
  const { bank, serialise } = desk
  const chargeAnswer = (charge: BankCharge): IssuerAnswer => ({ status: 200, body: serialise(charge) })
  return new Map<string, Operation>([
    [
      'open',
      (body) => {
        const opening = bank.open(readOrder(body))
        if (opening.kind === 'opened') return chargeAnswer(opening.charge)
        return opening.kind === 'silent'
          ? undefined
          : problem(400, 'invalid_request', 'the charge was refused')
      },
    ],
    [
      'lookup',
      (body) => {
        const charge = bank.find(readReference(body))
        return charge === undefined ? noCharge() : chargeAnswer(charge)
      },
    ],
    ['cancel', (body) => chargeAnswer(bank.cancel(readReference(body)))],
    ['refund', (body) => refund(desk, body)],
    ['chargebacks', (body) => chargebacks(bank, body)],
    ['statement', (body) => statementOf(body, bank.linesOf)],
    ['simulate', (body) => simulate(desk, body)],
  ])
}

function refund({ bank, changed }: BankDesk, body: Fields): IssuerAnswer {
  const refundReference = readText(body, 'refundReference', referencePattern)
  const isNew = bank.findRefund(refundReference) === undefined
  const made = bank.refund({ refundReference, reference: readReference(body), ...readMoney(body) })
  if (isNew) {
    bank.outbox.add(REFUND + refundReference, Date.now() + REFUND_MS)
    changed()
  }
  return { status: 200, body: made }
}

function chargebacks(bank: Bank, body: Fields): IssuerAnswer {
  const since = new Date(Number(readText(body, 'since', /^\d{1,15}$/)))
  return { status: 200, body: { list: bank.disputesSince(since).map(disputeBody) } }
}

/** Acts as the payer or as the payer's bank. */
function simulate({ bank, serialise, changed }: BankDesk, body: Fields): IssuerAnswer {
  const charge = bank.find(readReference(body))
  if (charge === undefined) return noCharge()
  const event = readText(body, 'event', /^(pay|decline|dispute)$/)
  if (event === 'dispute') {
    const stage = disputeStages.find((one) => one === body.stage) ?? 'open'
    if (bank.dispute(charge.reference, stage) === undefined) throw new InvalidRequest('nothing was paid')
    bank.outbox.add(DISPUTE + charge.reference)
    changed()
  } else if (event === 'decline') bank.decline(charge.id)
  else {
    const amount = body.amount === undefined ? charge.amount : readText(body, 'amount', /^[1-9]\d{0,14}$/)
    bank.pay(charge.id, { amount })
  }
  return { status: 200, body: serialise(bank.find(charge.reference) ?? charge) }
}

/** The callback for a key of the outbox; undefined if there is no recipient. */
export function callbackOf({ bank, serialise }: BankDesk, key: string) {
  const [refunded, disputed] = [REFUND, DISPUTE].map((kind) =>
    key.startsWith(kind) ? key.slice(kind.length) : undefined,
  )
  const made = refunded === undefined ? undefined : bank.findRefund(refunded)
  const charge = bank.find(made?.reference ?? disputed ?? key)
  if (charge === undefined || charge.callbackUrl === '') return undefined
  const url = charge.callbackUrl
  if (made !== undefined) return { url, content: { type: 'refund', ...made } }
  const dispute = disputed === undefined ? undefined : bank.findDispute(disputed)
  return { url, content: dispute ? { type: 'dispute', ...disputeBody(dispute) } : serialise(charge) }
}

function disputeBody({ reference: merchantReference, at: disputedAt, ...rest }: BankDispute): Fields {
  return { ...rest, merchantReference, reasonCode: '', disputedAt }
}

function readReference(body: Fields): string {
  return readText(body, 'reference', referencePattern)
}

function readOrder(body: Fields): BankOrder {
  return {
    reference: readReference(body),
    ...readMoney(body),
    returnUrl: readAddress(body, 'returnUrl'),
    callbackUrl: readAddress(body, 'callbackUrl'),
    payee: readText(body, 'payee', /^[^\p{Cc}]{1,255}$/u),
    extra: isObject(body.extra) ? body.extra : {},
  }
}

function noCharge(): IssuerAnswer {
  return problem(404, 'not_found', 'no such charge')
}
