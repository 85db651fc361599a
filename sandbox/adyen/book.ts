// Payments as Adyen sees them, and the webhooks that their changes cause. All data is in memory, so a restart loses it.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Amount } from './signature.ts'
import type { Webhooks } from './webhooks.ts'

export type Status = 'open' | 'authorised' | 'refused' | 'cancelled'

export type NewPayment = {
  readonly reference: string
  readonly type: string
  readonly amount: Amount
  readonly returnUrl: string
  /**
   * True if authorisation also captures the payment. Otherwise the payment waits for a capture, and can be cancelled.
   */
  readonly isCaptured: boolean
}

export type Payment = NewPayment & {
  readonly psp: string
  /** The id of the payer's page. */
  readonly id: string
  status: Status
  refusal: Refusal | undefined
  received: number
  refunded: number
}

export type Refusal = { readonly refusalReason: string; readonly refusalReasonCode: string }

/** A line of a settlement report. */
export type BookedLine = {
  readonly type: 'Settled' | 'Refunded'
  readonly psp: string
  readonly reference: string
  readonly modification: string
  readonly amount: Amount
}

export type Book = {
  readonly account: string
  readonly lines: readonly BookedLine[]
  open(payment: NewPayment): Payment
  findById(id: string): Payment | undefined
  findByPsp(psp: string): Payment | undefined
  findByReference(reference: string): Payment | undefined
  authorise(payment: Payment): void
  refuse(payment: Payment, refusal: Refusal): void
  /** The payer makes a bank transfer, of any amount and at any time. */
  receive(payment: Payment, value: number): void
  /** Returns the pspReference of the cancellation. A webhook brings the result. */
  cancelByReference(reference: string): string
  reverse(payment: Payment): string
  refund(payment: Payment, refund: { reference: string; amount: Amount }): string
}

/** A refund of this value fails. */
export const REFUSED_REFUND = 666

export function openBook(account: string, webhooks: Webhooks): Book {
  const payments: Payment[] = []
  const lines: BookedLine[] = []
  const byReference = new Map<string, Payment>()
  const report = (
    eventCode: string,
    success: boolean,
    about: { psp: string; original?: string; reference: string; amount: Amount },
    reason = '',
  ) => {
    const { psp: pspReference, original: originalReference, reference: merchantReference, amount } = about
    const item = { eventCode, success, pspReference, merchantReference, amount, reason }
    const original = originalReference === undefined ? {} : { originalReference }
    webhooks.send({ ...item, ...original, merchantAccountCode: account })
  }
  const find = (isIt: (payment: Payment) => boolean) => payments.find(isIt)

  function modify(eventCode: string, success: boolean, payment: Payment, amount = payment.amount): string {
    const psp = makePsp()
    report(eventCode, success, { psp, original: payment.psp, reference: payment.reference, amount })
    return psp
  }

  const settle = (type: BookedLine['type'], { psp, reference }: Payment, amount: Amount, modification = '') =>
    void lines.push({ type, psp, reference, amount, modification })

  return {
    account,
    lines,
    open(made) {
      const nothing = { status: 'open', refusal: undefined, received: 0, refunded: 0 } as const
      const payment: Payment = { ...made, psp: makePsp(), id: randomUUID(), ...nothing }
      payments.push(payment)
      byReference.set(payment.reference, payment)
      return payment
    },
    findById: (id) => find((payment) => payment.id === id),
    findByPsp: (psp) => find((payment) => payment.psp === psp),
    findByReference: (reference) => byReference.get(reference),
    authorise(payment) {
      payment.status = 'authorised'
      payment.received = payment.amount.value
      if (payment.isCaptured) settle('Settled', payment, payment.amount)
      report('AUTHORISATION', true, payment)
    },
    refuse(payment, refusal) {
      payment.status = 'refused'
      payment.refusal = refusal
      report('AUTHORISATION', false, payment, refusal.refusalReason)
    },
    receive(payment, value) {
      // The first transfer has the pspReference of the payment. Each further transfer has its own.
      const psp = payment.received === 0 ? payment.psp : makePsp()
      payment.status = 'authorised'
      payment.received += value
      const amount = { value, currency: payment.amount.currency }
      settle('Settled', payment, amount)
      report('AUTHORISATION', true, { psp, reference: payment.reference, amount })
    },
    cancelByReference(reference) {
      const payment = byReference.get(reference)
      const isCancelled = payment?.status === 'authorised' && !payment.isCaptured
      if (payment !== undefined && isCancelled) payment.status = 'cancelled'
      const psp = makePsp()
      const amount = payment?.amount ?? { value: 0, currency: 'EUR' }
      const original = payment === undefined ? {} : { original: payment.psp }
      report('TECHNICAL_CANCEL', isCancelled, { psp, reference, amount, ...original })
      return psp
    },
    reverse(payment) {
      const isReversed = payment.status === 'authorised'
      const psp = modify('CANCEL_OR_REFUND', isReversed, payment)
      if (!isReversed) return psp
      payment.status = 'cancelled'
      // A captured payment can only be refunded, so the reports contain both the payment and a refund.
      const value = payment.received - payment.refunded
      if (payment.isCaptured && value > 0)
        settle('Refunded', payment, { value, currency: payment.amount.currency }, psp)
      payment.refunded = payment.received
      return psp
    },
    refund(payment, { amount }) {
      const { value, currency } = amount
      const isPossible =
        payment.status === 'authorised' &&
        currency === payment.amount.currency &&
        payment.refunded + value <= payment.received &&
        value !== REFUSED_REFUND
      const psp = modify('REFUND', isPossible, payment, amount)
      if (!isPossible) return psp
      payment.refunded += value
      settle('Refunded', payment, amount, psp)
      return psp
    },
  }
}

/** A pspReference of sixteen letters and digits. */
export function makePsp(): string {
  return randomBytes(8).toString('hex').toUpperCase()
}
