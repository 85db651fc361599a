// SPEI payments by STP. Every order has its own CLABE, so a transfer needs no reference. STP knows nothing of an order until
// money comes: what it reports is in the records, and `ask` answers from them.
import type { AttemptRef, Channel, Failed, Outcome, StartRequest } from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import { spei } from '../spei/method.ts'
import { type Payments, sumOf } from './payments.ts'
import type { StpRefunds } from './refunds.ts'

export type StpChannelOptions = {
  readonly name: string
  readonly payments: Payments
  readonly refunds: StpRefunds
  readonly readCallback: NonNullable<Channel['readCallback']>
  readonly timeoutMs: number
}

/** The most that an order's amount can be. */
const MOST = 99_999_999_999n

export function createStpChannel(options: StpChannelOptions): Channel {
  const { name, payments, refunds, readCallback, timeoutMs } = options

  async function start(request: StartRequest): Promise<Outcome> {
    const { reference, money } = request
    if (money.currency !== 'MXN' || money.amount > MOST) return refused
    if ((await payments.clabe(reference)) === undefined) return refused
    await payments.add(reference, { money, isCancelled: false })
    return ask(request)
  }

  async function ask(request: AttemptRef): Promise<Outcome> {
    const payment = await payments.find(request.reference)
    return payment === undefined ? cancel(request) : payments.outcomeOf(request.reference, payment)
  }

  /** A payment that is paid stays open: it is reported as such. */
  async function cancel({ reference, money }: AttemptRef): Promise<Outcome> {
    await payments.add(reference, { money, isCancelled: true })
    const payment = await payments.find(reference)
    if (payment === undefined) return { kind: 'unknown', why: 'the payment has no record' }
    const isPaid = sumOf(await payments.depositsOf(reference)) >= payment.money.amount
    if (payment.isCancelled || isPaid) return payments.outcomeOf(reference, payment)
    await payments.put(reference, { ...payment, isCancelled: true })
    return payments.outcomeOf(reference, { ...payment, isCancelled: true })
  }

  return {
    name,
    method: 'spei',
    traits: { ...spei, timeoutMs },
    start,
    /** The browser proves nothing. */
    complete: ask,
    ask,
    cancel,
    refund: (request) => withDeadline(timeoutMs, (signal) => refunds.refund(request, signal)),
    readCallback,
  }
}

const refused: Failed = {
  kind: 'failed',
  cause: 'refused',
  isLocal: true,
  message: 'The SPEI channel cannot take this amount',
}
