// A Stripe account in memory: payment intents and their states.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../src/platform/base/clock.ts'
import type { Fields } from '../../src/platform/base/object.ts'
import { type Answer, done, invalid, missing, problem } from './answer.ts'
import { resultOf } from './cards.ts'
import type { Events } from './events.ts'
import { fieldsIn, listIn, textIn } from './form.ts'

export type Intent = {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly types: readonly string[]
  readonly metadata: Fields
  readonly created: number
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  returnUrl: string
  nextAction: Fields | null
  error: Fields | null
  /** The result if the payer approves. */
  approval: 'succeeds' | 'declines'
}

export type AccountOptions = {
  readonly clock: Clock
  readonly events: Events
  readonly payerUrlOf: (id: string) => string
  /** Called when a disputed card was charged. */
  readonly disputed: (intent: Intent) => void
}

export type Account = ReturnType<typeof createAccount>

/** The amounts, for methods without a card, that get no response: accepted, and ignored. */
const [LOST, IGNORED] = [119, 6975]
const LEAST = 50

export function createAccount({ clock, events, payerUrlOf, disputed }: AccountOptions) {
  const intents = new Map<string, Intent>()
  /** `rawCards` is true if Stripe has enabled raw card numbers for the account. */
  const features = { rawCards: true }

  function create(form: Fields): Answer {
    const [amount, currency] = [Number(textIn(form, 'amount')), textIn(form, 'currency')]
    const types = listIn(form, 'payment_method_types')
    if (!Number.isSafeInteger(amount) || amount < LEAST)
      return invalid('Amount is too small', { code: 'amount_too_small', param: 'amount' })
    if (!/^[a-z]{3}$/.test(currency)) return invalid('Invalid currency', { param: 'currency' })
    if (types.length === 0) return invalid('Missing types', { param: 'payment_method_types' })
    const intent: Intent = {
      ...{ id: makeStripeId('pi'), amount, currency, types, metadata: fieldsIn(form, 'metadata') },
      ...{
        created: Math.floor(clock.now().getTime() / 1000),
        status: 'requires_payment_method',
        returnUrl: '',
      },
      ...{ nextAction: null, error: null, approval: 'succeeds' },
    }
    intents.set(intent.id, intent)
    events.send('payment_intent.created', toJson(intent))
    return done(toJson(intent))
  }

  function confirm(id: string, form: Fields): Answer {
    const intent = intents.get(id)
    if (intent === undefined) return missing('payment_intent')
    const data = fieldsIn(form, 'payment_method_data')
    const type = textIn(data, 'type')
    if (intent.status === 'canceled' || intent.status === 'succeeded') return unexpected(intent)
    if (!intent.types.includes(type))
      return invalid('The payment method type is not allowed for this PaymentIntent')
    intent.returnUrl = textIn(form, 'return_url')
    if (type !== 'card') return confirmWallet(intent, type)
    if (!features.rawCards) return invalid('Sending credit card numbers directly to the Stripe API is unsafe')
    const options = fieldsIn(fieldsIn(form, 'payment_method_options'), 'card')
    return confirmCard(intent, fieldsIn(data, 'card'), textIn(options, 'request_three_d_secure') === 'any')
  }

  function confirmWallet(intent: Intent, type: string): Answer {
    if (intent.amount === IGNORED) return { ...done({}), silence: 'ignored' }
    const answer = waitForPayer(intent, walletAction(type, payerUrlOf(intent.id)), 'succeeds')
    return intent.amount === LOST ? { ...answer, silence: 'lost' } : answer
  }

  function confirmCard(intent: Intent, card: Fields, isChallenged: boolean): Answer {
    if (!/^\d{3,4}$/.test(textIn(card, 'cvc')) || !/^\d{4}$/.test(textIn(card, 'exp_year')))
      return invalid('The card is incomplete', { param: 'payment_method_data[card]' })
    const result = resultOf(textIn(card, 'number'), isChallenged)
    const page = { url: payerUrlOf(intent.id), return_url: intent.returnUrl }
    const redirect = { type: 'redirect_to_url', redirect_to_url: page }
    switch (result.kind) {
      case 'declines':
        return decline(intent, result.code, result.declineCode)
      case 'wants-challenge':
        return decline(intent, 'authentication_required', 'authentication_required')
      case 'asks':
        return waitForPayer(intent, redirect, result.approved)
      case 'ignored':
        return { ...done({}), silence: 'ignored' }
      case 'disputed':
        disputed(intent)
        return succeed(intent)
      case 'lost':
        return { ...succeed(intent), silence: 'lost' }
      case 'succeeds':
        return succeed(intent)
    }
  }

  function waitForPayer(intent: Intent, nextAction: Fields, approval: Intent['approval']): Answer {
    Object.assign(intent, { status: 'requires_action', nextAction, approval })
    events.send('payment_intent.requires_action', toJson(intent))
    return done(toJson(intent))
  }

  function succeed(intent: Intent): Answer {
    Object.assign(intent, { status: 'succeeded', nextAction: null, error: null })
    events.send('payment_intent.succeeded', toJson(intent))
    return done(toJson(intent))
  }

  function decline(intent: Intent, code: string, declineCode?: string): Answer {
    const error = { type: 'card_error', code, decline_code: declineCode, message: 'Your card was declined.' }
    Object.assign(intent, { status: 'requires_payment_method', nextAction: null, error })
    events.send('payment_intent.payment_failed', toJson(intent))
    return problem(402, 'card_error', { ...error, payment_intent: toJson(intent) })
  }

  return {
    features,
    create,
    confirm,
    cancel(id: string): Answer {
      const intent = intents.get(id)
      if (intent === undefined) return missing('payment_intent')
      if (intent.status === 'canceled' || intent.status === 'succeeded') return unexpected(intent)
      Object.assign(intent, { status: 'canceled', nextAction: null })
      events.send('payment_intent.canceled', toJson(intent))
      return done(toJson(intent))
    },
    find: (id: string) => intents.get(id),
    findByOrder: (order: string) => [...intents.values()].find(({ metadata }) => metadata.order === order),
    /** The payment intents, newest first. */
    list: () => [...intents.values()].reverse(),
    /** Applies the payer's decision. Returns false if the intent does not wait for its payer. */
    decide(id: string, deed: 'approve' | 'decline'): boolean {
      const intent = intents.get(id)
      if (intent?.status !== 'requires_action') return false
      if (deed === 'decline') decline(intent, 'payment_intent_authentication_failure')
      else if (intent.approval === 'declines') decline(intent, 'card_declined', 'generic_decline')
      else succeed(intent)
      return true
    },
  }
}

function unexpected(intent: Intent): Answer {
  const message = `This PaymentIntent's status is ${intent.status}`
  return invalid(message, { code: 'payment_intent_unexpected_state', payment_intent: toJson(intent) })
}

function walletAction(type: string, url: string): Fields {
  const contents: Readonly<Record<string, Fields>> = {
    alipay: { type: 'alipay_handle_redirect', alipay_handle_redirect: { url } },
    wechat_pay: {
      type: 'wechat_pay_display_qr_code',
      wechat_pay_display_qr_code: { data: url, hosted_instructions_url: url },
    },
    cashapp: {
      type: 'cashapp_handle_redirect_or_display_qr_code',
      cashapp_handle_redirect_or_display_qr_code: { hosted_instructions_url: url },
    },
    pix: { type: 'pix_display_qr_code', pix_display_qr_code: { data: url } },
  }
  return contents[type] ?? { type: 'redirect_to_url', redirect_to_url: { url } }
}

/** Returns the intent as JSON of an account in live mode, because a live gateway refuses an account in test mode. */
export function toJson(intent: Intent): Fields {
  const { id, amount, currency, types, metadata, created, status } = intent
  return {
    ...{ id, object: 'payment_intent', amount, currency, metadata, created, status, livemode: true },
    amount_received: status === 'succeeded' ? amount : 0,
    payment_method_types: types,
    capture_method: 'automatic',
    confirmation_method: 'automatic',
    next_action: intent.nextAction,
    last_payment_error: intent.error,
  }
}

export function makeStripeId(kind: 'pi' | 're' | 'du'): string {
  return `${kind}_${randomBytes(12).toString('hex')}`
}
