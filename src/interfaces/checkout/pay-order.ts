// Handles the payer's form. A form that is sent twice, or from an old tab, starts no attempt. Each form contains the
// number of attempts when its page was made. startAttempt compares that number with the present number while it holds
// the order's lock.

import type { Merchant } from '../../money/merchants/merchant.ts'
import type { FoundPayment } from '../../money/order-queries/find-payment.ts'
import { type AttemptDeps, type Started, startAttempt } from '../../money/payments/hosted/start-attempt.ts'
import type { Fields } from '../../platform/base/object.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { RefusalCode } from '../../platform/errors/catalogue.ts'
import type { Form } from '../../platform/pages/form.ts'
import { methods } from '../../rails/methods/methods.ts'
import { terminalsOfBrowser } from '../../rails/methods/terminal.ts'
import { emailsOf } from '../../rails/routing/known-payer.ts'
import { type Chosen, readForm } from './form/read-form.ts'
import type { AttemptLimits, CountedAttempt } from './limits.ts'
import type { CheckoutView, FormState, ReadEntered } from './view.ts'

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

/** Data of the payer's browser. 3-D Secure requires these values. The address is also used to count attempts. */
export type Browser = {
  readonly address: string
  readonly userAgent: string
  readonly accept: string
}

export type PayRequest = { readonly form: Form; readonly browser: Browser; readonly completeUrl: string }

export type PayResult =
  | { readonly kind: 'started' }
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

/**
 * Updates the count of attempts. An attempt that did not start or is already paid does not count. A declined attempt
 * counts. An attempt in progress counts until it is known to be paid.
 */
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
