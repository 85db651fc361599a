// The payer's pages for an order: choose a way, act, wait, or the result. Pure: the same view makes the same page.
import { moneyOf } from '../pages/amount.ts'
import type { Tongue } from '../pages/language.ts'
import type { Filling } from './filling.ts'
import { type Frame, lonePage, page, type Step, tongueFor } from './framed-page.ts'
import { markOf } from './mark.ts'
import { choose } from './steps/choose.ts'
import { crypto } from './steps/crypto.ts'
import { challenge, inApp, redirect } from './steps/hand-over.ts'
import { qr } from './steps/qr.ts'
import { failed, succeeded, unpaid } from './steps/result.ts'
import { transfer } from './steps/transfer.ts'
import { processing } from './steps/waiting.ts'
import { brandBar, orderItems } from './summary.ts'
import type { CheckoutView } from './view.ts'

export function payPage(frame: Frame, view: CheckoutView, filling: Filling): string {
  const tongue = tongueFor(frame, view.language)
  const { merchant, money } = view
  return page(frame, tongue, stepOf(frame, view, tongue, filling), {
    brand: merchant,
    bar: brandBar(frame, merchant, merchant.name, moneyOf(money, tongue.locale)),
    items: orderItems(view, tongue),
    live: { mark: markOf(view), events: `${frame.own}events`, status: `${frame.own}status` },
  })
}

export function missingPage(frame: Frame): string {
  return lonePage(frame, tongueFor(frame), tongueFor(frame).words.missing)
}

export function brokenPage(frame: Frame): string {
  return lonePage(frame, tongueFor(frame), tongueFor(frame).words.broken)
}

function stepOf(frame: Frame, view: CheckoutView, tongue: Tongue, filling: Filling): Step {
  switch (view.status) {
    case 'choosing':
      return choose(frame, view, tongue, filling)
    case 'awaiting-payer':
      return actionStep(frame, view, tongue)
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

function actionStep(frame: Frame, view: CheckoutView, tongue: Tongue): Step {
  const { action } = view
  switch (action?.kind) {
    case 'challenge':
      return challenge(action, frame, view, tongue)
    case 'redirect':
      return redirect(action, frame, view, tongue)
    case 'app':
      return inApp(frame, view, tongue)
    case 'qr':
      return qr(action, frame, view, tongue)
    case 'transfer':
      return transfer(action, frame, view, tongue)
    case 'crypto':
      return crypto(action, frame, view, tongue)
    case undefined:
      return processing(tongue)
  }
}
