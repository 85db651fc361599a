// What the payer's pages may do, behind a link: see the order, try to pay it, give up, come back from elsewhere. The link's
// token names the order; nothing else that a browser sends does.
import type { KeyObject } from 'node:crypto'
import { type Method, methodNames, traitsOf } from '../channels/method.ts'
import { terminalsOfBrowser } from '../channels/terminal.ts'
import { findLogo } from '../merchants/logo.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { type FoundPayment, findPayment, findPayments } from '../order-queries/find-payment.ts'
import { readWholeDetails } from '../order-queries/read-details.ts'
import type { OrderKey } from '../orders/keys.ts'
import { type CancelDeps, cancelPayment } from '../payments/cancel-payment.ts'
import { payableAt } from '../payments/choose-method.ts'
import { completePayment } from '../payments/complete-payment.ts'
import type { AttemptDeps } from '../payments/hosted/start-attempt.ts'
import { askedOfPayer, emailsOf } from './asked-of-payer.ts'
import type { LinkMaker } from './link.ts'
import type { LinkLimits } from './link-limits.ts'
import { makeView } from './make-view.ts'
import { markOf } from './mark.ts'
import { type Opened, tryToPay } from './pay-order.ts'
import { courseOf, payCodeOf } from './payer-status.ts'
import type { ReadEntered } from './read-form.ts'
import type { CheckoutDeps } from './routes.ts'
import { signedReturn } from './signed-return.ts'
import { openStatusStreams } from './status-streams.ts'
import type { TryLimits } from './try-limits.ts'

export type OpenCheckoutDeps = AttemptDeps &
  CancelDeps & {
    readonly sandbox: boolean
    readonly links: LinkMaker
    readonly linkLimits: LinkLimits
    readonly platformKey: KeyObject
    readonly tries: TryLimits
    readonly readEntered: ReadEntered
    readonly onFault: (error: unknown) => void
    findMerchant(merNo: number): Promise<Merchant | undefined>
  }

export function openCheckout(deps: OpenCheckoutDeps): CheckoutDeps {
  const keyOf = (token: string) => deps.links.read(token, deps.clock.now())
  const look = (keys: readonly OrderKey[]) => marksOf(deps, keys)
  const streams = openStatusStreams({ look, onFault: deps.onFault })
  const viewOf = async (payment: FoundPayment | undefined, userAgent = '') =>
    (await opened(deps, payment, userAgent))?.view
  return {
    sandbox: deps.sandbox,
    limit(token, cost) {
      const key = keyOf(token)
      return key && deps.linkLimits.take(key.tradeNo, cost)
    },
    async open(token, userAgent) {
      const key = keyOf(token)
      return key && viewOf(await findPayment(deps.db, key), userAgent)
    },
    async pay(token, form, browser) {
      const key = keyOf(token)
      const order = key && (await opened(deps, await findPayment(deps.db, key), browser.userAgent))
      return (
        order && tryToPay(deps, order, { form, browser, completeUrl: `${deps.links.urlOf(token)}/complete` })
      )
    },
    async giveUp(token, what) {
      const key = keyOf(token)
      return key && viewOf(await cancelPayment(deps, key, what))
    },
    async complete(token, answer) {
      const key = keyOf(token)
      const payment = key && (await completePayment(deps, key, answer))
      return payment && { action: courseOf(payment, deps.clock.now()).action }
    },
    async mark(token) {
      const key = keyOf(token)
      return key && (await look([key])).get(key.tradeNo)
    },
    async listen(token) {
      const key = keyOf(token)
      if (key !== undefined && !streams.hasRoom(key)) return { stream: undefined }
      const mark = key && (await look([key])).get(key.tradeNo)
      return key && mark !== undefined ? { stream: streams.open(key, mark) } : undefined
    },
    async logo(token) {
      const key = keyOf(token)
      return key && findLogo(deps.db, key.merNo)
    },
    close: () => streams.close(),
  }
}

async function opened(
  deps: OpenCheckoutDeps,
  payment: FoundPayment | undefined,
  userAgent: string,
): Promise<Opened | undefined> {
  const merchant = payment && (await deps.findMerchant(payment.merNo))
  if (payment === undefined || merchant === undefined) return undefined
  const { details, personal } = await readWholeDetails(deps, payment)
  // Where the payer is, the browser tells.
  const { terminal: _, ...sent } = { ...details, ...personal }
  const held = { ...sent, ...emailsOf(sent) }
  const course = courseOf(payment, deps.clock.now())
  const { tradeNo, merOrderNo, money } = payment
  const returned = { tradeNo, merOrderNo, payCode: payCodeOf(course.status) }
  const returnUrl = await signedReturn(deps.platformKey, merchant, payment.returnUrl, returned)
  const payable = (method: Method) => {
    const terminals = terminalsOfBrowser(userAgent, traitsOf(method))
    return payableAt(deps.channels, merchant, method, { currency: money.currency, terminals })
  }
  const offered = methodNames().filter((method) => payable(method).length > 0)
  if (course.status === 'succeeded') deps.tries.paid(tradeNo)
  const asksOf = (method: Method) => askedOfPayer(payable(method), held)
  const view = makeView({ payment, merchant, held, offered, asksOf, returnUrl, course })
  return { payment, merchant, held, view }
}

async function marksOf(
  { db, clock }: OpenCheckoutDeps,
  keys: readonly OrderKey[],
): Promise<ReadonlyMap<string, string>> {
  const payments = await findPayments(db, keys)
  const now = clock.now()
  return new Map(payments.map((payment) => [payment.tradeNo, markOf(courseOf(payment, now))]))
}
