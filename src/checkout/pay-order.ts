// The payer pressed the button. Whatever is pressed twice, sent again or sent from an old tab begins nothing: the form names
// how many attempts there were, and that must still be so under the order's lock.

import type { Fields } from '../base/object.ts'
import type { Vault } from '../base/secret.ts'
import { traitsOf } from '../channels/method.ts'
import { terminalsOfBrowser } from '../channels/terminal.ts'
import type { RefusalCode } from '../errors/catalogue.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Form } from '../pages/form.ts'
import type { FoundPayment } from '../payments/find-payment.ts'
import { type AttemptDeps, type Started, startAttempt } from '../payments/start-attempt.ts'
import { emailsOf } from './asked-of-payer.ts'
import type { Filling, ReadEntered } from './filling.ts'
import { type Chosen, readForm } from './read-form.ts'
import type { Try, TryLimits } from './try-limits.ts'
import type { CheckoutView } from './view.ts'

export type PayDeps = AttemptDeps & {
  readonly vault: Vault
  readonly tries: TryLimits
  readonly readEntered: ReadEntered
}

export type Opened = {
  readonly payment: FoundPayment
  readonly merchant: Merchant
  readonly held: Fields
  readonly view: CheckoutView
}

/** Of the browser that sends the form: what 3-D Secure asks about it, and whom tries are counted by. */
export type Browser = {
  readonly address: string
  readonly userAgent: string
  readonly accept: string
}

export type PressedPay = { readonly form: Form; readonly browser: Browser; readonly completeUrl: string }

export type Paid =
  | { readonly kind: 'started' }
  /** The form was older than the order. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'wrong'; readonly view: CheckoutView; readonly filling: Filling }

const STALE = { kind: 'stale' } as const

export async function tryToPay(deps: PayDeps, order: Opened, pressed: PressedPay): Promise<Paid> {
  const { view, held } = order
  const { form, browser } = pressed
  if (view.status !== 'choosing' || form.attempt !== String(view.attempts)) return STALE
  const { readEntered } = deps
  const { chosen, filling } = readForm(view.choices, form, { readEntered, held, now: deps.clock.now() })
  if (chosen === undefined) return { kind: 'wrong', view, filling }
  const card = chosen.card && deps.vault.fingerprint(chosen.card.number)
  const begun = deps.tries.begin({ address: browser.address, card })
  if (begun === undefined) return { kind: 'wrong', view, filling: { ...filling, notice: 'tooManyTries' } }
  const started = await start(deps, order, chosen, pressed)
  settle(begun, started, view.tradeNo)
  if (started.kind !== 'refused') return { kind: started.kind }
  return { kind: 'wrong', view, filling: { ...filling, ...wordsFor(started.refusal.code) } }
}

function start(
  deps: PayDeps,
  { payment, merchant, held, view }: Opened,
  { details, ...chosen }: Chosen,
  { browser, completeUrl }: PressedPay,
): Promise<Started> {
  const { merNo, tradeNo } = payment
  const asBrowserSays = {
    userAgent: browser.userAgent,
    acceptHeader: browser.accept,
    ipAddress: browser.address,
  }
  return startAttempt(deps, merchant, {
    merNo,
    tradeNo,
    attempts: view.attempts,
    ...chosen,
    terminals: terminalsOfBrowser(browser.userAgent, traitsOf(chosen.method)),
    details: { ...asBrowserSays, ...emailsOf(held), ...details },
    completeUrl,
  })
}

/** A decline stays counted. What is under way stays so until it is known to be paid. */
function settle(begun: Try, started: Started, tradeNo: string): void {
  if (started.kind !== 'started' || started.recorded.attemptState === 'succeeded') begun.takeBack()
  else if (started.recorded.attemptState !== 'failed') begun.keepFor(tradeNo)
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

function wordsFor(code: RefusalCode): Partial<Filling> {
  if (code === '10012') return { problems: { cardNo: 'cardBrand' } }
  return { notice: limitCodes.includes(code) ? 'limit' : 'unavailable' }
}
