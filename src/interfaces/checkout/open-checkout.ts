// The functions of the payer's pages. The order is found only by the token in the link.
import type { KeyObject } from 'node:crypto'
import { findLogo } from '../../money/merchants/logo.ts'
import type { Merchant } from '../../money/merchants/merchant.ts'
import { type FoundPayment, findPayment, findPayments } from '../../money/order-queries/find-payment.ts'
import { hasReceipt } from '../../money/order-queries/find-receipt.ts'
import { readWholeDetails } from '../../money/order-queries/read-details.ts'
import type { OrderKey } from '../../money/orders/order.ts'
import { type LinkMaker, receiptEnds } from '../../money/orders/page-link.ts'
import { type CancelDeps, cancelPayment } from '../../money/payments/cancel-payment.ts'
import { completePayment } from '../../money/payments/complete-payment.ts'
import { payableAt } from '../../money/payments/hosted/prepare-hosted.ts'
import type { AttemptDeps } from '../../money/payments/hosted/start-attempt.ts'
import type { Reference } from '../../platform/reference/reference.ts'
import { type Method, methodNames, methods } from '../../rails/methods/methods.ts'
import { terminalsOfBrowser } from '../../rails/methods/terminal.ts'
import { knownOf } from '../../rails/routing/known-payer.ts'
import { fieldsToAsk } from './form/fields-to-ask.ts'
import type { AttemptLimits, LinkLimits } from './limits.ts'
import { makeView } from './make-view.ts'
import { type OpenedOrder, payOrder } from './pay-order.ts'
import type { CheckoutDeps } from './routes.ts'
import { signedReturn } from './signed-return.ts'
import { pageVersionOf, payCodeOf, payerStatusOf } from './status/payer-status.ts'
import { openStatusStreams } from './status/status-streams.ts'
import type { ReadEntered } from './view.ts'

export type OpenCheckoutDeps = AttemptDeps &
  CancelDeps & {
    readonly sandbox: boolean
    readonly links: LinkMaker
    readonly receiptLinks: LinkMaker
    readonly linkLimits: LinkLimits
    readonly platformKey: KeyObject
    readonly attemptLimits: AttemptLimits
    readonly readEntered: ReadEntered
    readonly reference: Pick<Reference, 'has' | 'items'>
    readonly onError: (error: unknown) => void
    findMerchant(merNo: number): Promise<Merchant | undefined>
  }

export function openCheckout(deps: OpenCheckoutDeps): CheckoutDeps {
  const keyOf = (token: string) => deps.links.read(token, deps.clock.now())
  const readVersions = (keys: readonly OrderKey[]) => pageVersionsOf(deps, keys)
  const streams = openStatusStreams({ readVersions, onError: deps.onError })
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
        order && payOrder(deps, order, { form, browser, completeUrl: `${deps.links.urlOf(token)}/complete` })
      )
    },
    async cancel(token, what) {
      const key = keyOf(token)
      return key && viewOf(await cancelPayment(deps, key, what))
    },
    async complete(token, answer) {
      const key = keyOf(token)
      const payment = key && (await completePayment(deps, key, answer))
      return payment && { action: payerStatusOf(payment, deps.clock.now()).action }
    },
    async pageVersion(token) {
      const key = keyOf(token)
      return key && (await readVersions([key])).get(key.tradeNo)
    },
    async listen(token) {
      const key = keyOf(token)
      if (key !== undefined && !streams.hasCapacity(key)) return { stream: undefined }
      const version = key && (await readVersions([key])).get(key.tradeNo)
      return key && version !== undefined ? { stream: streams.open(key, version) } : undefined
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
): Promise<OpenedOrder | undefined> {
  const merchant = payment && (await deps.findMerchant(payment.merNo))
  if (payment === undefined || merchant === undefined) return undefined
  const { details, personal } = await readWholeDetails(deps, payment)
  // The payer's browser determines the terminal. Therefore a terminal that the merchant sent is ignored.
  const { terminal: _, ...sent } = { ...details, ...personal }
  const merchantFields = knownOf(sent)
  const payerStatus = payerStatusOf(payment, deps.clock.now())
  const { tradeNo, merOrderNo, money } = payment
  const returned = { tradeNo, merOrderNo, payCode: payCodeOf(payerStatus.status) }
  const returnUrl = await signedReturn(deps.platformKey, merchant, payment.returnUrl, returned)
  const payable = (method: Method) => {
    const terminals = terminalsOfBrowser(userAgent, methods[method])
    return payableAt(deps.channels, merchant, method, { ...money, terminals })
  }
  const offered = methodNames().filter((method) => payable(method).length > 0)
  if (payerStatus.status === 'succeeded') deps.attemptLimits.paid(tradeNo)
  const receipt = hasReceipt(payment.state)
    ? deps.receiptLinks.tokenOf(tradeNo, receiptEnds(deps.clock.now()))
    : undefined
  const asksOf = (method: Method) => fieldsToAsk(payable(method), merchantFields, deps.reference)
  const { sandbox } = deps
  const about = { payment, merchant, merchantFields, returnUrl, payerStatus, receipt, sandbox }
  const view = makeView({ ...about, offered, asksOf })
  return { payment, merchant, merchantFields, view }
}

async function pageVersionsOf(
  { db, clock }: OpenCheckoutDeps,
  keys: readonly OrderKey[],
): Promise<ReadonlyMap<string, string>> {
  const payments = await findPayments(db, keys)
  const now = clock.now()
  return new Map(payments.map((payment) => [payment.tradeNo, pageVersionOf(payerStatusOf(payment, now))]))
}
