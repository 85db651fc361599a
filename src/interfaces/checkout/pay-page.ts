// Renders the payer's pages of an order. The functions are pure: the same arguments always give the same page.
import { moneyOf } from '../../platform/pages/amount.ts'
import { html, renderPage, webLink } from '../../platform/pages/page.ts'
import {
  brandBar,
  messagePage,
  orderItems,
  type PageContext,
  page,
  type Step,
  translationFor,
} from './page-layout.ts'
import { pageVersionOf } from './status/payer-status.ts'
import { choose } from './steps/choose.ts'
import { crypto, qr, transfer } from './steps/instructions.ts'
import { processing, type StepParts } from './steps/parts.ts'
import { challenge, inApp, redirect } from './steps/redirect.ts'
import { failed, succeeded, unpaid } from './steps/result.ts'
import type { CheckoutStatus, CheckoutView, FormState } from './view.ts'

export function payPage(context: PageContext, view: CheckoutView, formState: FormState): string {
  const translation = translationFor(context, view.language)
  const { merchant, money } = view
  return page(context, translation, stepOf({ context, view, translation }, formState), {
    brand: merchant,
    bar: brandBar(context, merchant, merchant.name, moneyOf(money, translation.locale)),
    items: orderItems(view, translation),
    live: {
      version: pageVersionOf(view),
      events: `${context.basePath}events`,
      status: `${context.basePath}status`,
    },
    facts: frameFacts(view),
  })
}

const openStatuses: readonly CheckoutStatus[] = ['choosing', 'awaiting-payer', 'processing']

function frameFacts({ merOrderNo, tradeNo, status, returnUrl }: CheckoutView) {
  const isFinal = !openStatuses.includes(status)
  return {
    orderNo: merOrderNo,
    tradeNo,
    state: status,
    isFinal,
    ...(isFinal && { returnUrl: webLink(returnUrl) }),
  }
}

/**
 * Returns the page that ends a challenge in a frame. This page sends a message to the page around the frame, which then
 * shows the order again.
 */
export function returnPage(context: PageContext, { language }: CheckoutView, isOpen: boolean): string {
  const translation = translationFor(context, language)
  return renderPage({
    sandbox: context.sandbox,
    assets: context.assets,
    translation,
    title: translation.words.challenge.title,
    step: html`<p class="waiting" role="status">${translation.words.choose.paying}</p>`,
    returned: isOpen ? 'open' : 'answered',
  })
}

export function missingPage(context: PageContext): string {
  return messagePage(context, translationFor(context), translationFor(context).words.missing)
}

export function brokenPage(context: PageContext): string {
  return messagePage(context, translationFor(context), translationFor(context).words.broken)
}

function stepOf(parts: StepParts, formState: FormState): Step {
  const { view, translation } = parts
  switch (view.status) {
    case 'choosing':
      return choose({ ...parts, formState })
    case 'awaiting-payer':
      return actionStep(parts)
    case 'processing':
      return processing(translation)
    case 'succeeded':
      return succeeded(parts)
    case 'failed':
      return failed(parts)
    case 'cancelled':
    case 'expired':
      return unpaid(view.status, parts)
  }
}

function actionStep(parts: StepParts): Step {
  const { action } = parts.view
  switch (action?.kind) {
    case 'challenge':
      return challenge(action, parts)
    case 'redirect':
      return redirect(action, parts)
    case 'app':
      return inApp(parts)
    case 'qr':
      return qr(action, parts)
    case 'transfer':
      return transfer(action, parts)
    case 'crypto':
      return crypto(action, parts)
    case undefined:
      return processing(parts.translation)
  }
}
