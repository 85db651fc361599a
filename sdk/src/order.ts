// Sends payments and payouts. If the request fails, `resolve` finds the outcome by the order number.
import { TollgateError } from './errors.ts'
import type { PaymentAnswer, PayoutAnswer, SalesQueryAnswer } from './generated.ts'
import type { CallOptions, Order, OrderStatus } from './known-order.ts'
import { askUntil } from './resolve.ts'
import { type Outgoing, type Settings, send, sendForPage } from './send.ts'

type Numbers = { readonly merOrderNo: string; readonly tradeNo?: string | undefined }

type Known<Answer> = Omit<Order<Answer>, 'resolve'>

const byPayCode = { 0: 'succeeded', 1: 'failed', 2: 'pending' } as const
const byState = { 1: 'pending', 2: 'failed', 3: 'succeeded' } as const

type OutgoingOrder = Omit<Outgoing, 'isRepeatable'> & { readonly fields: Numbers }

/** Sends an order once. A TollgateError contains the order, so that the caller can call `error.order.resolve()`. */
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

/** Sends an order once, for an endpoint that answers with a page. */
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
    throw new TollgateError(
      error.message,
      error,
      unknownOrder(settings, { merOrderNo, tradeNo: error.tradeNo }),
    )
  }
}

/** Returns an order of which only the number is known. */
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

/**
 * True if the order has succeeded or failed. An order that is not found is undecided, because its request may still
 * arrive.
 */
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
