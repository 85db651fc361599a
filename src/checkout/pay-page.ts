// The payer's pages of an order: choose a method, act, wait, or see the result. Pure: the same view renders the same page.
import { moneyOf } from '../pages/amount.ts'
import type { Tongue } from '../pages/language.ts'
import type { FormState } from './form/form-state.ts'
import { brandBar, orderItems } from './order-summary.ts'
import { messagePage, type PageContext, page, type Step, tongueFor } from './page-layout.ts'
import { pageVersionOf } from './status/page-version.ts'
import { choose } from './steps/choose.ts'
import { crypto } from './steps/crypto.ts'
import { qr } from './steps/qr.ts'
import { challenge, inApp, redirect } from './steps/redirect.ts'
import { failed, succeeded, unpaid } from './steps/result.ts'
import { transfer } from './steps/transfer.ts'
import { processing } from './steps/waiting.ts'
import type { CheckoutView } from './view.ts'

export function payPage(context: PageContext, view: CheckoutView, formState: FormState): string {
  const tongue = tongueFor(context, view.language)
  const { merchant, money } = view
  return page(context, tongue, stepOf(context, view, tongue, formState), {
    brand: merchant,
    bar: brandBar(context, merchant, merchant.name, moneyOf(money, tongue.locale)),
    items: orderItems(view, tongue),
    live: {
      version: pageVersionOf(view),
      events: `${context.basePath}events`,
      status: `${context.basePath}status`,
    },
  })
}

export function missingPage(context: PageContext): string {
  return messagePage(context, tongueFor(context), tongueFor(context).words.missing)
}

export function brokenPage(context: PageContext): string {
  return messagePage(context, tongueFor(context), tongueFor(context).words.broken)
}

function stepOf(context: PageContext, view: CheckoutView, tongue: Tongue, formState: FormState): Step {
  switch (view.status) {
    case 'choosing':
      return choose(context, view, tongue, formState)
    case 'awaiting-payer':
      return actionStep(context, view, tongue)
    case 'processing':
      return processing(tongue)
    case 'succeeded':
      return succeeded(view, tongue)
    case 'failed':
      return failed(view, tongue)
    case 'cancelled':
    case 'expired':
      return unpaid(view.status, view, tongue)
  }
}

function actionStep(context: PageContext, view: CheckoutView, tongue: Tongue): Step {
  const { action } = view
  switch (action?.kind) {
    case 'challenge':
      return challenge(action, context, view, tongue)
    case 'redirect':
      return redirect(action, context, view, tongue)
    case 'app':
      return inApp(context, view, tongue)
    case 'qr':
      return qr(action, context, view, tongue)
    case 'transfer':
      return transfer(action, context, view, tongue)
    case 'crypto':
      return crypto(action, context, view, tongue)
    case undefined:
      return processing(tongue)
  }
}
