// The orders of an exam, which are real orders of the merchant. They are made over the merchant interface with the
// sandbox's test values. The gateway does not send their notifications. Instead, the exam reads the notifications from
// the outbox and sends them to the merchant's server, in the order and as often as an exercise requires.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openChargeback } from '../../money/chargebacks/open-chargeback.ts'
import { type Merchant, signingKey } from '../../money/merchants/merchant.ts'
import { listOfOrder } from '../../money/notifications/list-notifications.ts'
import type { NewNotification, NotificationEvent } from '../../money/notifications/notification.ts'
import { fieldsFor } from '../../money/notifications/wire.ts'
import { findPayment } from '../../money/order-queries/find-payment.ts'
import { acceptSuspense } from '../../money/payments/deposits/accept-suspense.ts'
import type { Rates } from '../../money/rates/rates.ts'
import { heldOfOrders } from '../../money/suspense/book-suspense.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { isObject } from '../../platform/base/object.ts'
import { md5 } from '../../platform/base/secret.ts'
import { assert, OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { OTHER_REASON } from '../../platform/reference/list.ts'
import { md5StringToSign } from '../merchant-api/checks/signature.ts'
import { type Endpoint, type EndpointPath, endpoints } from '../merchant-api/endpoints.ts'
import { type Example, examples } from '../merchant-api/openapi/examples.ts'
import { HOLD_URL } from './hold.ts'

export type ExamOrder = {
  readonly merOrderNo: string
  readonly tradeNo: string
  /** The address of the payment page. Empty if the payer has nothing to do. */
  readonly payUrl: string
}

export type ExamOrders = {
  payByCard(cardNo: string, amount?: string): Promise<ExamOrder>
  /** Makes a SEPA order. The money is sent later by `transfer`. */
  payByTransfer(): Promise<ExamOrder>
  transfer(order: ExamOrder, amount: string): Promise<void>
  received(order: ExamOrder): Promise<void>
  cancel(order: ExamOrder): Promise<void>
  /** Accepts money that arrived too late, as an operator would. */
  acceptLate(order: ExamOrder): Promise<void>
  refund(order: ExamOrder): Promise<void>
  dispute(order: ExamOrder): Promise<void>
  /** Waits for the order's notification of this event with the given index, by default the first, and returns it. */
  notified(order: ExamOrder, event: NotificationEvent, index?: number): Promise<NewNotification>
  countNotified(order: ExamOrder): Promise<number>
  numbers(): readonly string[]
}

export type OrdersDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly rates: Pick<Rates, 'find'>
  findMerchant(merNo: number): Promise<Merchant | undefined>
  /** The address at which this process reaches the gateway. */
  readonly gatewayUrl: string
}

export class NotPossible extends Error {
  override readonly name = 'NotPossible'
}

/** Test cards of the sandbox. Each name says what happens to a payment with the card. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  timesOutCharged: '4000000000000119',
  timesOutNotCharged: '4000000000006975',
} as const

export const AMOUNT = '10.00'
/** The beginning of the order numbers that the exam generates. */
export const NUMBER_PREFIX = 'EXAM-'
/** The longest wait for an event. The sandbox needs less time to report the outcome of a timed-out payment. */
const WAIT_MS = 60_000
const LOOK_EVERY_MS = 200

export function openOrders(
  deps: OrdersDeps,
  merchant: Merchant,
  given: readonly string[] | undefined,
): ExamOrders {
  const { db, clock, rates, findMerchant, gatewayUrl } = deps
  const { merNo } = merchant
  const numbers: string[] = []

  function nextNumber(): string {
    const number = given === undefined ? NUMBER_PREFIX + randomUUID().slice(0, 13) : given[numbers.length]
    if (number === undefined) throw new NotPossible(`Give more order numbers: ${given?.length} were used up.`)
    numbers.push(number)
    return number
  }

  async function place(method: 'card' | 'sepa', changes: Readonly<Record<string, string>>) {
    const merOrderNo = nextNumber()
    const { body, header } = exampleOf('/payment', method)
    const order = { ...body, merNo, merOrderNo, sourceAmount: AMOUNT, notifyUrl: HOLD_URL, ...changes }
    const { tradeNo, payUrl = '' } = await callGateway(gatewayUrl, merchant, '/payment', order, header)
    return { merOrderNo, tradeNo: String(tradeNo), payUrl: String(payUrl) }
  }

  async function waitFor<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
    for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
      const found = await look()
      if (found !== undefined) return found
    }
    throw new NotPossible(`The gateway had no ${what} within ${WAIT_MS / 1000} s. Check that a worker runs.`)
  }

  function bankPageOf({ tradeNo }: ExamOrder): Promise<string> {
    return waitFor("account at the sandbox's bank", async () => {
      const action = (await findPayment(db, { merNo, tradeNo }))?.attempt?.action
      return action?.kind === 'transfer' ? action.appUrl : undefined
    })
  }

  return {
    payByCard: (cardNo, sourceAmount = AMOUNT) =>
      place('card', { cardNo, sourceAmount, protestNotifyUrl: HOLD_URL }),

    async payByTransfer() {
      const order = await place('sepa', {})
      // Waits until the bank has opened the account that receives the transfer.
      await bankPageOf(order)
      return order
    },

    async transfer(order, amount) {
      await postForm(await bankPageOf(order), { decision: 'approve', amount, transfer: randomUUID() })
    },

    async received({ tradeNo }) {
      await waitFor('deposit', async () => (await findPayment(db, { merNo, tradeNo }))?.received)
    },

    async cancel({ payUrl }) {
      await postForm(`${gatewayUrl}${payUrl.slice(payUrl.indexOf('/pay/'))}/cancel`, {})
    },

    async acceptLate({ tradeNo }) {
      const held = await waitFor('late money', async () => (await heldOfOrders(db, [{ merNo, tradeNo }]))[0])
      await acceptSuspense({ db, clock, rates }, held.suspenseId)
    },

    async refund({ merOrderNo, tradeNo }) {
      const { body } = exampleOf('/refund/apply', 'part')
      const own = { merNo, merOrderNo, tradeNo, merRefundNo: merOrderNo, amount: AMOUNT, notifyUrl: HOLD_URL }
      await callGateway(gatewayUrl, merchant, '/refund/apply', { ...body, ...own })
    },

    async dispute({ tradeNo }) {
      const wanted = { money: undefined, reason: OTHER_REASON, at: clock.now() }
      await openChargeback({ db, findMerchant }, tradeNo, wanted)
    },

    notified({ tradeNo }, event, index = 0) {
      return waitFor(`${event} notification`, async () => {
        const all = await listOfOrder(db, merNo, tradeNo)
        const found = all.filter((one) => one.event === event)[index]
        return found && { ...found, fields: fieldsFor(found, merchant) }
      })
    },

    countNotified: async ({ tradeNo }) => (await listOfOrder(db, merNo, tradeNo)).length,
    numbers: () => numbers,
  }
}

function exampleOf(path: '/payment' | '/refund/apply', name: string): Example {
  const example = examples[path][name]
  assert(example !== undefined, `${path} has an example ${name}`)
  return example
}

// The exam calls the gateway as a merchant does: over HTTP, signed with the merchant's key.
const TIMEOUT_MS = 60_000

type Body = Readonly<Record<string, unknown>>

async function callGateway(
  gatewayUrl: string,
  merchant: Merchant,
  path: EndpointPath,
  body: Body,
  paymentType = '',
): Promise<Body> {
  const endpoint: Endpoint = endpoints[path]
  const key = signingKey(merchant)
  if (key === undefined || merchant.requireRsa)
    throw new OperatorRefusal('This merchant accepts only RSA signatures. Switch that off during the exam.')
  const sign = md5(md5StringToSign(endpoint.signed, body) + key.key)
  const [site = 'localhost'] = merchant.websites
  const response = await fetchGateway(gatewayUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tollgate exam',
      referer: `https://${site.replace(/^\*\./, 'www.')}/`,
      ...(paymentType !== '' && { paymentType }),
    },
    body: JSON.stringify({ ...body, sign }),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!isObject(answer)) throw new OperatorRefusal(`The server at ${gatewayUrl} is not a gateway.`)
  if (answer.code !== '00000' || !isObject(answer.data))
    throw new NotPossible(`The gateway refused ${path}: ${answer.code} ${answer.message}`)
  return answer.data
}

/** Posts a form to a page for payers. The page belongs to the gateway or to the sandbox's bank. */
async function postForm(url: string, form: Readonly<Record<string, string>>): Promise<void> {
  const body = new URLSearchParams(form)
  const response = await fetchGateway(url, { method: 'POST', body, redirect: 'manual' })
  await response.body?.cancel()
  if (response.status >= 400) throw new NotPossible(`The page ${url} answered ${response.status}.`)
}

async function fetchGateway(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    throw new OperatorRefusal(
      `No gateway answers at ${new URL(url).origin}${cause}. Start it, or give --url.`,
    )
  }
}
