// A payment or payout as its caller knows it. Whatever happened to the request, `resolve` finds out by the order number.
import { TollgateError } from './errors.ts'
import type { PaymentAnswer, PayoutAnswer, SalesQueryAnswer } from './generated.ts'
import { askUntil, type ResolveOptions } from './resolve.ts'
import { type CallOptions, type Outgoing, type Settings, send, sendForPage } from './send.ts'

export type OrderStatus =
  | 'succeeded'
  /** Declined, cancelled or expired. The order number is used up. */
  | 'failed'
  /** Waits for the payer, the beneficiary or a bank. */
  | 'pending'
  /** The gateway has no such order. It may be sent again, under the same number: if it arrives twice, one is refused. */
  | 'not-found'

type Numbers = { readonly merOrderNo: string; readonly tradeNo?: string | undefined }

export type Order<Answer = PaymentAnswer | PayoutAnswer> = {
  readonly status: OrderStatus
  readonly merOrderNo: string
  /** The gateway's number; undefined while it is not known. */
  readonly tradeNo: string | undefined
  /** The gateway's words, for example why a card was declined. */
  readonly message: string
  /** Where to send the payer or the beneficiary. */
  readonly payUrl: string | undefined
  /** The answer to the request; undefined if none came. */
  readonly answer: Answer | undefined
  /** The answer to the last query; undefined before it. */
  readonly queried: SalesQueryAnswer | undefined
  /** Asks by the order number until the order is decided or the time is over. Never sends the order again. */
  resolve(options?: ResolveOptions): Promise<Order<Answer>>
}

type Known<Answer> = Omit<Order<Answer>, 'resolve'>

const byPayCode = { 0: 'succeeded', 1: 'failed', 2: 'pending' } as const
const byState = { 1: 'pending', 2: 'failed', 3: 'succeeded' } as const

type OutgoingOrder = Omit<Outgoing, 'isRepeatable'> & { readonly fields: Numbers }

/** Sends an order once. An error carries the order, to be resolved. */
export async function sendOrder<Answer extends PaymentAnswer | PayoutAnswer>(
  settings: Settings,
  outgoing: OutgoingOrder,
  options: CallOptions,
): Promise<Order<Answer>> {
  const { merOrderNo } = outgoing.fields
  const sending = send<Answer>(settings, { ...outgoing, isRepeatable: false }, options)
  const answer = await withOrder(settings, merOrderNo, sending)
  const { tradeNo, message, payUrl, payCode } = answer
  return orderOf<Answer>(settings, {
    status: byPayCode[payCode],
    ...{ merOrderNo, tradeNo, message, payUrl, answer, queried: undefined },
  })
}

/** The same for an endpoint that answers with a page. */
export function sendOrderForPage(
  settings: Settings,
  outgoing: OutgoingOrder,
  options: CallOptions,
): Promise<string> {
  const sending = sendForPage(settings, { ...outgoing, isRepeatable: false }, options)
  return withOrder(settings, outgoing.fields.merOrderNo, sending)
}

async function withOrder<Answer>(
  settings: Settings,
  merOrderNo: string,
  sending: Promise<Answer>,
): Promise<Answer> {
  try {
    return await sending
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    throw new TollgateError(error.message, error, unknownOrder(settings, { merOrderNo }))
  }
}

/** An order of which nothing but its number is known. */
export function unknownOrder(settings: Settings, { merOrderNo, tradeNo }: Numbers): Order<never> {
  return orderOf<never>(settings, {
    status: 'pending',
    ...{ merOrderNo, tradeNo, message: '', payUrl: undefined, answer: undefined, queried: undefined },
  })
}

function orderOf<Answer>(settings: Settings, known: Known<Answer>): Order<Answer> {
  return {
    ...known,
    async resolve(options = {}) {
      const ask = (call: CallOptions) => queryOrder(settings, known, call)
      return orderOf(settings, await askUntil(ask, isDecided, options))
    },
  }
}

/** An order that is not found may still be on its way. */
function isDecided({ status }: { readonly status: OrderStatus }): boolean {
  return status === 'succeeded' || status === 'failed'
}

async function queryOrder<Answer>(
  settings: Settings,
  known: Known<Answer>,
  options: CallOptions,
): Promise<Known<Answer>> {
  try {
    const queried = await querySales(settings, known, options)
    const { tradeNo, message, state } = queried
    return { ...known, status: byState[state], tradeNo, message, queried }
  } catch (error) {
    if (!(error instanceof TollgateError) || error.code !== '10026') throw error
    return { ...known, status: 'not-found', message: error.message, queried: undefined }
  }
}

function querySales(settings: Settings, { merOrderNo, tradeNo = '' }: Numbers, options: CallOptions) {
  const fields = { merOrderNo, tradeNo, queryType: 'sales' }
  return send<SalesQueryAnswer>(settings, { path: '/order/query', fields, isRepeatable: true }, options)
}
