// Renders the payer's pages of an order. The functions are pure: the same view renders the same page.
import { moneyOf } from '../../platform/pages/amount.ts'
import type { Translation } from '../../platform/pages/language.ts'
import { webLink } from '../../platform/pages/page.ts'
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
import { crypto } from './steps/instructions.ts'
import { processing } from './steps/parts.ts'
import { qr } from './steps/qr.ts'
import { challenge, inApp, redirect } from './steps/redirect.ts'
import { failed, succeeded, unpaid } from './steps/result.ts'
import { transfer } from './steps/transfer.ts'
import type { CheckoutStatus, CheckoutView, FormState } from './view.ts'

export function payPage(context: PageContext, view: CheckoutView, formState: FormState): string {
  const translation = translationFor(context, view.language)
  const { merchant, money } = view
  return page(context, translation, stepOf(context, view, translation, formState), {
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

export function missingPage(context: PageContext): string {
  return messagePage(context, translationFor(context), translationFor(context).words.missing)
}

export function brokenPage(context: PageContext): string {
  return messagePage(context, translationFor(context), translationFor(context).words.broken)
}

function stepOf(
  context: PageContext,
  view: CheckoutView,
  translation: Translation,
  formState: FormState,
): Step {
  switch (view.status) {
    case 'choosing':
      return choose(context, view, translation, formState)
    case 'awaiting-payer':
      return actionStep(context, view, translation)
    case 'processing':
      return processing(translation)
    case 'succeeded':
      return succeeded(view, translation)
    case 'failed':
      return failed(view, translation)
    case 'cancelled':
    case 'expired':
      return unpaid(view.status, view, translation)
  }
}

function actionStep(context: PageContext, view: CheckoutView, translation: Translation): Step {
  const { action } = view
  switch (action?.kind) {
    case 'challenge':
      return challenge(action, context, view, translation)
    case 'redirect':
      return redirect(action, context, view, translation)
    case 'app':
      return inApp(context, view, translation)
    case 'qr':
      return qr(action, context, view, translation)
    case 'transfer':
      return transfer(action, context, view, translation)
    case 'crypto':
      return crypto(action, context, view, translation)
    case undefined:
      return processing(translation)
  }
}
