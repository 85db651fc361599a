// SPEI payments through STP. Every payment has its own CLABE, so a transfer needs no reference. STP does not know our
// payments, only deposits to CLABEs. Deposits are recorded, and `ask` answers from these records.
import type { AttemptRef, Channel, Outcome, StartRequest } from '../../contract/channel.ts'
import { spei } from '../../methods/spei.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { notSent, unknown } from '../../toolkit/outcomes.ts'
import { type Payments, sumOf } from './payments.ts'
import type { StpRefunds } from './refunds.ts'

type StpChannelOptions = {
  readonly name: string
  readonly payments: Payments
  readonly refunds: StpRefunds
  readonly readCallback: NonNullable<Channel['readCallback']>
  readonly timeoutMs: number
}

/** The largest amount of a payment, in centavos. */
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

  /** Cancels the payment, unless its deposits reach its amount. */
  async function cancel({ reference, money }: AttemptRef): Promise<Outcome> {
    // A payment without a record is recorded as cancelled, so that a late `start` cannot open it.
    await payments.add(reference, { money, isCancelled: true })
    const payment = await payments.find(reference)
    if (payment === undefined) return unknown('the payment has no record')
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
    /** The browser's return to our page proves no payment, so the outcome comes from the records. */
    complete: ask,
    ask,
    cancel,
    refund: (request) => withDeadline(timeoutMs, (signal) => refunds.refund(request, signal)),
    readCallback,
  }
}

const refused = notSent('The SPEI channel cannot take this amount')
