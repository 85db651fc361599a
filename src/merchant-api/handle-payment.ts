// `/payment`: from checked fields to an order, and from its outcome to the answer.
import { assert, Refusal } from '../base/error.ts'
import type { CardDetails } from '../channels/contract.ts'
import { type Made, makePayment, type PaymentDeps } from '../payments/make-payment.ts'
import { type PaymentOrder, type PrepareDeps, preparePayment } from '../payments/prepare-payment.ts'
import type { Answer, CheckedRequest, Handler } from './frame.ts'
import { divideBySecrecy, type Fields, textOf } from './read-fields.ts'

export type PaymentHandlerDeps = PaymentDeps &
  PrepareDeps & {
    /** The payer's page of an order. */
    readonly pageUrl: (tradeNo: string, expiresAt: Date) => string
  }

/** The page still shows the result for a while after the payer's time is over. */
const PAGE_OUTLIVES_MS = 3_600_000

export function createPaymentHandler(deps: PaymentHandlerDeps): Handler {
  return async (request) => {
    assert(request.method !== undefined, 'a payment has a method')
    const order = orderOf(request)
    const { payment, channel } = await preparePayment(deps, request.merchant, request.method, order)
    const { tradeNo, merOrderNo, createdAt } = payment
    const awaitsMs = channel.traits.awaitsPayerMinutes * 60_000
    const payUrl = deps.pageUrl(tradeNo, new Date(createdAt.getTime() + awaitsMs + PAGE_OUTLIVES_MS))
    const call = { payment, channel, card: order.card, completeUrl: `${payUrl}/complete` }
    const made = await makePayment(deps, call)
    return answerOf(made, { tradeNo, merOrderNo, merorderNo: merOrderNo }, payUrl)
  }
}

/** Fields that have a column of their own. */
const inColumns = [
  'merNo',
  'merOrderNo',
  'currencyCode',
  'sourceAmount',
  'returnUrl',
  'notifyUrl',
  'protestNotifyUrl',
]

function orderOf({ fields, table }: CheckedRequest): PaymentOrder {
  const { plain, personal } = divideBySecrecy(table, fields)
  const details = Object.fromEntries(Object.entries(plain).filter(([name]) => !inColumns.includes(name)))
  return {
    merOrderNo: textOf(fields, 'merOrderNo'),
    currencyCode: textOf(fields, 'currencyCode'),
    sourceAmount: textOf(fields, 'sourceAmount'),
    returnUrl: textOf(fields, 'returnUrl'),
    notifyUrl: textOf(fields, 'notifyUrl'),
    protestNotifyUrl: textOf(fields, 'protestNotifyUrl'),
    card: cardOf(fields),
    personal,
    details,
  }
}

function cardOf(fields: Fields): CardDetails | undefined {
  const number = textOf(fields, 'cardNo')
  if (number === '') return undefined
  return {
    number,
    expiryMonth: textOf(fields, 'cardExpireMonth'),
    expiryYear: textOf(fields, 'cardExpireYear'),
    securityCode: textOf(fields, 'cardSecurityCode'),
  }
}

const payCodes = { succeeded: 0, failed: 1, pending: 2, unknown: 2, calling: 2 } as const

/** A decline is an answer, not an error. What the channel would not open, or never heard of, is an error with an order. */
function answerOf(made: Made, order: Readonly<Record<string, string>>, payUrl: string): Answer {
  if (made.refusal !== undefined) throw made.refusal
  const { outcome, recorded } = made
  if (recorded.attemptState === 'failed' && outcome.kind === 'failed') {
    if (outcome.cause === 'refused') return { failure: new Refusal('99998', outcome.message) }
    if (outcome.cause === 'unreachable') return { failure: new Refusal('99995') }
  }
  const payCode = payCodes[recorded.attemptState]
  const { message } = recorded
  return { data: { ...order, payCode, ...(recorded.attemptState === 'pending' && { payUrl }), message } }
}
