// The orders of an exam: real ones of the merchant, made over its interface with the sandbox's test values. Their own
// notifications go to an address of the gateway that acknowledges everything; the exam takes them from the outbox and
// sends them to the merchant's server itself, in the order and the number that it wants.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { openChargeback } from '../chargebacks/open-chargeback.ts'
import { assert } from '../errors/catalogue.ts'
import { type Example, examples } from '../merchant-api/openapi/examples.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { listOfOrder } from '../notifications/list-notifications.ts'
import type { NewNotification } from '../notifications/listed.ts'
import type { NotificationEvent } from '../notifications/notification.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { acceptSuspense } from '../payments/deposits/accept-suspense.ts'
import type { Db } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { OTHER_REASON } from '../reference/list.ts'
import { heldOfOrders } from '../suspense/book-suspense.ts'
import { callGateway, postForm } from './call-gateway.ts'
import { NotPossible } from './not-possible.ts'
import { HOLD_PATH } from './routes.ts'

export type ExamOrder = {
  readonly merOrderNo: string
  readonly tradeNo: string
  /** '' if the payer has nothing to do. */
  readonly payUrl: string
}

export type ExamOrders = {
  payByCard(cardNo: string): Promise<ExamOrder>
  /** A SEPA order: its payer transfers by `transfer`. */
  payByTransfer(): Promise<ExamOrder>
  transfer(order: ExamOrder, amount: string): Promise<void>
  /** Waits until some of the order's money has arrived. */
  received(order: ExamOrder): Promise<void>
  cancel(order: ExamOrder): Promise<void>
  /** An operator accepts the money that arrived too late. */
  acceptLate(order: ExamOrder): Promise<void>
  refund(order: ExamOrder): Promise<void>
  dispute(order: ExamOrder): Promise<void>
  /** Waits for the order's first notification of this event, or a later one. */
  notified(order: ExamOrder, event: NotificationEvent, index?: number): Promise<NewNotification>
  countNotified(order: ExamOrder): Promise<number>
  /** The merchant's numbers of all orders so far. */
  numbers(): readonly string[]
}

export type OrdersDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly rates: Pick<Rates, 'find'>
  findMerchant(merNo: number): Promise<Merchant | undefined>
  /** Where this gateway serves, seen from this process. */
  readonly gatewayUrl: string
}

export const AMOUNT = '10.00'
/** How exam orders are recognised, unless the merchant gave its own numbers. */
export const NUMBER_PREFIX = 'EXAM-'
/** Longer than the sandbox takes to tell the truth of a time-out. */
const WAIT_MS = 60_000
const LOOK_EVERY_MS = 200

export function openOrders(
  deps: OrdersDeps,
  merchant: Merchant,
  given: readonly string[] | undefined,
): ExamOrders {
  const { db, clock, rates, findMerchant, gatewayUrl } = deps
  const { merNo } = merchant
  const notifyUrl = gatewayUrl + HOLD_PATH
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
    const order = { ...body, merNo, merOrderNo, sourceAmount: AMOUNT, notifyUrl, ...changes }
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
    payByCard: (cardNo) => place('card', { cardNo, protestNotifyUrl: notifyUrl }),

    async payByTransfer() {
      const order = await place('sepa', {})
      // A slow bank's account is known only later.
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
      const own = { merNo, merOrderNo, tradeNo, merRefundNo: merOrderNo, amount: AMOUNT, notifyUrl }
      await callGateway(gatewayUrl, merchant, '/refund/apply', { ...body, ...own })
    },

    async dispute({ tradeNo }) {
      const wanted = { money: undefined, reason: OTHER_REASON, at: clock.now() }
      await openChargeback({ db, findMerchant }, tradeNo, wanted)
    },

    notified({ tradeNo }, event, index = 0) {
      return waitFor(`${event} notification`, async () => {
        const all = await listOfOrder(db, merNo, tradeNo)
        return all.filter((one) => one.event === event)[index]
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
