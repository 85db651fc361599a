// Handles the payer's form. A form that is sent twice, or from an old tab, starts nothing: it carries the number of attempts
// it was made for, and startAttempt compares that number under the order's lock.

import type { Fields } from '../base/object.ts'
import type { Vault } from '../base/secret.ts'
import { emailsOf } from '../channels/known-payer.ts'
import { methods } from '../channels/method.ts'
import { terminalsOfBrowser } from '../channels/terminal.ts'
import type { RefusalCode } from '../errors/catalogue.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { FoundPayment } from '../order-queries/find-payment.ts'
import type { Form } from '../pages/form.ts'
import { type AttemptDeps, type Started, startAttempt } from '../payments/hosted/start-attempt.ts'
import type { AttemptLimits, CountedAttempt } from './attempt-limits.ts'
import type { FormState, ReadEntered } from './form/form-state.ts'
import { type Chosen, readForm } from './form/read-form.ts'
import type { CheckoutView } from './view.ts'

export type PayDeps = AttemptDeps & {
  readonly vault: Vault
  readonly attemptLimits: AttemptLimits
  readonly readEntered: ReadEntered
}

export type OpenedOrder = {
  readonly payment: FoundPayment
  readonly merchant: Merchant
  readonly merchantFields: Fields
  readonly view: CheckoutView
}

/** The browser that sends the form. 3-D Secure needs it, and attempts are counted by its address. */
export type Browser = {
  readonly address: string
  readonly userAgent: string
  readonly accept: string
}

export type PayRequest = { readonly form: Form; readonly browser: Browser; readonly completeUrl: string }

export type PayResult =
  | { readonly kind: 'started' }
  /** The form was made before the latest attempt. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'invalid'; readonly view: CheckoutView; readonly formState: FormState }

const STALE = { kind: 'stale' } as const

export async function payOrder(deps: PayDeps, order: OpenedOrder, request: PayRequest): Promise<PayResult> {
  const { view, merchantFields } = order
  const { form, browser } = request
  if (view.status !== 'choosing' || form.attempt !== String(view.attempts)) return STALE
  const { readEntered } = deps
  const { chosen, formState } = readForm(view.choices, form, {
    readEntered,
    merchantFields,
    now: deps.clock.now(),
  })
  if (chosen === undefined) return { kind: 'invalid', view, formState }
  const card = chosen.card && deps.vault.fingerprint(chosen.card.number)
  const counted = deps.attemptLimits.begin({ address: browser.address, card })
  if (counted === undefined)
    return { kind: 'invalid', view, formState: { ...formState, notice: 'tooManyAttempts' } }
  const started = await start(deps, order, chosen, request)
  updateCount(counted, started, view.tradeNo)
  if (started.kind !== 'refused') return { kind: started.kind }
  return { kind: 'invalid', view, formState: { ...formState, ...problemFor(started.refusal.code) } }
}

function start(
  deps: PayDeps,
  { payment, merchant, merchantFields, view }: OpenedOrder,
  { details, ...chosen }: Chosen,
  { browser, completeUrl }: PayRequest,
): Promise<Started> {
  const { merNo, tradeNo } = payment
  const browserDetails = {
    userAgent: browser.userAgent,
    acceptHeader: browser.accept,
    ipAddress: browser.address,
  }
  return startAttempt(deps, merchant, {
    merNo,
    tradeNo,
    attempts: view.attempts,
    ...chosen,
    terminals: terminalsOfBrowser(browser.userAgent, methods[chosen.method]),
    details: { ...browserDetails, ...emailsOf(merchantFields), ...details },
    completeUrl,
  })
}

/** A decline stays counted. An attempt under way stays counted until it is known to be paid. */
function updateCount(counted: CountedAttempt, started: Started, tradeNo: string): void {
  if (started.kind !== 'started' || started.recorded.attemptState === 'succeeded') counted.takeBack()
  else if (started.recorded.attemptState !== 'failed') counted.keepFor(tradeNo)
}

const limitCodes: readonly RefusalCode[] = [
  '10016',
  '10017',
  '10020',
  '10021',
  '10022',
  '10023',
  '10024',
  '10025',
]

function problemFor(code: RefusalCode): Partial<FormState> {
  if (code === '10012') return { problems: { cardNo: 'cardBrand' } }
  return { notice: limitCodes.includes(code) ? 'limit' : 'unavailable' }
}
