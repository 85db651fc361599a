// The events that `trigger` makes. An event begins with requests of the demo merchant to the running gateway. The payer
// or a counterparty of the sandbox then acts, and the gateway learns of the action as in live.
import type { Explanation } from '../../../money/order-queries/explain-order.ts'
import { attemptReference, State } from '../../../money/orders/order.ts'
import { payoutReference } from '../../../money/payouts/payout.ts'
import type { Simulated } from '../shared/sandbox.ts'

export type Ordered = { readonly tradeNo: string; readonly merOrderNo: string; readonly payUrl: string }
type Wanted = { readonly amount: string; readonly currency: string; readonly card?: string }
type Fields = Readonly<Record<string, unknown>>

/** The actions of an event. Each action throws a refusal if the gateway or the sandbox refuses. */
export type Stage = {
  payByCard(wanted: Wanted): Promise<Ordered>
  payBy(paymentType: string, wanted: Wanted): Promise<Ordered>
  payOut(wanted: Wanted, fields: Fields): Promise<Ordered>
  refund(order: Ordered, amount: string): Promise<void>
  /** Cancels as a payer does on our page. */
  cancel(order: Ordered): Promise<void>
  simulate(channel: string, wanted: Simulated): Promise<void>
  /** Waits until `isThere` is true for the order, and returns the order. */
  until(order: Ordered, isThere: (order: Explanation) => boolean): Promise<Explanation>
  say(line: string): void
}

export type SandboxEvent = {
  readonly name: string
  /** The description of the event. The notification, with its code or state, is in parentheses. */
  readonly summary: string
  happen(stage: Stage): Promise<Explanation>
}

const USD: Wanted = { amount: '20.00', currency: 'USD' }
const MXN: Wanted = { amount: '100.00', currency: 'MXN' }
const EUR: Wanted = { amount: '10.00', currency: 'EUR' }
/** A refund or payout of this amount fails in the sandbox. */
const FAILS = '6.66'
const DISPUTED_CARD = '4000000000000259'

const account = {
  withdrawType: '3',
  cardNo: 'DE89370400440532013000',
  benFirstName: 'Demo',
  benLastName: 'Payee',
  addressLine: '1 Example Street',
  city: 'Berlin',
  countryCode: 'DE',
  beneficiaryType: 'individual',
}

const isIn = (state: number) => (order: Explanation) => order.state === state

export const sandboxEvents: readonly SandboxEvent[] = [
  {
    name: 'dispute',
    summary:
      "a card payment succeeds, and a minute later the payer's bank takes it back (chargeback, code 1)",
    async happen({ payByCard, until, say }) {
      const paid = await payByCard({ ...USD, card: DISPUTED_CARD })
      say(`${paid.tradeNo} is paid. The bank reports the dispute a minute later.`)
      return until(paid, isIn(State.disputed))
    },
  },
  {
    name: 'refund-failed',
    summary: 'a card payment succeeds, and its refund fails (refund, state 1)',
    async happen({ payByCard, refund, until }) {
      const paid = await payByCard(USD)
      await refund(paid, FAILS)
      return until(paid, (order) => order.states.at(-1)?.from === State.refunding)
    },
  },
  {
    name: 'payment-declined',
    summary: 'the payer declines in the Cash App (payment, code 1)',
    async happen(stage) {
      const order = await stage.payBy('CASH_APP', USD)
      await byPayer(stage, order, { event: 'decline' })
      return stage.until(order, isIn(State.failed))
    },
  },
  {
    name: 'payment-cancelled',
    summary: 'the payer cancels on our page (payment, code 1); an order that expires ends in the same way',
    async happen({ payBy, cancel, until }) {
      const order = await payBy('SPEI', MXN)
      await cancel(order)
      return until(order, isIn(State.cancelled))
    },
  },
  {
    name: 'payment-late',
    summary:
      'the payer cancels, and transfers by SPEI all the same: the money waits in suspense (payment, code 1)',
    async happen(stage) {
      const order = await stage.payBy('SPEI', MXN)
      await stage.cancel(order)
      await stage.until(order, isIn(State.cancelled))
      await byPayer(stage, order, { event: 'pay' })
      return stage.until(order, ({ deposits }) => deposits.length > 0)
    },
  },
  {
    name: 'payment-short',
    summary:
      'the payer transfers 90.00 of 100.00 by SPEI: the order waits for the rest (no notification yet)',
    async happen(stage) {
      const order = await stage.payBy('SPEI', MXN)
      await byPayer(stage, order, { event: 'pay', amount: '9000' })
      return stage.until(order, ({ deposits }) => deposits.length > 0)
    },
  },
  {
    name: 'payment-over',
    summary: 'the payer transfers 110.00 for 100.00 by SPEI: the order succeeds (payment, code 0)',
    async happen(stage) {
      const order = await stage.payBy('SPEI', MXN)
      await byPayer(stage, order, { event: 'pay', amount: '11000' })
      return stage.until(order, isIn(State.succeeded))
    },
  },
  {
    name: 'payout-failed',
    summary: "the beneficiary's bank refuses a payout (payout, code 1)",
    async happen({ payOut, until }) {
      return until(await payOut({ ...EUR, amount: FAILS }, account), isIn(State.failed))
    },
  },
  {
    name: 'payout-returned',
    summary:
      "a payout succeeds, and then the beneficiary's bank sends the money back (payout, code 0, then 1)",
    async happen({ payOut, simulate, until, say }) {
      const order = await payOut(EUR, account)
      const { payout } = await until(order, isIn(State.succeeded))
      say(`${order.tradeNo} is paid out. The beneficiary's bank sends it back.`)
      await simulate(payout?.rail ?? '', { reference: payoutReference(order.tradeNo), event: 'return' })
      return until(order, isIn(State.failed))
    },
  },
]

/** Lets the payer act at the channel of the order's first attempt. */
async function byPayer(
  { until, simulate }: Stage,
  order: Ordered,
  wanted: Omit<Simulated, 'reference'>,
): Promise<void> {
  const { attempts } = await until(order, (found) => found.attempts.length > 0)
  const reference = attemptReference(order.tradeNo, 1)
  await simulate(attempts[0]?.channel ?? '', { reference, ...wanted })
}
