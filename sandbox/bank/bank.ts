// The core of the sandbox banks and wallets that have no book of their own: charges, payers who approve or decline,
// refunds and disputes.
//
// Opening, cancelling and refunding are idempotent: a reference stands for one charge, and a refund reference for one
// refund. A transfer with an id counts once. A transfer without an id counts at each call. A reference that was
// cancelled before it was opened stays cancelled. At a bank that takes transfers, a transfer arrives even if its charge
// is closed.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src/platform/base/clock.ts'
import { parseDecimal } from '../../src/platform/base/money.ts'
import type { Fields } from '../../src/platform/base/object.ts'
import type { Outbox } from '../outbox.ts'
import type { Day, StatementLine } from '../statement.ts'
import { type BankBook, type BookedCharge, type BookedRefund, openBankBook } from './book.ts'
import {
  type Allotment,
  type BankCharge,
  type BankDispute,
  type BankOrder,
  type BankPayment,
  type BankRefund,
  type DisputeStage,
  type RefundOrder,
  sumOf,
  type Takes,
} from './charge.ts'

export type BankOptions = {
  readonly bookFile: string
  readonly clock: Clock
  readonly takes: Takes
  /** Assigns an account to the charge with this number. Wallets have no accounts. */
  readonly allot?: (no: number, order: BankOrder) => Allotment
}

export type Opening =
  | { readonly kind: 'opened'; readonly charge: BankCharge }
  | { readonly kind: 'refused' }
  /** The caller never gets a response. */
  | { readonly kind: 'silent' }

export type Bank = {
  readonly takes: Takes
  open(order: BankOrder): Opening
  find(reference: string): BankCharge | undefined
  findById(id: string): BankCharge | undefined
  /** Cancels an open charge. Returns the charge, which may have been decided before. */
  cancel(reference: string): BankCharge
  /** Returns undefined if there is nothing to pay. */
  pay(id: string, payment: BankPayment): BankCharge | undefined
  decline(id: string): BankCharge | undefined
  /** Adds fields to the charge and sends a callback. */
  amend(id: string, extra: Fields): BankCharge | undefined
  refund(order: RefundOrder): BankRefund
  findRefund(refundReference: string): BankRefund | undefined
  /** Opens a dispute of a paid charge, or moves the dispute to another stage. Returns undefined if nothing was paid. */
  dispute(reference: string, stage: DisputeStage): BankDispute | undefined
  findDispute(reference: string): BankDispute | undefined
  /** The disputes that reached their stage at this time or later, oldest first. */
  disputesSince(at: Date): readonly BankDispute[]
  linesOf(day: Day): readonly StatementLine[]
  onChange(listener: (charge: BankCharge) => void): void
  /** The queue of callbacks. Its keys are the references of changed charges, and keys for refunds and disputes. */
  readonly outbox: Outbox
  close(): void
}

/** The amounts, in the minor unit, of charges that get no response or are refused. */
export const SILENT_BUT_OPENED = '119'
export const SILENT_AND_NOT_OPENED = '6975'
export const REFUSED = '2'

export const REFUND_MS = 1_000
const DISPUTES_LIMIT = 200
const EVIDENCE_MS = 7 * 86_400_000

type Desk = BankOptions & {
  readonly book: BankBook
  readonly changed: (reference: string) => BankCharge | undefined
}

export function createBank(options: BankOptions): Bank {
  const book = openBankBook(options.bookFile)
  const listeners: ((charge: BankCharge) => void)[] = []
  const changed = (reference: string) => {
    const charge = read(book, book.findCharge(reference))
    if (charge !== undefined) for (const listener of listeners) listener(charge)
    return charge
  }
  const desk: Desk = { ...options, book, changed }
  return {
    takes: options.takes,
    open: (order) => open(desk, order),
    find: (reference) => read(book, book.findCharge(reference)),
    findById: (id) => read(book, book.findById(id)),
    cancel: (reference) => cancel(desk, reference),
    pay: (id, payment) => pay(desk, id, payment),
    decline: (id) => decline(desk, id),
    amend: (id, extra) => amend(desk, id, extra),
    refund: (order) => refund(desk, order),
    findRefund(refundReference) {
      const made = book.findRefund(refundReference)
      return made && refundOf(desk, made)
    },
    dispute: (reference, stage) => dispute(desk, reference, stage),
    findDispute: book.findDispute,
    disputesSince: (at) => book.disputesSince(at, DISPUTES_LIMIT),
    linesOf: (day) => book.linesOf(day, options.clock.now()),
    onChange: (listener) => void listeners.push(listener),
    outbox: book.outbox,
    close: book.close,
  }
}

function open(desk: Desk, order: BankOrder): Opening {
  const { book } = desk
  const found = read(book, book.findCharge(order.reference))
  if (found !== undefined) return { kind: 'opened', charge: found }
  if (order.amount === REFUSED) return { kind: 'refused' }
  if (order.amount === SILENT_AND_NOT_OPENED) return { kind: 'silent' }
  const isNew = book.transaction(() => add(desk, order))
  // Only the first request gets no response. A repeated request gets the charge.
  if (isNew && order.amount === SILENT_BUT_OPENED) return { kind: 'silent' }
  const charge = read(book, book.findCharge(order.reference))
  return charge === undefined ? { kind: 'refused' } : { kind: 'opened', charge }
}

function add({ book, clock, allot }: Desk, order: BankOrder): boolean {
  if (book.findCharge(order.reference) !== undefined) return false
  const no = book.nextNo()
  const { extra, ...allotted } = allot?.(no, order) ?? {}
  const charge = {
    ...order,
    ...allotted,
    extra: { ...order.extra, ...extra },
    id: randomUUID(),
    status: 'open',
    reason: '',
    openedAt: clock.now().getTime(),
  } as const
  book.addCharge(charge, no)
  return true
}

function cancel({ book, clock }: Desk, reference: string): BankCharge {
  const reason = 'Cancelled by the merchant'
  return book.transaction(() => {
    const found = book.findCharge(reference)
    if (found === undefined) book.addCharge(tombstone(reference, reason, clock.now()), 0)
    else book.decide(reference, 'cancelled', reason)
    const charge = read(book, book.findCharge(reference))
    if (charge === undefined) throw new Error('a written charge exists')
    return charge
  })
}

function tombstone(reference: string, reason: string, at: Date): BookedCharge {
  const nothing = { amount: '', currency: '', returnUrl: '', callbackUrl: '', payee: '', extra: {} }
  return { ...nothing, reference, id: randomUUID(), status: 'cancelled', reason, openedAt: at.getTime() }
}

function pay(desk: Desk, id: string, payment: BankPayment): BankCharge | undefined {
  const { book, takes, changed } = desk
  const charge = book.findById(id)
  if (charge === undefined || charge.amount === '') return undefined
  const isPaid = book.transaction(() =>
    takes === 'exact' ? approve(desk, charge, payment) : receive(desk, charge, payment),
  )
  return isPaid ? changed(charge.reference) : undefined
}

function approve({ book, clock }: Desk, charge: BookedCharge, payment: BankPayment): boolean {
  const { reference, amount, currency } = charge
  if (payment.amount !== amount || !book.decide(reference, 'paid', '')) return false
  book.addDeposit(reference, { ...payment, id: payment.id ?? randomUUID(), currency, at: clock.now() })
  book.outbox.add(reference)
  return true
}

function receive({ book, clock }: Desk, charge: BookedCharge, payment: BankPayment): boolean {
  const { reference, amount, currency } = charge
  const deposit = { ...payment, id: payment.id ?? randomUUID(), currency, at: clock.now() }
  if (book.addDeposit(reference, deposit)) book.outbox.add(reference)
  if (sumOf(book.depositsOf(reference)) >= BigInt(amount)) book.decide(reference, 'paid', '')
  return true
}

function decline({ book, changed }: Desk, id: string): BankCharge | undefined {
  const reference = book.findById(id)?.reference
  if (reference === undefined) return undefined
  const isDeclined = book.transaction(() => {
    const isOpen = book.decide(reference, 'declined', 'The payer declined the payment')
    if (isOpen) book.outbox.add(reference)
    return isOpen
  })
  return isDeclined ? changed(reference) : undefined
}

function amend({ book, changed }: Desk, id: string, extra: Fields): BankCharge | undefined {
  const reference = book.transaction(() => {
    const charge = book.findById(id)
    if (charge === undefined) return undefined
    book.setExtra(charge, { ...charge.extra, ...extra })
    book.outbox.add(charge.reference)
    return charge.reference
  })
  return reference === undefined ? undefined : changed(reference)
}

function dispute({ book, clock }: Desk, reference: string, stage: DisputeStage): BankDispute | undefined {
  const [paid] = book.depositsOf(reference)
  if (paid === undefined) return undefined
  const at = clock.now().getTime()
  const { amount, currency } = paid
  const opened = { id: randomUUID(), reference, amount, currency, respondBy: at + EVIDENCE_MS }
  const found = { ...(book.findDispute(reference) ?? opened), stage, at }
  book.putDispute(found)
  return found
}

function read(book: BankBook, charge: BookedCharge | undefined): BankCharge | undefined {
  if (charge === undefined) return undefined
  return { ...charge, openedAt: new Date(charge.openedAt), deposits: book.depositsOf(charge.reference) }
}

/** Makes a refund, which is decided immediately and reported a second later. */
function refund(desk: Desk, order: RefundOrder): BankRefund {
  const { book, clock } = desk
  // The check and the insert are one transaction, so that concurrent refunds cannot exceed the payment.
  return book.transaction(() => {
    const earlier = book.findRefund(order.refundReference)
    if (earlier !== undefined) return refundOf(desk, earlier)
    const dueAt = clock.now().getTime() + REFUND_MS
    const made = { ...order, id: randomUUID(), failure: failureOf(book, order), dueAt }
    book.addRefund(made)
    return refundOf(desk, made)
  })
}

/** The reason why the refund will fail; '' if it will succeed. */
function failureOf(book: BankBook, { reference, amount, currency }: RefundOrder): string {
  const paid = book.depositsOf(reference)
  if (paid.length === 0) return 'There is no such payment to refund'
  if (paid[0]?.currency !== currency) return 'The payment was in another currency'
  const earlier = book.refundsOf(reference).filter((made) => made.failure === '')
  if (sumOf([...earlier, { amount }]) > sumOf(paid)) return 'The refunds would exceed the payment'
  return BigInt(amount) === refusedRefund(currency) ? 'The bank refused the refund' : ''
}

/** The amount of a refund that fails: 6.66, or 666 in currencies without decimals. */
export function refusedRefund(currency: string): bigint {
  return parseDecimal('6.66', currency) ?? 666n
}

function refundOf({ clock }: Desk, made: BookedRefund): BankRefund {
  const { failure, dueAt, ...order } = made
  const decided = failure === '' ? 'succeeded' : 'failed'
  const status = clock.now().getTime() < dueAt ? 'processing' : decided
  const madeAt = new Date(dueAt - REFUND_MS)
  return { ...order, madeAt, status, reason: status === 'failed' ? failure : '' }
}
